import assert from 'node:assert';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { z } from 'zod';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { matchers } from '../matchers/index.ts';
import { readConfig } from '../settings.ts';
import { NO_TRACE } from '../words/answer.ts';
import { STEP, toSample } from '../words/types.fixture.ts';
import type { ScoreInput, SuiteDefinition } from './definition.ts';
import type { Facts } from './grade.ts';
import { ScoreExpect } from './score-expect.ts';
import { deadlineOf, toSuite } from './suite.ts';

expect.extend(matchers);

const sample = toSample({ target: 'Paris' });

const SECRET = 'local-key-12345';

type Change = Partial<SuiteDefinition>;

let task: TestContext['task'];

beforeEach((context) => {
  task = context.task;
});

async function grade(definition: Change, output = 'Paris', said: Facts = {}) {
  const suite = toSuite('own', { data: [{}], ...definition }, 'own.eval.ts');
  const openExpect = (name: string | null) => new ScoreExpect(task, name);
  return suite.grade(output, 'Paris', sample, { openExpect, ...said }, 1000);
}

const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), 1));

test.each<[boolean, string, SuiteDefinition['data'], boolean?]>([
  [
    true,
    `data: [{ input: 'It\\'s "1"?', target: "so\\nso" }]`,
    [{ input: 'It\'s "1"?', target: 'so\nso' }],
  ],
  [true, 'data: [{ input: `1?`, target: 1 }]', [{ input: '1?', target: 1 }]],
  [false, "data: [{ input: '1?' }]", [{ input: '1?' }], false],
  [false, 'data: read(input, target)', [{ input: 4711, target: 5 }]],
  [false, 'data: read(input)', [{ input: { 'patient 41': true } }]],
  [true, 'data: [{ input: { age: 41 } }]', [{ input: { age: 41 } }]],
  [false, "data: 'private.jsonl'", 'private.jsonl'],
  [true, "data: 'open.jsonl'", 'open.jsonl', true],
])('its records are public: %s, for %s', (expected, source, data, isPublic) => {
  const file = makeFile('a.eval.ts', source);
  const { definition } = toSuite(
    'own',
    { data, ...(isPublic !== undefined && { public: isPublic }) },
    file,
  );
  expect(definition.public).toBe(expected);
});

test('tables of a definition that change later change no suite', async () => {
  const scores: Record<string, () => boolean> = { a: () => false };
  const agents: Record<string, string> = { small: './a.ts' };
  const suite = toSuite('own', { data: [{}], scores, agents }, 'own.eval.ts');
  Object.assign(scores, { a: () => true, b: () => true });
  delete agents['small'];
  expect(suite.definition.agents).toEqual({ small: './a.ts' });
  expect((await suite.grade('Paris', 'Paris', sample, {}, 1000)).scores).toEqual({ a: false });
});

describe('a score', () => {
  const TRUE = { state: 'correct', correct: true, answer: 'Paris', rule: 'score', reason: null };
  const FALSE = { state: 'incorrect', correct: false, explanation: 'your score returned false' };
  const scores = { half: 0.5, whole: false, none: null };
  const VERDICT = { state: 'incorrect', answer: 'P', explanation: 'cut', scores } as const;
  const EMPTY = { state: 'no_answer', correct: false, answer: null, reason: 'empty' };

  test.each<[string, Change, string, object]>([
    ['none, and equal texts', {}, ' Paris\n', { ...TRUE, rule: 'equality', how: 'whole output' }],
    [
      'none, and different texts',
      {},
      'paris',
      { ...FALSE, answer: 'paris', explanation: 'not equal to the expected answer' },
    ],
    ['true', { score: () => true }, 'Paris', { ...TRUE, explanation: 'your score accepts it' }],
    ['false', { score: () => false }, 'Paris', FALSE],
    [
      'assertions that return nothing',
      { score: ({ answer }) => void expect(answer).toBe('Paris') },
      'Paris',
      TRUE,
    ],
    ['a verdict', { score: () => VERDICT }, 'Paris', { ...FALSE, ...VERDICT }],
    [
      'a verdict of no answer',
      { score: () => ({ state: 'no_answer', reason: 'refusal' }) },
      'Paris',
      { state: 'no_answer', reason: 'refusal' },
    ],
    [
      'one of node:assert',
      { score: ({ answer }) => assert.equal(answer, 'Rome', 'no Rome') },
      'Paris',
      { ...FALSE, explanation: 'no Rome' },
    ],
    [
      'an awaited matcher of viva',
      { score: async ({ output, target }) => expect(output).not.toMatchMath(target) },
      '\\frac12',
      { ...TRUE, answer: '\\frac12' },
    ],
    ['an empty output', { score: () => true }, ' \n', EMPTY],
    ['an answer that is not found', { extract: () => null, score: () => true }, 'Paris', EMPTY],
    [
      'a blank answer',
      { extract: () => ({ answer: ' ', how: 'mark' }), score: () => true },
      'Paris',
      { ...EMPTY, how: 'mark' },
    ],
    [
      'what extract finds',
      { extract: (text) => text.slice(2) },
      '> Paris',
      { ...TRUE, rule: 'equality', how: 'extract' },
    ],
  ])('judges by %s', async (_, definition, output, wanted) => {
    expect(await grade(definition, output)).toMatchObject({ ...wanted });
  });

  test.each<[string, NonNullable<Change['score']>]>([
    ['thrown', ({ answer }) => expect(answer).toMatchObject({ city: 'Rome' })],
    ['awaited', async ({ answer }) => expect(later(answer)).resolves.toBe('Rome')],
  ])(
    'that fails by an assertion, %s, is incorrect and keeps the assertion for the test',
    async (_, score) => {
      const judged = await grade({ score });
      expect(judged).toMatchObject({
        state: 'incorrect',
        answer: 'Paris',
        explanation: expect.stringMatching(/^expect/),
      });
      expect(judged.failed).toEqual([
        expect.objectContaining({ message: expect.stringContaining('Rome') }),
      ]);
    },
  );

  test('is called once, with everything about the answer', async () => {
    const seen: ScoreInput[] = [];
    const score: SuiteDefinition['score'] = (input) => seen.push(input) > 0;
    await grade({ score, extract: () => 'P' }, '"Paris"');
    const known = { trace: [STEP], steps: 2, costUsd: 0.5 };
    await grade({ score, extract: () => 'P' }, '"Paris"', { ...known, verbatim: true });
    const reply = { role: 'assistant', content: '"Paris"' };
    const facts = {
      ...{ output: '"Paris"', input: '?', target: 'Paris', sample },
      messages: [{ role: 'user', content: '?' }, reply],
      ...{
        trace: [],
        steps: null,
        usage: null,
        costUsd: null,
        latencyMs: null,
        firstTokenMs: null,
      },
      // A sample that no file has is its own record.
      record: {},
      expect: expect.any(Function),
    };
    expect(seen).toEqual([
      { ...facts, answer: 'P' },
      { ...facts, answer: '"Paris"', ...known },
    ]);
    // Matchers of a trace refuse it: an agent that reports no steps may have called any tool.
    expect(seen[0]?.trace).toBe(NO_TRACE);
  });

  test.each<[string, NonNullable<Change['score']>]>([
    ['a verdict', () => ({ state: 'incorrect', answer: SECRET, explanation: `not ${SECRET}` })],
    ['an assertion of values alone', () => expect({ a: { b: SECRET } }, 'other').toEqual({})],
  ])('has no key in %s', async (_, score) => {
    const definition = { data: [{}], score, extract: () => SECRET };
    const suite = toSuite('own', definition, 'own.eval.ts', [SECRET]);
    const judged = await suite.grade('Paris', 'Paris', sample, {}, 1000);
    expect(judged).toMatchObject({ state: 'incorrect', answer: '[key]' });
    expect(inspect(judged, { depth: 9, showHidden: true })).not.toContain(SECRET);
    expect(suite.extract('Paris', sample).answer).toBe('[key]');
  });

  test('has no key in what a schema says of an output', async () => {
    const output = z.string().refine(() => false, { error: () => `no ${SECRET}` });
    const definition = { data: [{}], schema: { output } };
    const read = await toSuite('own', definition, 'own.eval.ts', [SECRET]).read('x', 1000);
    expect(read).toMatchObject({ problem: 'the output does not fit the schema: no [key]' });
  });

  const fail = () => {
    throw new RangeError('no such city');
  };

  test.each<[string, Change, RegExp]>([
    ['its own error', { score: fail }, /^no such city$/],
    [
      'a forgotten return',
      { score: ({ answer, target }) => void (answer === target) },
      /returned nothing/,
    ],
    [
      'a score above 1',
      { score: () => ({ state: 'correct', scores: { half: 3 } }) },
      /scores\?: \{name: true, false, 0 to 1 or null\}/,
    ],
    ['an error of extract', { extract: fail }, /^no such city$/],
    [
      'a number',
      { score: () => 0.7 },
      /^None of the scores is true or false: \{"score":0\.7\}\. Say with "pass" .+ \(\{ score \}\) => score >= 0\.8$/,
    ],
    [
      'an extracted NaN',
      { extract: () => ({ total: Number.NaN }) },
      /^"extract" must return a JSON value or null, got \{"total":NaN\} \("total" is NaN\)\.$/,
    ],
  ])('that ends in %s is no verdict', async (_, definition, message) => {
    await expect(grade(definition)).rejects.toThrow(message);
  });
});

describe('a definition', () => {
  const define = (definition: object) => {
    const folder = makeFolder({
      'prompt.md': 'Say: {{question}}',
      'bad.md': 'Say {question}',
    });
    return toSuite(
      'own',
      { data: [{}], ...definition } as SuiteDefinition,
      join(folder, 'own.eval.ts'),
    );
  };

  test.each<[string, object, string, number]>([
    ['none', {}, '{{question}}\n\n{{choices}}', 0],
    ['a text', { prompt: 'Be brief. {{question}}' }, 'Be brief. {{question}}', 0],
    ['a file', { prompt: './prompt.md' }, 'Say: {{question}}', 1],
  ])(
    'takes %s for a prompt, and lists its files for watch mode',
    (_, definition, prompt, files) => {
      const suite = define({ data: './cities.csv', predictions: 'said.jsonl', ...definition });
      expect([
        suite.prompts[0]?.text,
        suite.files.length,
        deadlineOf(suite, readConfig({}), 'all'),
      ]).toEqual([prompt, 2 + files, 120_000]);
    },
  );

  test('refuses a deadline that is no number', () => {
    const suite = define({ timeoutSeconds: () => '5' });
    expect(() => deadlineOf(suite, readConfig({}), 'all')).toThrow(
      /^timeoutSeconds of suite own must be .*, got "5" for group "all"\.$/,
    );
  });

  test.each<[string, object, RegExp]>([
    ['no data', { data: undefined }, /own\.eval\.ts: the suite has no data\. Set "data" /],
    [
      'a file without it',
      { prompt: 'bad.md' },
      /prompt of .+own\.eval\.ts has no \{\{question\}\}/,
    ],
    [
      'a cache of answers, and a score that reads the work folder',
      { scores: { wrote: ({ workdir }: { workdir: string }) => workdir !== '' } },
      /own\.eval\.ts: a score reads "workdir", .* Set "cache: false"\./,
    ],
    [
      'a prompt file that is missing',
      { prompt: './prompts.md' },
      /own\.eval\.ts: the prompt ".+prompts\.md" is not a file\. Name an existing file/,
    ],
  ])('with %s is refused with its file and a remedy', (_, definition, message) => {
    expect(() => define(definition)).toThrow(message);
  });
});
