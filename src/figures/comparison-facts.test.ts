import { describe, expect, test } from 'vitest';
import type { Json } from '../words/sample.ts';
import { compareVariants } from './compare-runs.ts';
import { type ComparedVariant, nameEdits } from './comparison-facts.ts';
import { toTrials } from './result.fixture.ts';

const LIVE = {
  fingerprint: 'f',
  cache_key: null,
  deadlines: [['level 1', 180]] as const,
  max_steps: null,
};

const SIDE: ComparedVariant = {
  suite: 'gaia',
  dataset: 'made-up',
  agent: 'a',
  run: 'watch run 1',
  dataset_hash: 'd',
  prompt_hash: 'p',
  prompt_text: null,
  trials: 1,
  grader: 4,
  matcher: 'toMatchGaiaAnswer',
  hidden: false,
  conditions: LIVE,
  user: null,
  shard: null,
  results: toTrials('q1', '+'),
};

type Changes = Partial<ComparedVariant>;

const compare = (a: Changes, b: Changes) => compareVariants({ ...SIDE, ...a }, { ...SIDE, ...b });

/** A replay of an answer. */
const said = (output: Json) => ({
  conditions: { ...LIVE, fingerprint: null },
  results: toTrials('q1', '+').flatMap((row) =>
    row.state === 'correct' ? [{ ...row, output }] : [],
  ),
});

const limited = (limits: object) => ({ conditions: { ...LIVE, ...limits } });

const shuffled = (seed: number) => ({
  results: toTrials('q1', '+', {
    options: 2,
    presented: { seed, order: ['B', 'A'], target: [1], answer: [1] },
  }),
});

/** The two answers at a time, from the cache or not. */
const answered = (answered_at: string, cached = false) => ({
  results: ['q1', 'q2'].flatMap((id) =>
    toTrials(id, '+').map((row) => ({ ...row, answered_at, cached })),
  ),
});

const SAME =
  '2 of 2 answers of B are the very answers of A, by the cache or a replay: p and the interval do not show how its answers vary. EVAL_CACHE=refresh asks again.';

describe('a caveat', () => {
  test.each<[string, Changes, Changes, string]>([
    [
      'dataset',
      {},
      { dataset_hash: 'x' },
      'The datasets differ: only questions that are the same in both are compared.',
    ],
    [
      'order_of_options',
      { results: toTrials('q1', '+', { options: 2 }) },
      shuffled(7),
      'The options had another order (EVAL_SHUFFLE_CHOICES: not set in A, 7 in B).',
    ],
    [
      'changed_questions',
      {},
      { results: toTrials('q1', '+', { question_hash: 'x' }) },
      '1 question is not compared (their text, options, expected answer, criterion or cluster changed): q1',
    ],
    [
      'only_a',
      { results: ['q1', 'q2', 'q3'].flatMap((id) => toTrials(id, '+')) },
      {},
      '2 questions are not compared (only in A): q2, q3',
    ],
    [
      'only_b',
      { shard: { index: 1, count: 4 } },
      { results: ['q1', 'q2'].flatMap((id) => toTrials(id, '+')) },
      '1 question is not compared (only in B; A is shard 1 of 4): q2',
    ],
    [
      'unfinished',
      {},
      { results: toTrials('q1', '.') },
      '1 question is not compared (not finished in both runs): q1',
    ],
    ['same_answers', answered('2026-01-01'), answered('2026-01-01', true), SAME],
    [
      'same_answers',
      answered('2026-01-01'),
      { ...answered('2026-01-01'), ...limited({ recorded_prompt: 'p' }) },
      SAME,
    ],
    [
      'replaced_tools',
      {},
      { results: toTrials('q1', '+', { tool_calls: { live: 0, replayed: 1, mocked: 2 } }) },
      'The runs differ in who answered for tools: nobody in A, recordings and mocks in B.',
    ],
    ['trials', { trials: 2 }, {}, 'The runs differ in trials of each question: 2 in A, 1 in B.'],
    [
      'grading',
      { grader: 3 },
      {},
      'The runs differ in what graded them: toMatchGaiaAnswer with version 3 of the graders in A, toMatchGaiaAnswer with version 4 of the graders in B. EVAL_AGENT=replay:RUN grades the answers of a run again.',
    ],
  ])('is the fact %s', (name, a, b, text) => {
    const facts = compare(a, b).facts.filter(({ caveat }) => caveat);
    expect(facts).toEqual([{ name, caveat: true, text }]);
  });
});

test('the very answers of A are those to the compared questions', () => {
  const open = toTrials('q3', 'u', { answered_at: '2026-01-01', cached: true });
  const changed = ['x', 'y'].map((question_hash) =>
    toTrials('q4', '+', { answered_at: '2026-01-01', cached: true, question_hash }),
  );
  const [a, b] = changed.map((rows, index) => {
    const { results } = answered('2026-01-01', index === 1);
    return { results: [...results, ...open, ...rows] };
  });
  const texts = compare(a ?? {}, b ?? {}).facts.map(({ text }) => text);
  expect(texts).toContain(SAME);
  expect(texts.join()).toContain('1 question is not compared (without an expected answer): q3');
});

test('questions without an expected answer are told, and are no caveat', () => {
  const ungraded = { results: toTrials('q1', 'u') };
  expect(compare(ungraded, ungraded).facts).toContainEqual({
    name: 'ungraded',
    caveat: false,
    text: '1 question is not compared (without an expected answer): q1',
  });
});

describe('what may have caused a difference', () => {
  test.each<[string, Changes, Changes, string, edit: string]>([
    ['prompt', {}, { prompt_hash: 'x' }, 'The prompts differ.', 'the prompt changed'],
    ...[{ fingerprint: 'x' }, { cache_key: 'x' }].map(
      (change): [string, Changes, Changes, string, string] => [
        'agent',
        {},
        limited(change),
        'The code, parameters, tools or EVAL_CACHE_KEY of a differ.',
        'the agent changed',
      ],
    ),
    [
      'predictions',
      said('17'),
      said('18'),
      'The predictions of a differ.',
      'the predictions changed',
    ],
    [
      'deadline',
      {},
      limited({ timeout_seconds: 60, deadlines: [['level 1', 60]] }),
      'The runs differ in EVAL_TIMEOUT: not set in A, 60 in B.',
      'the deadline changed',
    ],
    [
      'deadline',
      {},
      limited({ deadlines: [['level 1', 60]] }),
      'The deadlines differ.',
      'the deadline changed',
    ],
    [
      'step_limit',
      limited({ max_steps: 9 }),
      limited({ max_steps: 5 }),
      'The runs differ in EVAL_MAX_STEPS: 9 in A, 5 in B.',
      'the step limit changed',
    ],
    ['user', {}, { user: 'm' }, 'The runs differ in who plays users: not set in A, m in B.', ''],
  ])('is the fact %s', (name, a, b, text, edit) => {
    const { facts } = compare(a, b);
    expect(facts).toEqual([{ name, caveat: false, text }]);
    expect(nameEdits(facts)).toBe(edit);
  });

  test('is named in one order', () => {
    const { facts } = compare({}, { prompt_hash: 'x', dataset_hash: 'x' });
    expect(nameEdits(facts)).toBe('the dataset changed, the prompt changed');
  });
});

test.each<[string, Changes, Changes]>([
  ['other verdicts', {}, { results: toTrials('q1', '-') }],
  ['a recording that says the same', said({ sum: [17] }), said({ sum: [17] })],
  // The line of each run names its models.
  ['another model', {}, { results: toTrials('q1', '+', { model: 'm' }) }],
  ['the prompt of predictions', {}, { prompt_hash: '' }],
  ['the code of another agent', {}, { agent: 'b', ...limited({ fingerprint: 'x' }) }],
  ['what a manifest lacks', { conditions: null }, {}],
  ['a deadline of a group that one run did not ask', {}, limited({ deadlines: [['level 2', 60]] })],
  // An agent that answers at once may answer both in one millisecond.
  ['two answers at one time', answered('2026-01-01'), answered('2026-01-01')],
  ['cached answers of another time', answered('2026-01-01'), answered('2026-01-02', true)],
])('no fact is %s', (_, a, b) => {
  expect(compare(a, b).facts).toEqual([]);
});

test('compares questions whose expected answers are equal objects', () => {
  const withTarget = (sum: number) => ({ results: toTrials('q1', '+', { target: { sum } }) });
  expect(compare(withTarget(17), withTarget(17)).figures.questions).toBe(1);
  expect(compare(withTarget(17), withTarget(18)).figures.questions).toBe(0);
});
