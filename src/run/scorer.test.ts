import { expect, test } from 'vitest';
import type { Sample } from '../types.ts';
import { checkDefinition } from './check-definition.ts';
import type { EvalDefinition } from './eval-definition.ts';
import { scorer } from './scorer.ts';
import { toSuite } from './suite.ts';

const sample: Sample = {
  id: 'a',
  suite: 'capitals',
  input: 'What is the capital of France?',
  target: 'Paris',
  group: 'all',
  attachments: [],
  metadata: {},
};

const grade = (change: Pick<EvalDefinition, 'scores' | 'pass'>) =>
  toSuite('capitals', { data: [{}], ...change }, 'own.eval.ts').grade(
    'Lyon',
    'Paris',
    sample,
    {},
    1000,
  );

/** The form of a scorer of autoevals. */
const says = (score: number | null, metadata?: Record<string, unknown>) => () => ({
  name: 'Said',
  score,
  ...(metadata && { metadata }),
});

const failsWith = (error: Error) => async () => {
  throw error;
};

const pass: EvalDefinition['pass'] = ({ said }) => said >= 0.6;
const busy = Object.assign(new Error('429 slow down'), { status: 429 });
const cut = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
});

test('a scorer gets input, output, the target as expected, and its options', async () => {
  const seen: unknown[] = [];
  const score = scorer(
    (args: { output: string; model: string; temperature?: number }) => {
      seen.push(args);
      return { name: 'Seen', score: 1 };
    },
    { model: 'small' },
  );
  await grade({ scores: { said: score }, pass });
  const { input, target } = sample;
  expect(seen).toEqual([{ input, output: 'Lyon', expected: target, model: 'small' }]);
});

test.each<[string, Pick<EvalDefinition, 'scores' | 'pass'>, object]>([
  [
    'a number, which pass judges, with its rationale',
    { scores: { said: scorer(says(0.6, { rationale: 'Close by.' })) }, pass },
    { state: 'correct', scores: { said: 0.6 }, explanation: 'said is 0.6 (Close by.)' },
  ],
  [
    'a number beside a score that decides',
    { scores: { said: scorer(says(0, { reason: 'Far.' })), total: () => true } },
    { state: 'correct', explanation: 'said is 0 (Far.); total is true' },
  ],
  [
    'a number outside 0 to 1',
    { scores: { said: scorer(says(1.5)) }, pass },
    { scores: { said: 1 }, explanation: 'said is 1 (for 1.5, outside 0 to 1)' },
  ],
  [
    'null, where pass decides: no verdict',
    { scores: { said: scorer(says(null)) }, pass },
    { correct: false, undecided: 'judge', scores: { said: null } },
  ],
  [
    'null beside a score that decides',
    { scores: { said: scorer(says(null)), total: () => true } },
    { correct: true, scores: { said: null, total: true } },
  ],
  [
    'a provider that is busy: no verdict',
    { scores: { said: scorer(failsWith(busy)) }, pass },
    { correct: false, undecided: 'judge', explanation: expect.stringContaining('429') },
  ],
  [
    'a connection that fails, beside a score that decides: no verdict',
    { scores: { said: scorer(failsWith(cut)), total: () => true } },
    { correct: false, undecided: 'judge' },
  ],
  [
    'a connection that fails, beside a score that is false',
    { scores: { said: scorer(failsWith(cut)), total: () => false } },
    { state: 'incorrect', scores: { said: null, total: false } },
  ],
])('grades %s', async (_, change, expected) => {
  const graded = await grade(change);
  expect(graded).toMatchObject(expected);
  if (!('undecided' in expected)) expect(graded).not.toHaveProperty('undecided');
});

test.each<[string, () => unknown, string]>([
  ['a text', () => ({ score: 'high' }), '"scorer" must return { score: a number from 0 to 1 or'],
  ['nothing', () => undefined, 'got nothing.'],
  ['no number', says(Number.NaN), 'must return true, false, a number from 0 to 1 or null, got NaN'],
  ['a fault of its own', failsWith(new TypeError('no "expected"')), 'no "expected"'],
])('rejects a scorer that gives %s', async (_, said, message) => {
  await expect(grade({ scores: { said: scorer(said as never) }, pass })).rejects.toThrow(message);
});

test.each<[object, string]>([
  [{ scores: { said: scorer(says(1)) } }, 'scorers give numbers, which decide nothing.'],
  [{ score: scorer(says(1)) }, 'a scorer gives a number. Name it in "scores"'],
])('refuses before the run a scorer whose number nothing judges: %j', (change, message) => {
  const check = () => checkDefinition('a', { data: [{}], ...change }, 'own.eval.ts');
  expect(check).toThrow(message);
});
