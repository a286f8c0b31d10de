import { expect, test } from 'vitest';
import { toSample } from '../words/types.fixture.ts';
import type { EvalDefinition } from './definition.ts';
import { scorer } from './grade-by-scores.ts';
import { toSuite } from './suite.ts';

const sample = toSample({ input: 'What is the capital of France?', target: 'Paris' });

type Change = Pick<EvalDefinition, 'scores' | 'pass'>;

const grade = (change: Change) => {
  const suite = toSuite('capitals', { data: [{}], ...change }, 'own.eval.ts');
  return suite.grade('Lyon', 'Paris', sample, {}, 1000);
};

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
      return { score: 1 };
    },
    { model: 'small' },
  );
  await grade({ scores: { said: score }, pass });
  const { input, target } = sample;
  expect(seen).toEqual([{ input, output: 'Lyon', expected: target, model: 'small' }]);
  expect(() => scorer('Factuality' as never)).toThrow('scorer needs a function');
});

test.each<[string, Change, object]>([
  [
    'a number, which pass judges, with its rationale',
    { scores: { said: says(0.6, { rationale: 'Close by.' }) }, pass },
    { state: 'correct', scores: { said: 0.6 }, explanation: 'said is 0.6 (Close by.)' },
  ],
  [
    'a number beside a score that decides',
    { scores: { said: says(0, { reason: 'Far.' }), total: () => true } },
    { state: 'correct', explanation: 'said is 0 (Far.); total is true' },
  ],
  [
    'null, where pass decides: no verdict',
    { scores: { said: says(null) }, pass },
    { correct: false, undecided: 'judge', scores: { said: null } },
  ],
  [
    'null beside a score that decides',
    { scores: { said: says(null), total: () => true } },
    { correct: true, scores: { said: null, total: true } },
  ],
  [
    'a provider that is busy: no verdict',
    { scores: { said: failsWith(busy) }, pass },
    { correct: false, undecided: 'judge', explanation: expect.stringContaining('429') },
  ],
  [
    'a connection that fails, beside a score that decides: no verdict',
    { scores: { said: failsWith(cut), total: () => true } },
    { correct: false, undecided: 'judge' },
  ],
  [
    'a connection that fails, beside a score that is false',
    { scores: { said: failsWith(cut), total: () => false } },
    { state: 'incorrect', scores: { said: null, total: false } },
  ],
])('grades %s', async (_, change, expected) => {
  const graded = await grade(change);
  expect(graded).toMatchObject(expected);
  if (!('undecided' in expected)) expect(graded).not.toHaveProperty('undecided');
});

test.each<[string, () => unknown, string]>([
  ['a string', () => ({ score: 'high' }), 'must return true, false, a number from 0 to 1 or null'],
  ['an error of its own', failsWith(new TypeError('no "expected"')), 'no "expected"'],
])('rejects a scorer that returns %s', async (_, said, message) => {
  await expect(grade({ scores: { said: said as never }, pass })).rejects.toThrow(message);
});
