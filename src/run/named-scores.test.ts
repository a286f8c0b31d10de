import { describe, expect, test } from 'vitest';
import type { Json } from '../words/sample.ts';
import { toSample } from '../words/types.fixture.ts';
import type { SuiteDefinition } from './definition.ts';
import { scorer } from './named-scores.ts';
import { toSuite } from './suite.ts';

const sample = toSample({
  input: { text: 'Total 12 EUR' },
  target: { total: 12, currency: 'EUR' },
});

type Change = Pick<SuiteDefinition, 'score' | 'scores' | 'pass' | 'output' | 'extract'>;

const grade = (
  change: Change,
  output: unknown = { total: 12, currency: 'USD' },
  target: Json = sample.target,
) =>
  toSuite('own', { data: [{}], ...change }, 'f.ts').grade(
    output as never,
    target,
    sample,
    {},
    1000,
  );

const total = () => true;
const currency = () => false;
const close = () => 0.25;

describe('several scores', () => {
  test.each<[string, Change, object]>([
    [
      'are right if each that decides is true',
      { scores: { total, close } },
      { state: 'correct', scores: { total: true, close: 0.25 } },
    ],
    [
      'are wrong if one is false',
      { scores: { total, currency, close } },
      {
        state: 'incorrect',
        scores: { total: true, currency: false, close: 0.25 },
        explanation: 'total is true; currency is false; close is 0.25',
      },
    ],
    [
      'leave out one that does not apply',
      { scores: { total, reason: () => null } },
      { state: 'correct', scores: { total: true, reason: null } },
    ],
    [
      'decide as pass says',
      { scores: { currency, close }, pass: ({ close }) => Number(close) > 0.2 },
      { state: 'correct', scores: { currency: false, close: 0.25 } },
    ],
    [
      'are one, which is called "score" and of which pass decides',
      { score: close, pass: ({ score }) => score > 0.2 },
      { state: 'correct', rule: 'scores', scores: { score: 0.25 }, explanation: 'score is 0.25' },
    ],
    [
      'are one of a scorer, of which pass decides',
      { score: () => ({ score: 0.1 }), pass: ({ score }) => score > 0.2 },
      { state: 'incorrect', scores: { score: 0.1 } },
    ],
    [
      'may assert',
      { scores: { total, same: ({ output, target }) => void expect(output).toEqual(target) } },
      { state: 'incorrect', scores: { total: true, same: false } },
    ],
    [
      'take a number for the nearest from 0 to 1, and say so',
      { scores: { total, close: () => -0.5 } },
      {
        scores: { total: true, close: 0 },
        explanation: 'total is true; close is 0 (for -0.5, outside 0 to 1)',
      },
    ],
    [
      'may wait',
      { scores: { total: async () => true, currency: async () => false } },
      { state: 'incorrect', scores: { total: true, currency: false } },
    ],
    [
      'may return verdicts',
      { scores: { total, style: () => ({ state: 'incorrect', explanation: 'too long' }) } },
      { scores: { style: false }, explanation: 'total is true; style is false (too long)' },
    ],
    [
      'get input, target and output as values',
      {
        scores: {
          total: ({ output, target, input }) =>
            output.total === target.total && input.text.includes(String(target.total)),
        },
      },
      { state: 'correct' },
    ],
  ])('%s', async (_, change, expected) => {
    expect(await grade(change)).toMatchObject(expected);
  });

  test.each<[string, Change, string]>([
    ['numbers alone', { scores: { close } }, 'None of the scores is true or false: {"close":0.25}'],
    [
      'numbers alone, by a line to write',
      { scores: { close } },
      'pass: ({ close }) => close >= 0.8',
    ],
    [
      'numbers alone, with names that are no words',
      { scores: { 'how close': close } },
      'pass: ({ "how close": value }) => value >= 0.8',
    ],
    [
      'no number',
      { scores: { total, close: () => Number.NaN } },
      'number from 0 to 1 or null, got NaN.',
    ],
    [
      'a pass with a typo',
      { scores: { total }, pass: ({ totl }) => totl === true },
      '"pass" reads "totl", which is not a score. The scores are total.',
    ],
    ['nothing', { scores: { total: () => {} } }, '"total" returned nothing, and asserted nothing'],
    [
      'a pass that says nothing',
      { scores: { total }, pass: (() => undefined) as never },
      '"pass" must return true or false, got nothing.',
    ],
  ])('reject %s', async (_, change, message) => {
    await expect(grade(change)).rejects.toThrow(message);
  });

  test('end before one of them is reported that fails', async () => {
    const ended: string[] = [];
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return ended.push('slow') > 0;
    };
    const broken = () => {
      throw new RangeError('no table');
    };
    await expect(grade({ scores: { broken, slow } })).rejects.toThrow('no table');
    expect(ended).toEqual(['slow']);
  });
});

describe('values', () => {
  test.each([
    [{ currency: 'EUR', total: 12 }, 'correct'],
    [{ total: 12 }, 'incorrect'],
    ['{"total": 12, "currency": "EUR"}', 'incorrect'],
    ['  ', 'no_answer'],
  ])('are equal whatever the order of their fields: %j is %s', async (output, state) => {
    expect(await grade({}, output)).toMatchObject({ state, rule: 'equality' });
  });

  test.each([
    [1.1, ' 1.10', 'correct'],
    [12, '13', 'incorrect'],
    [true, 'true', 'correct'],
    ['12', '12', 'correct'],
    ['1.1', '1.10', 'incorrect'],
    [['a'], '["a"]', 'incorrect'],
  ])('%j is what a text spells: %j is %s', async (target, output, state) => {
    expect(await grade({}, output, target)).toMatchObject({ state });
  });

  test('may be extracted from a text', async () => {
    const extract = (output: string) => JSON.parse(output.slice(output.indexOf('{')));
    const said = 'It is {"total": 12, "currency": "EUR"}';
    expect(await grade({ extract }, said)).toMatchObject({ state: 'correct', how: 'extract' });
  });
});

const capital = toSample({ input: 'What is the capital of France?', target: 'Paris' });

const gradeCapital = (change: Change) =>
  toSuite('capitals', { data: [{}], ...change }, 'own.eval.ts').grade(
    'Lyon',
    'Paris',
    capital,
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

const pass: SuiteDefinition['pass'] = ({ said }) => said >= 0.6;
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
  await gradeCapital({ scores: { said: score }, pass });
  const { input, target } = capital;
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
  const graded = await gradeCapital(change);
  expect(graded).toMatchObject(expected);
  if (!('undecided' in expected)) expect(graded.undecided).toBeUndefined();
});

test.each<[string, () => unknown, string]>([
  ['a string', () => ({ score: 'high' }), 'true, false, a number from 0 to 1 or null, got {'],
  ['an error of its own', failsWith(new TypeError('no "expected"')), 'no "expected"'],
])('rejects a scorer that returns %s', async (_, said, message) => {
  await expect(gradeCapital({ scores: { said: said as never }, pass })).rejects.toThrow(message);
});
