import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toSample } from '../words/types.fixture.ts';
import type { ScoreInput } from './definition.ts';
import { gradeOutput } from './grade-output.ts';
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

test('gives scores the work folder of a call, and says when it is gone', async () => {
  const workdir = new Workdir([]);
  writeFileSync(join(workdir.path, 'written.txt'), 'y');
  expect(await gradeIn(workdir)).toMatchObject({ correct: true });
  await workdir.remove();
  await expect(gradeIn(null)).rejects.toThrow('Set "cache: false" in the suite');
});

test.each([
  ['a thought before it', '<think>a?</think> b', 'b'],
  ['unseen characters around it', '\u200bb\ufeff', 'b'],
  ['unseen characters around the target', 'b', '\u2060b'],
  ['a mark after it', '7<|eot_id|>', 7],
  ['an accent of its own', 'Jose\u0301', 'Jos\u00e9'],
  ['accents in a value', { name: ['Jose\u0301'] }, { name: ['Jos\u00e9'] }],
  ['nothing but the name of a tag', '`<think>`', '`<think>`'],
])('an equal answer is right with %s', async (_, output, target) => {
  const graded = await gradeOutput({ file: 'a' }, output, target, toSample(), {}, 1000);
  expect(graded).toMatchObject({ state: 'correct', rule: 'equality' });
});

test.each([
  ['another letter', 'Jose', 'Jos\u00e9', 'incorrect'],
  ['an unseen character inside', 'a\u200bb', 'ab', 'incorrect'],
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
