import { expect, it } from 'vitest';
import { computeLabelFigures, computeMacroF1 } from './label-figures.ts';
import type { Labelled } from './labels.ts';

const rows = [
  ['a', 'a'],
  ['a', 'b'],
  ['a', 'a'],
  ['b', 'b'],
  ['b', 'a'],
  ['b', 'b'],
  ['b', 'b'],
  ['c', 'c'],
  ['c', 'a'],
  ['c', null],
].map(([expected = '', predicted = null], index): Labelled => {
  return { expected: expected ?? '', predicted, question: `q${index}` };
});

// By hand: hits of answers with the label, of those that should have it, and of both together; the
// ends are Wilson's, of F1 2 J / (1 + J) of those of J.
it.each([
  [
    'a',
    [2 / 4, 0.150038989, 0.849961011],
    [2 / 3, 0.207659601, 0.938508055],
    [4 / 7, 0.21048423, 0.869593937],
  ],
  [
    'b',
    [3 / 4, 0.300641843, 0.954412739],
    [3 / 4, 0.300641843, 0.954412739],
    [3 / 4, 0.37494065, 0.937514836],
  ],
  ['c', [1, 0.206549314, 1], [1 / 3, 0.061491945, 0.792340399], [1 / 2, 0.115859466, 0.884140534]],
])('the figures of label %s', (label, ...expected) => {
  const { precision, recall, f1 } = computeLabelFigures(rows, label);
  const found = [precision, recall, f1].map((each) => [each?.value, ...(each?.ci95 ?? [])]);
  expect(found).toEqual(expected.map((numbers) => numbers.map((each) => expect.closeTo(each, 8))));
});

it('has none of a label that nobody gave or expected', () => {
  expect(computeLabelFigures(rows, 'd')).toEqual({ precision: null, recall: null, f1: null });
});

it('macro F1 is the mean over expected labels, as are its ends', () => {
  const { value = Number.NaN, ci95 = [] } = computeMacroF1(rows) ?? {};
  expect(value).toBeCloseTo((4 / 7 + 3 / 4 + 1 / 2) / 3, 12);
  expect(ci95[0]).toBeCloseTo((0.21048423 + 0.37494065 + 0.115859466) / 3, 8);
  expect(ci95[1]).toBeCloseTo((0.869593937 + 0.937514836 + 0.884140534) / 3, 8);
  expect(computeMacroF1([])).toBeNull();
});

it('trials of one question count less than as many questions', () => {
  const trials = rows.map((row, index) => ({ ...row, question: `q${index % 3}` }));
  const [few, many] = [trials, rows].map((some) => computeLabelFigures(some, 'b').recall?.worth);
  expect(few).toBeLessThan(many ?? 0);
});
