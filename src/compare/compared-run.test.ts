import { appendFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { readConfig } from '../config.ts';
import { toResult, toTrials } from '../metrics/result.fixture.ts';
import { hashQuestion } from '../run/prompt.ts';
import { resolveReplays } from '../store/find-run.ts';
import { GRADER_VERSION } from '../store/manifest.ts';
import { writeQuestions } from '../store/run-folder.ts';
import type { Sample, SampleResult } from '../types.ts';
import { compareRuns } from './compare-runs.ts';
import { checkBaseline, readComparedRun } from './compared-run.ts';

const states = (folder: string) =>
  readComparedRun(folder).sides.map(({ results }) => results.map(({ id, state }) => [id, state]));

describe('readComparedRun', () => {
  test('takes the last row of each trial, in the order of the dataset', () => {
    const folder = makeRun([...toTrials('a', '-'), ...toTrials('b', '+'), ...toTrials('a', '+')]);
    expect(states(folder)).toEqual([
      [
        ['a', 'correct'],
        ['b', 'correct'],
      ],
    ]);
  });

  test('counts selected trials without a row as not run, and torn rows', () => {
    const folder = makeRun(toTrials('a', '+'), {
      suite: { ids: ['a', 'b'], groups: ['level 1', 'level 2'], trials: 2 },
    });
    appendFileSync(join(folder, 'samples.jsonl'), '{"version": 1, "id": "b"');
    const { sides, unreadable } = readComparedRun(folder);
    expect(unreadable).toBe(1);
    expect(
      sides[0]?.results.map(({ id, trial, group, state }) => [id, trial, group, state]),
    ).toEqual([
      ['a', 1, 'level 1', 'correct'],
      ['a', 2, 'level 1', 'not_run'],
      ['b', 1, 'level 2', 'not_run'],
      ['b', 2, 'level 2', 'not_run'],
    ]);
  });

  test('has a side for each suite and agent', () => {
    const rows = [
      toResult('correct', { agent: 'one' }),
      toResult('correct', { agent: 'two' }),
      toResult('correct', { suite: 'mcq', agent: 'two' }),
    ];
    expect(readComparedRun(makeRun(rows)).sides.map(({ suite, agent }) => [suite, agent])).toEqual([
      ['gaia', 'one'],
      ['gaia', 'two'],
      ['mcq', 'two'],
    ]);
  });

  test('refuses what is no run, and a run in which nothing was answered', () => {
    expect(() => readComparedRun(makeFolder())).toThrow('Not a run folder');
    expect(() => readComparedRun(makeRun(toTrials('a', '.')))).toThrow('has no answers to compare');
  });
});

test.each([
  ['latest', '20260102T000000Z-b'],
  ['20260101', '20260101T000000Z-a'],
])(
  'EVAL_AGENT=replay:%s replays the run that it names, under the name that was given',
  (target, run) => {
    const runs = ['20260101T000000Z-a', '20260102T000000Z-b'];
    const files = Object.fromEntries(runs.map((name) => [`runs/${name}/samples.jsonl`, '{}\n']));
    const dir = realpathSync(makeFolder(files));
    const { agents } = resolveReplays(
      readConfig({ EVAL_DIR: dir, EVAL_AGENT: `replay:${target}` }),
    );
    expect(agents).toEqual([
      { kind: 'replay', target: join(dir, 'runs', run), text: `replay:${target}` },
    ]);
  },
);

const SIDE = { suite: 'gaia', dataset: 'd', dataset_hash: 'h', prompt_hash: 'p', agent: 'x' };
const side = (changes: Partial<typeof SIDE> = {}) => ({ ...SIDE, ...changes });
const JUDGE = { judge: 'openai:j', fingerprint: 'f', prompt_hash: 'p' };
const baseline = {
  name: 'old',
  sides: [side(), side({ agent: 'y' })].map((each) => ({ ...each, judges: [] })),
};

test.each([
  ['there is none', null, [side()], 1],
  ['an agent has a counterpart', baseline, [side({ agent: 'z' }), side()], 1],
  ['another suite may have one', baseline, [side({ suite: 'mcq' })], 2],
  [
    'its judges are not known yet',
    { name: 'old', sides: [{ ...side(), judges: [JUDGE] }] },
    [side()],
    1,
  ],
])('a suite may run where %s', (_rule, given, sides, suites) => {
  expect(() => checkBaseline(given, sides, { suites })).not.toThrow();
});

test.each([
  [
    'the baseline lacks the only suite',
    [side({ suite: 'mcq' })],
    'mcq, x is not compared: A does not have this suite.',
  ],
  [
    'it is about other data',
    [side({ dataset: 'e', dataset_hash: 'i' })],
    'A asked the dataset d, B asked e.',
  ],
  [
    'other judges judge',
    [{ ...side(), judges: [JUDGE] }],
    'A was judged by no model, B was judged by openai:j (f,',
  ],
  [
    'none of its agents is there',
    [side({ agent: 'z' })],
    'A does not have this agent. Its agents: x, y.',
  ],
])('a suite is refused where %s', (_rule, sides, reason) => {
  expect(() => checkBaseline(baseline, sides, { suites: 1 })).toThrow(reason);
});

const HEAD = { suite: 'mcq', group: 'all', input: 'Which river?', attachments: [], metadata: {} };
const QUESTION: Sample = {
  ...HEAD,
  id: 'q1',
  target: 'B',
  choices: { A: 'Danube', B: 'Rhine', C: 'Elbe' },
};
type Facts = { readonly output?: string; readonly how?: string } & Partial<
  Pick<SampleResult, 'target' | 'options' | 'partial' | 'presented' | 'question_hash'>
>;

/** A run with a row as another grader left it: it had read another option. */
function read(
  { output = 'The only remaining option is B.', how = 'pointer', ...facts }: Facts,
  sample: Sample,
  grader = 1,
) {
  const head = {
    suite: 'mcq',
    id: 'q1',
    target: 'B',
    options: 3,
    partial: { option_f1: 0 },
    ...facts,
  };
  const folder = makeRun(
    [
      {
        ...toResult('incorrect', head),
        state: 'incorrect',
        reason: null,
        rules: null,
        error: null,
        output,
        answer: 'A',
        how,
      },
    ],
    { suite: { grader } },
  );
  writeQuestions(folder, 'mcq', [sample]);
  return readComparedRun(folder).sides[0];
}

/**
 * A run of another grader with the questions q1, q2 and so on, all of them right, and a log of
 * these questions.
 */
function makeOld(questions: number, log: readonly Sample[], name = 'old') {
  const rows = Array.from({ length: questions }, (_, i) => {
    const head = {
      suite: 'mcq',
      id: `q${i + 1}`,
      target: 'B',
      options: 3,
      partial: { option_f1: 1 },
    };
    return toResult('correct', head);
  });
  const folder = makeRun(rows, { name, suite: { grader: 1 } });
  writeQuestions(folder, 'mcq', log);
  return folder;
}

describe('a run that another version of the grader graded', () => {
  test('gets the verdicts of today', () => {
    const side = read({}, QUESTION);
    expect(side?.regraded).toBe(1);
    expect(side?.results[0]).toMatchObject({
      state: 'correct',
      answer: 'B',
      how: 'statement',
      partial: { option_f1: 1 },
    });
  });

  test.each([
    ['of this version', {}, GRADER_VERSION],
    ['of a suite with a rule of its own', { partial: { points: 0 } }, undefined],
  ])('leaves rows %s as they are', (_, facts, grader) => {
    const side = read(facts, QUESTION, grader);
    expect(side?.regraded).toBeUndefined();
    expect(side?.results[0]?.how).toBe('pointer');
  });

  test.each([
    ['whose order its hash confirms', {}, [], 'correct', 'B'],
    ['in another order than its labels say', { question_hash: 'other' }, ['q1'], 'incorrect', 'A'],
  ] as const)(
    'grades again a question with shuffled options %s',
    (_, facts, ungradable, state, answer) => {
      const choices = { A: 'Elbe', B: 'Danube', C: 'Rhine' };
      const shuffled = {
        ...QUESTION,
        choices,
        presentation: { seed: 7, ownLabels: { A: 'C', B: 'A', C: 'B' } },
      };
      const presented = { seed: 7, target: [3], answer: null };
      const output = 'The only remaining option is C.';
      const side = read(
        { output, presented, question_hash: hashQuestion(shuffled), ...facts },
        shuffled,
      );
      expect(side?.ungradable).toEqual(ungradable);
      expect(side?.results[0]).toMatchObject({
        state,
        answer,
        presented: { answer: state === 'correct' ? [3] : null },
      });
    },
  );

  test('leaves out single questions that cannot be graded again', () => {
    const log = ['q1', 'q2', 'q3'].map((id) => ({ ...QUESTION, id }));
    const whole = readComparedRun(makeOld(3, log, 'whole'));
    const [suite] = compareRuns(readComparedRun(makeOld(3, [QUESTION])), whole).suites;
    const why = 'graded by another version, and the run does not say how options were shown';
    expect(suite?.figures).toMatchObject({
      questions: 1,
      unpaired: { only_a: [], only_b: [], unfinished: [] },
    });
    expect(suite?.notes[0]).toBe(`2 questions are not compared (${why}): q2, q3`);
    const [none] = compareRuns(readComparedRun(makeOld(3, [])), whole).suites;
    expect(none?.figures.questions).toBe(0);
    expect(none?.notes[0]).toBe(`3 questions are not compared (${why}): q1, q2, q3`);
  });

  test('takes a bare answer as it was given', () => {
    expect(read({ how: 'as given', output: 'The answer is B.' }, QUESTION)?.results[0]?.state).toBe(
      'no_answer',
    );
  });
});
