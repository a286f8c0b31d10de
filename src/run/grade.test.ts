import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toSample } from '../words/types.fixture.ts';
import type { ScoreInput } from './definition.ts';
import { gradeOutput, readOutput } from './grade.ts';
import { Workdir } from './workdir.ts';

function gradeIn(workdir: Workdir | null) {
  const score = ({ workdir: folder }: ScoreInput) =>
    readFileSync(join(folder, 'written.txt'), 'utf8') === 'y';
  return gradeOutput(
    { file: 'a', scores: { wrote: score } },
    'x',
    'y',
    toSample(),
    { workdir },
    1000,
  );
}

function schemaOf(validate: (value: unknown) => never | Promise<never>): StandardSchemaV1 {
  return { '~standard': { version: 1, vendor: 'own', validate } };
}

test('gives scores the work folder of a call, and says when it is gone', async () => {
  const workdir = new Workdir([]);
  writeFileSync(join(workdir.path, 'written.txt'), 'y');
  expect(await gradeIn(workdir)).toMatchObject({ correct: true });
  await workdir.remove();
  await expect(gradeIn(null)).rejects.toThrow('Set "cache: false" in the suite');
});

const gradeBy = (score: (input: never) => unknown) =>
  gradeOutput(
    { file: 'a', score: score as never },
    'b',
    'b',
    toSample({ metadata: { category: 'x' } }),
    {},
    1000,
  );

test.each<[name: string, write: string]>([
  ['expected', 'target'],
  ['referenceOutput', 'target'],
  ['ground_truth', 'target'],
  ['taget', 'target'],
  ['cost', 'costUsd'],
  ['cost_usd', 'costUsd'],
  ['tokens', 'usage'],
  ['latency', 'latencyMs'],
  ['ttft', 'firstTokenMs'],
  ['question', 'input'],
  ['prompt', 'input'],
  ['result', 'output'],
  ['metadata', 'sample.metadata'],
  ['id', 'sample.id'],
  ['category', 'record.category'],
])('a score that reads %s is told to write %s', async (name, write) => {
  const score = (input: Record<string, unknown>) => input['output'] === input[name];
  const graded = gradeBy(score as never);
  const said = `A score reads "${name}", which it does not get: write ${write}. It gets`;
  await expect(graded).rejects.toThrow(said);
  await expect(graded).rejects.toThrow(/ output, answer, .*, costUsd, .*, expect, workdir\.$/);
});

test('a score may have options of its own, and what it gets is no list', async () => {
  const optional = z.object({ output: z.string(), strict: z.boolean().optional() });
  const score = (input: { output: string; ignoreCase?: boolean; length?: number }) => {
    const { output, ignoreCase = false } = input;
    expect(input).not.toHaveProperty('strict');
    return optional.parse(input).output === output && !ignoreCase && input.length === undefined;
  };
  expect(await gradeBy(score)).toMatchObject({ state: 'correct' });
});

test('a score may look into the whole of what it gets', async () => {
  const score = async (input: ScoreInput) => {
    const { output, ...rest } = await input;
    expect({ output, ...rest }).toMatchObject({ target: 'b' });
    expect(input).toMatchObject({ target: 'b' });
    expect(input).not.toEqual({ output });
    return JSON.stringify(input).includes('"target":"b"') && !('expected' in input);
  };
  expect(await gradeBy(score)).toMatchObject({ state: 'correct' });
});

test.each([
  ['a thought before it', '<think>a?</think> b', 'b'],
  ['unseen characters around it', '\u200bb\ufeff', 'b'],
  ['unseen characters around the target', 'b', '\u2060b'],
  ['a mark after it', '7<|eot_id|>', 7],
  ['an accent of its own', 'Jose\u0301', 'Jos\u00e9'],
  ['accents in a value', { name: ['Jose\u0301'] }, { name: ['Jos\u00e9'] }],
  ['nothing but the name of a tag', '`<think>`', '`<think>`'],
  ['a number that a text spells', '1.0', 1],
  ['a text that spells its number', 1, '1'],
  ['a text that spells true', true, 'true'],
])('an equal answer is right with %s', async (_, output, target) => {
  const graded = await gradeOutput({ file: 'a' }, output, target, toSample(), {}, 1000);
  expect(graded).toMatchObject({ state: 'correct', rule: 'equality' });
});

test.each([
  ['another letter', 'Jose', 'Jos\u00e9', 'incorrect'],
  ['an unseen character inside', 'a\u200bb', 'ab', 'incorrect'],
  ['a text that spells another number', 1, '2', 'incorrect'],
  ['a text that spells nothing', 1, 'one', 'incorrect'],
  ['an unfinished thought', 'b <think>b', 'b', 'no_answer'],
  ['nothing after its thought', '<think>b</think>', 'b', 'no_answer'],
  ['unseen characters alone', '\u200b', 'b', 'no_answer'],
])('an answer with %s is not right', async (_, output, target, state) => {
  const graded = await gradeOutput({ file: 'a' }, output, target, toSample(), {}, 1000);
  expect(graded).toMatchObject({ state });
});

test('a text that is returned verbatim keeps its tags', async () => {
  const output = '<think>b</think>';
  const facts = { verbatim: true };
  const graded = await gradeOutput({ file: 'a' }, output, output, toSample(), facts, 1000);
  expect(graded).toMatchObject({ state: 'correct', how: 'as given' });
});

test.each([
  ['b', ['a', 'b'], true, 'b'],
  ['c', ['a', 'b'], false, undefined],
  ['7', ['seven', 7], true, 7],
  [['a', 'b'], ['a', 'b'], true, undefined],
])(
  '%j equals any one of %j, or the list of them: %s',
  async (output, target, correct, accepted) => {
    const sample = { ...toSample(), target, accepts: 'any' as const };
    const grade = await gradeOutput({ file: 'a' }, output, target, sample, {}, 1000);
    expect([grade.correct, grade.accepted]).toEqual([correct, accepted]);
  },
);

test('an own score gets the list of accepted answers', async () => {
  const sample = { ...toSample(), target: ['a', 'b'], accepts: 'any' as const };
  const score = ({ answer, target }: ScoreInput) => target.includes(answer);
  const grade = gradeOutput({ file: 'a', score }, 'b', ['a', 'b'], sample, {}, 1000);
  expect(await grade).toMatchObject({ correct: true, rule: 'score' });
});

const total = z.object({ total: z.coerce.number() });

test.each<[string, Parameters<typeof readOutput>[0], unknown, object]>([
  ['a text', {}, '{"total": 1}', { value: '{"total": 1}' }],
  ['an object', {}, { total: 1 }, { value: { total: 1 } }],
  ['JSON', { output: 'json' }, ' {"total": 1}\n', { value: { total: 1 } }],
  ['JSON null', { output: 'json' }, 'null', { value: null }],
  ['JSON in Markdown', { output: 'json' }, '```json\n{"total": 1}\n```', { value: { total: 1 } }],
  [
    'JSON after a thought',
    { output: 'json' },
    '<think>2?</think>\n{"total": 1}',
    { value: { total: 1 } },
  ],
  [
    'JSON between unseen characters',
    { output: 'json' },
    '\ufeff{"total": 1}\u200b',
    { value: { total: 1 } },
  ],
  [
    'JSON before the mark that ends it',
    { output: 'json' },
    '{"total": 1}<|im_end|>',
    { value: { total: 1 } },
  ],
  [
    'a tag in JSON as data',
    { output: 'json' },
    '{"tag": "a <think> b"}',
    { value: { tag: 'a <think> b' } },
  ],
  [
    'no JSON in an unfinished thought',
    { output: 'json' },
    '<think>{"total": 1}',
    { reason: 'invalid_json', problem: 'the output is not JSON: "<think>{\\"total\\": 1}"' },
  ],
  ['an object that is not text', { output: 'json' }, { total: 1 }, { value: { total: 1 } }],
  [
    'words around JSON',
    { output: 'json' },
    'Here: {"total": 1}',
    { reason: 'invalid_json', problem: 'the output is not JSON: "Here: {\\"total\\": 1}"' },
  ],
  [
    'what a schema changes',
    { output: 'json', schema: { output: total } },
    '{"total": "12", "note": "paid"}',
    { value: { total: 12 } },
  ],
  [
    'what does not fit a schema of zod',
    { schema: { output: total } },
    { total: 'a lot' },
    { reason: 'schema', problem: expect.stringMatching(/does not fit the schema: total: .*NaN/) },
  ],
  [
    'what does not fit a schema of valibot, which waits',
    {
      schema: {
        output: v.pipeAsync(
          v.array(v.string()),
          v.checkAsync(async () => true),
        ),
      },
    },
    ['a', 1],
    {
      reason: 'schema',
      problem: expect.stringMatching(/schema: 1: Invalid type: Expected string/),
    },
  ],
  [
    'JSON that is nested too deep to be walked',
    { output: 'json' },
    `${'['.repeat(6_000)}${']'.repeat(6_000)}`,
    { reason: 'invalid_json', problem: expect.stringMatching(/is not JSON/) },
  ],
  [
    'what a schema makes that is not JSON',
    { schema: { output: z.string().transform(() => new Map()) } },
    'x',
    { reason: 'schema', problem: expect.stringMatching(/it makes no JSON value .* is a Map/) },
  ],
])('reads %s', async (_, suite, output, expected) => {
  expect(await readOutput(suite, output as never, { suite: 'own', file: 'a' }, 1000)).toEqual(
    expected,
  );
});

test('a schema that never settles ends at the deadline of the question', async () => {
  const output = schemaOf(() => new Promise<never>(() => {}));
  const read = readOutput({ schema: { output } }, 'x', { suite: 'own', file: 'own.eval.ts' }, 20);
  await expect(read).rejects.toThrow(
    'own.eval.ts: "schema.output" of suite own has not ended after 0.02 s.',
  );
});

test('a score that never settles ends at the deadline of the question', async () => {
  const scores = { late: () => new Promise<boolean>(() => {}) };
  const grade = gradeOutput({ file: 'own.eval.ts', scores }, 'b', 'b', toSample(), {}, 20);
  await expect(grade).rejects.toThrow(
    'own.eval.ts: "late" of suite own has not ended after 0.02 s. Await what it starts, or raise',
  );
});
