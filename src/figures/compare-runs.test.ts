import { describe, expect, test } from 'vitest';
import { CONDITIONS, makeRun } from '../../test/make-run.ts';
import type { SampleResult } from '../words/row.ts';
import { nameVariant } from '../words/variant.ts';
import {
  checkBaseline,
  comparePairs,
  compareRuns,
  pickVariants,
  readComparedRun,
} from './compare-runs.ts';
import { JUDGE, toResult, toRun, toTrials } from './result.fixture.ts';

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
        expect.stringMatching(/^gaia, x, b\.md@q of A /),
      ],
    });
  });

  test('names suites and datasets that only one run has', () => {
    const [gaia, mcq] = [toResult('correct'), toResult('correct', { suite: 'mcq' })];
    expect(compare([gaia], [mcq])).toMatchObject({
      suites: [],
      not_compared: [
        'mcq, replay is not compared: A does not have this suite.',
        'gaia of A is not compared: B does not have this suite.',
      ],
    });
    const all = ['a', 'b', 'c'].map((suite) => toResult('correct', { suite }));
    expect(compare(all, all.slice(2)).not_compared).toEqual([
      'a, b of A are not compared: B does not have these suites.',
    ]);
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
        facts: [],
      },
    ]);
    const grown = compare(toRun('+-'), toRun('+++'), { suite: { dataset_hash: 'x' } });
    expect(grown.suites).toMatchObject([
      {
        figures: { questions: 2, flips: { fixed: ['q2'] } },
        facts: [{ name: 'dataset' }, { name: 'only_b' }],
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
        facts: [{ name: 'changed_questions' }],
      },
    ]);
  });

  test('compares questions whose options had another order, unless the question itself changed', () => {
    const ask = (seed: number, changes: object = {}) => {
      const presented = { seed, order: ['B', 'A'], target: [1], answer: [1] };
      return toRun('++', { options: 2, presented, ...changes });
    };
    expect(compare(ask(1), ask(2)).suites).toMatchObject([
      {
        figures: { questions: 2 },
        facts: [{ name: 'order_of_options' }],
      },
    ]);
    const changed = ask(2, { question_hash: '3' });
    expect(compare(ask(1), changed).suites[0]?.changed_questions).toEqual(['q1', 'q2']);
  });
});

test('reads from manifests and rows what runs differ in', () => {
  const a = toTrials('q1', '++', { prompt_hash: 'p1' });
  const b = toTrials('q1', '+', { prompt_hash: 'p2' });
  // The limits of a replay are those of the run that it repeats, not of its own settings.
  const limits = { ...CONDITIONS, agent: 'replay', timeout_seconds: 60 };
  const [compared] = compare(
    a,
    b,
    {},
    {
      config: { timeoutSeconds: null, maxSteps: 9 },
      suite: { conditions: [limits], grader: 1, matcher: 'toMatchMcqAnswer' },
    },
  ).suites;
  expect(compared?.facts.map(({ name }) => name)).toEqual([
    'trials',
    'grading',
    'prompt',
    'deadline',
  ]);
});

const ofAgents = (agents: string, suite = 'gaia') =>
  [...agents].flatMap((agent) => toTrials('q1', '+', { agent, suite }));

test.each([
  ['a', ''],
  ['ab', 'ab'],
  ['abcd', 'ab ac ad bc bd cd'],
  ['abcdefg', 'ab ac ad ae af ag'],
])('the agents %s are compared in the pairs %j', (agents, expected) => {
  const { variants } = readComparedRun(makeRun(ofAgents(agents)));
  const pairs = comparePairs(variants).map(({ a, b }) => a.agent + b.agent);
  expect(pairs.join(' ')).toBe(expected);
});

test('agents of two suites are not compared', () => {
  const rows = [...ofAgents('ab'), ...ofAgents('ab', 'other')];
  const { variants } = readComparedRun(makeRun(rows));
  expect(comparePairs(variants).map(({ suite }) => suite)).toEqual(['gaia', 'other']);
});

test('an agent with the name of a prompt wins', () => {
  const rows = ['x', 'y'].flatMap((agent) =>
    ['y', 'z'].flatMap((name, index) => {
      const prompt_hash = `0000000${index}`;
      return toTrials('q1', '+', { agent, prompt: `${name}@${prompt_hash}`, prompt_hash });
    }),
  );
  const run = readComparedRun(makeRun(rows));
  const pick = (name: string) => pickVariants(run, name, 'A').variants.map(nameVariant);
  expect([pick('y'), pick('z')]).toEqual([
    ['y, y@00000000', 'y, z@00000001'],
    ['x, z@00000001', 'y, z@00000001'],
  ]);
  expect(() => pick('')).toThrow('\nIt has: x, y, y@00000000, z@00000001.');
});

const SIDE = { suite: 'gaia', dataset: 'd', dataset_hash: 'h', prompt_hash: 'p', agent: 'x' };
const identity = (changes: Partial<typeof SIDE> = {}) => ({ ...SIDE, ...changes });
const JUDGED = { judge: 'openai:j', fingerprint: 'f', prompt_hash: 'p' };
const baseline = {
  name: 'old',
  variants: [identity(), identity({ agent: 'y' })].map((each) => ({ ...each, judges: [] })),
};

test.each([
  ['there is none', null, [identity()], 1],
  ['an agent has a counterpart', baseline, [identity({ agent: 'z' }), identity()], 1],
  ['another suite may have one', baseline, [identity({ suite: 'mcq' })], 2],
  [
    'its judges are not known yet',
    { name: 'old', variants: [{ ...identity(), judges: [JUDGED] }] },
    [identity()],
    1,
  ],
])('a suite may run where %s', (_rule, given, variants, suites) => {
  expect(() => checkBaseline(given, variants, { suites })).not.toThrow();
});

test.each([
  [
    'the baseline lacks the only suite',
    [identity({ suite: 'mcq' })],
    'EVAL_BASELINE names "old" (A), but this run (B) cannot be compared with it: mcq, x is not compared: A does not have this suite. Name another run, or leave EVAL_BASELINE out.',
  ],
  ['it is about other data', [identity({ dataset: 'e', dataset_hash: 'i' })], 'd, B asked e'],
  ['other judges judge', [{ ...identity(), judges: [JUDGED] }], 'B was judged by openai:j (f,'],
  ['none of its agents is there', [identity({ agent: 'z' })], 'Its agents: x, y'],
])('a suite is refused where %s', (_rule, variants, reason) => {
  expect(() => checkBaseline(baseline, variants, { suites: 1 })).toThrow(reason);
});
