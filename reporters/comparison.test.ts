import { expect, test } from 'vitest';
import { compareRuns, readComparedRun } from '../src/figures/compare-runs.ts';
import { toRun, toTrials } from '../src/figures/result.fixture.ts';
import type { SampleResult } from '../src/words/row.ts';
import { makeRun } from '../test/make-run.ts';
import {
  describeP,
  formatPoints,
  formatPointsInterval,
  formatRatio,
  toComparisonTable,
  toWatchLines,
} from './comparison.ts';

test.each([
  [null, '-'],
  [0.0667, '+6.7 pp'],
  [0.0001, '+0.01 pp'],
  [-0.00001, '-0.001 pp'],
])('a difference of %j is %s', (difference, text) => {
  expect(formatPoints(difference)).toBe(text);
});

test('an interval has a sign at both ends', () => {
  expect(formatPointsInterval([-0.023, 0.477])).toBe('-2.3 to +47.7 pp');
  expect(formatPointsInterval(null)).toBe('-');
});

test('lists groups of further groupings and named scores below the groups, shares in points and means of numbers as they are', () => {
  const toRun = (polite: boolean, closeness: number, name: string) => {
    const groups = { level: 'level 1', topic: 'law' };
    const rows = toTrials('q1', '+', { target: '42', groups, scores: { polite, closeness } });
    return readComparedRun(makeRun(rows, { name }));
  };
  const { suites } = compareRuns(toRun(false, 0.5, 'a'), toRun(true, 0.475, 'b'));
  expect(suites[0] && toComparisonTable(suites[0]).rows.slice(-3)).toEqual([
    ['topic law', '1', '100.0 %', '100.0 %', '0.0 pp', '-92.4 to +92.4 pp'],
    ['score: polite', '1', '0.0 %', '100.0 %', '+100.0 pp', '-73.4 to +100.0 pp'],
    ['score: closeness', '1', '0.500', '0.475', '-0.025', '-0.932 to +0.916'],
  ]);
});

test.each([
  [0.05, 'p = 0.05: within noise'],
  [0.0501, 'p = 0.0501: within noise'],
  [0.04996, 'p = 0.04996: more than noise'],
  [0.00099, 'p < 0.001: more than noise'],
])('a p-value of %d is shown as "%s"', (p, text) => {
  expect(describeP(p, {})).toBe(text);
});

test.each([
  [0.934, '0.93 times'],
  [12.4, '12 times'],
])('a ratio of %d is %s', (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});

/**
 * What is said of a watch run that is compared with an earlier one; each is given by the marks of
 * q1, q2, ...
 */
function linesBetween(
  before: readonly string[],
  after: readonly string[],
  { gate = {}, suite = {} } = {},
) {
  const [a, b] = [before, after].map((questions, index) => {
    const answered = toRun(questions, { target: '42' }).map((row) =>
      row.how === null || row.answer === null ? row : { ...row, answer: toAnswer(row) },
    );
    return readComparedRun(makeRun(answered, { name: `watch run ${index + 1}`, suite }), gate);
  });
  if (a === undefined || b === undefined) throw new Error('two watch runs are needed');
  return compareRuns(a, b)
    .suites.flatMap(toWatchLines)
    .map(({ text }) => text);
}

const toAnswer = ({ state }: SampleResult) => (state === 'correct' ? '42' : '17');

test.each<[string, readonly string[], readonly string[], readonly unknown[]]>([
  [
    'what was fixed and what was broken, and how likely that is luck',
    ['-', 'x', '+', '+'],
    ['+', '+', '-', '+'],
    [
      expect.stringMatching(
        /^gaia, replay: compared with watch run 1, on 4 questions: \+25\.0 pp \(95 % .+\), p = 1; 2 fixed, 1 broken; with 4 questions p cannot be below 0.05$/,
      ),
      'broken 1:',
      '  q3: 42 -> 17 (expected 42)',
      'fixed 2:',
      '  q1: 17 -> 42 (expected 42)',
      '  q2: errored (network) -> 42 (expected 42)',
    ],
  ],
  [
    'the first 20 answers',
    Array.from('-'.repeat(22)),
    Array.from('+'.repeat(22)),
    [
      expect.stringMatching(/, on 22 questions: \+100\.0 pp .+, p < 0.001; 22 fixed, 0 broken$/),
      'fixed 22:',
      ...Array.from({ length: 20 }, (_, index) => `  q${index + 1}: 17 -> 42 (expected 42)`),
      '  and 2 more: q21, q22',
    ],
  ],
  [
    'which questions got better in some trials only',
    ['-+', '++', '--'],
    ['++', '+-', '++'],
    [
      expect.stringMatching(
        /, on 3 questions: \+33\.3 pp .+; 1 fixed, 0 broken; 1 better and 1 worse in some trials; with 3 questions p cannot be below 0.05$/,
      ),
      'worse in some trials 1:',
      '  q2: 42 -> 42 (1 of 2), 17 (1 of 2) (expected 42)',
      'fixed 1:',
      '  q3: 17 -> 42 (expected 42)',
      'better in some trials 1:',
      '  q1: 17 (1 of 2), 42 (1 of 2) -> 42 (expected 42)',
    ],
  ],
  ['nothing where no question is finished in both', ['.', '+'], ['+'], []],
])('a watch run says %s', (_rule, before, after, lines) => {
  expect(linesBetween(before, after)).toEqual(lines);
});

test('a watch run names the scores whose means changed', () => {
  const toRun = (run: number, marks: string, closeness: readonly number[]) => {
    const rows = [...marks].flatMap((mark, index) => {
      const scores = { total: mark === '+', same: 0.5, closeness: closeness[index] ?? null };
      return toTrials(`q${index}`, mark === 'x' ? 'x' : '+', { target: '42', scores });
    });
    return readComparedRun(makeRun(rows, { name: `watch run ${run}` }));
  };
  const before = toRun(1, '+++-', [0.1, 0.2, 0.3]);
  const remarksOf = (after: ReturnType<typeof toRun>) =>
    compareRuns(before, after)
      .suites.flatMap(toWatchLines)
      .map(({ text }) => text);
  const on = 'gaia, replay: compared with watch run 1, on 4 questions';
  expect(remarksOf(toRun(2, '+++-', [0.3, 0.1, 0.2]))).toEqual([`${on}: no verdict changed`]);
  expect(remarksOf(toRun(3, '++++', [0.1, 0.2, 0.3003]))).toEqual([
    `${on}: no verdict changed; total 75.0 % to 100.0 %; closeness 0.2000 to 0.2001`,
  ]);
  expect(remarksOf(toRun(4, 'x++-', [0.1, 0.2, 0.3]))[0]).toMatch(
    /: -25\.0 pp \(95 % .+\), p = 1; 0 fixed, 1 broken; with 4 questions p cannot be below 0.05; total 75\.0 % to 50\.0 %$/,
  );
});

test.each([
  ['names ids alone where answers must be hidden', {}, ['broken 1: q3', 'fixed 2: q1, q2']],
  [
    'shows the answers of a public suite in CI too',
    { public: true as const },
    expect.arrayContaining(['broken 1:']),
  ],
])('a watch run %s', (_rule, suite, lines) => {
  const gate = { ci: true };
  expect(linesBetween(['-', '-', '+'], ['+', '+', '-'], { gate, suite }).slice(1)).toEqual(lines);
});
