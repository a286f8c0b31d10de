import { describe, expect, test } from 'vitest';
import { CONDITIONS, makeRun } from '../../test/make-run.ts';
import { JUDGE, toResult, toRun, toTrials } from '../figures/result.fixture.ts';
import type { SampleResult } from '../words/row.ts';
import { compareRuns } from './compare-runs.ts';
import { readComparedRun } from './compared-run.ts';

type Facts = Parameters<typeof makeRun>[1];

/** Compares two runs that were written to disk. */
function compare(
  a: readonly SampleResult[],
  b: readonly SampleResult[],
  factsA: Facts = {},
  factsB: Facts = {},
) {
  return compareRuns(readComparedRun(makeRun(a, factsA)), readComparedRun(makeRun(b, factsB)));
}

describe('compareRuns', () => {
  test('pairs agents by name, or the only ones, and lists the others', () => {
    const by = (...agents: string[]) => agents.map((agent) => toResult('correct', { agent }));
    const pairs = (a: SampleResult[], b: SampleResult[]) =>
      compare(a, b).suites.map((suite) => [suite.a.agent, suite.b.agent]);
    expect(pairs(by('x'), by('y'))).toEqual([['x', 'y']]);
    expect(pairs(by('x', 'y'), by('y', 'x'))).toEqual([
      ['y', 'y'],
      ['x', 'x'],
    ]);
    expect(pairs(by('x', 'y'), by('y'))).toEqual([['y', 'y']]);
    expect(pairs(by('x'), by('x', 'y'))).toEqual([['x', 'x']]);
    expect(pairs(by('x', 'y'), by('z'))).toEqual([]);
    expect(compare(by('x', 'y'), by('x', 'z')).not_compared).toEqual([
      'gaia, z is not compared: A does not have this agent. Its agents: x, y.',
      'gaia, y of A is not compared: B does not have it.',
    ]);
  });

  test('pairs prompts by their text, or with the only one', () => {
    const row = (prompt_hash: string, prompt?: string, agent = 'x') =>
      toResult('correct', { agent, prompt_hash, ...(prompt === undefined ? {} : { prompt }) });
    const [p, q, r] = [row('p', 'a.md@p'), row('q', 'b.md@q'), row('r', 'c.md@r')];
    const pairs = (a: SampleResult[], b: SampleResult[]) =>
      compare(a, b).suites.map((suite) => suite.a.prompt_hash + suite.b.prompt_hash);
    expect(pairs([p, q], [q, p])).toEqual(['qq', 'pp']);
    expect(pairs([p, q], [row('q')])).toEqual(['qq']);
    expect(pairs([row('p')], [p, q])).toEqual(['pp', 'pq']);
    expect(pairs([p, q], [row('q', undefined, 'y')])).toEqual(['qq']);
    expect(compare([p, q], [p, r])).toMatchObject({
      suites: [{ a: { prompt: 'a.md@p' }, b: { prompt: 'a.md@p' } }],
      not_compared: [
        'gaia, x, c.md@r is not compared: A does not have this prompt. Its prompts: a.md@p, b.md@q.',
        'gaia, x, b.md@q of A is not compared: B does not have it.',
      ],
    });
  });

  test('names suites and datasets that only one run has', () => {
    const [gaia, mcq] = [toResult('correct'), toResult('correct', { suite: 'mcq' })];
    expect(compare([gaia], [mcq])).toMatchObject({
      suites: [],
      not_compared: [
        'mcq, replay is not compared: A does not have this suite.',
        'gaia, replay of A is not compared: B does not have it.',
      ],
    });
    const other = toResult('correct', { dataset: 'other' });
    expect(compare([gaia], [other], { suite: { dataset_hash: 'x' } })).toMatchObject({
      suites: [],
      not_compared: ['gaia, replay is not compared: A asked the dataset made-up, B asked other.'],
    });
  });

  test('refuses runs that other judges judged, or another judge prompt', () => {
    const judge = { judge: 'openai:a', fingerprint: '1'.repeat(16), prompt_hash: '2'.repeat(16) };
    const judgedBy = (...judges: readonly (typeof judge)[]) => ({ suite: { judges } });
    const judged = (a: Facts, b: Facts) => compare(toRun('+'), toRun('-'), a, b);
    expect(judged(judgedBy(judge), judgedBy(judge)).suites).toHaveLength(1);
    expect(judged(judgedBy(judge), judgedBy({ ...judge, prompt_hash: '3' })).suites).toEqual([]);
    expect(judged(judgedBy(judge), judgedBy({ ...judge, fingerprint: '3' })).suites).toEqual([]);
    expect(judged({}, judgedBy({ ...judge, judge: 'openai:b' }))).toMatchObject({
      suites: [],
      not_compared: [
        'gaia, replay is not compared: A was judged by no model, B was judged by openai:b (11111111, judge prompt 22222222).',
      ],
    });
  });

  test('compares a renamed and an extended dataset on the questions that are the same', () => {
    const renamed = compare(toRun('+-'), toRun('++', { dataset: 'other' }));
    expect(renamed.suites).toMatchObject([
      {
        dataset: 'other',
        figures: { questions: 2 },
        conditions: ['The runs differ in the name of the dataset: made-up in A, other in B.'],
      },
    ]);
    const grown = compare(toRun('+-'), toRun('+++'), { suite: { dataset_hash: 'x' } });
    expect(grown.suites).toMatchObject([
      {
        figures: { questions: 2, flips: { fixed: ['q2'] } },
        notes: [
          'The datasets differ: only questions that are the same in both are compared.',
          '1 question is not compared (only in B): q3',
        ],
      },
    ]);
  });

  test.each([
    ['text', { question_hash: 'new' }],
    ['truth', { target: 'new' }],
    ['criterion', { judge: { ...JUDGE, criterion: 'new' } }],
  ])('leaves out a question whose %s changed', (_what, change) => {
    const b = [...toTrials('q1', '+', change), ...toTrials('q2', '+')];
    expect(compare(toRun('--', { judge: JUDGE }), b).suites).toMatchObject([
      {
        figures: { questions: 1, flips: { fixed: ['q2'] } },
        changed_questions: ['q1'],
        notes: [
          '1 question is not compared (their text, options, expected answer or criterion changed): q1',
        ],
      },
    ]);
  });

  test('compares questions whose options had another order, unless expected answer or number of options changed', () => {
    const ask = (seed: number, changes: object = {}) => {
      const presented = { seed, target: [1], answer: [1] };
      return toRun('++', { options: 4, presented, question_hash: `${seed}`, ...changes });
    };
    expect(compare(ask(1), ask(2)).suites).toMatchObject([
      {
        figures: { questions: 2 },
        notes: [
          'The options had another order: questions are matched by id, expected answer and number of options.',
        ],
      },
    ]);
    for (const changed of [ask(2, { options: 5 }), ask(1, { question_hash: '3' })])
      expect(compare(ask(1), changed).suites[0]?.changed_questions).toEqual(['q1', 'q2']);
  });

  test('lists differences in models, prompts, trials and limits', () => {
    const a = toTrials('q1', '++', { model: 'm1', prompt_hash: 'p1' });
    const b = toTrials('q1', '+', { model: 'm2', prompt_hash: 'p2' });
    // The limits of a replay are those of the run that it repeats, not of its own settings.
    const limits = { ...CONDITIONS, agent: 'replay', timeout_seconds: 60 };
    const factsB = {
      config: { timeoutSeconds: null, maxSteps: 9 },
      suite: { shard: { index: 1, count: 4 }, conditions: [limits] },
    };
    const [compared] = compare(a, b, {}, factsB).suites;
    expect(compared?.notes).toEqual([
      'B is shard 1 of 4.',
      'The runs differ in trials of each question, so p is approximate: 2 in A, 1 in B.',
    ]);
    expect(compared?.conditions).toEqual([
      'The prompts differ.',
      'A has lost its prompt: prompts/ lacks it.',
      'B has lost its prompt: prompts/ lacks it.',
      'The runs differ in the models: m1 in A, m2 in B.',
      'The runs differ in EVAL_TIMEOUT: not set in A, 60 in B.',
    ]);
  });
});
