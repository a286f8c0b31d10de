import { expect, test } from 'vitest';
import { listShown, toOwnLabels, toShownLabels } from './shown-options.ts';

const QUESTION = {
  choices: [
    ['A', 'ant'],
    ['B', 'bee'],
    ['C', 'cow'],
  ],
} as const;
const show = (order: readonly string[]) =>
  listShown(QUESTION, { presented: { seed: 7, order, target: [], answer: null } });

test.each<[string, ReturnType<typeof listShown>, string]>([
  ['in the order of the dataset', listShown(QUESTION, {}), 'A=A ant, B=B bee, C=C cow'],
  ['in that of a trial', show(['C', 'A', 'B']), 'A=C cow, B=A ant, C=B bee'],
  ['in one that names no option', show(['X', 'A']), 'A=X , B=A ant, C=C cow'],
  ['of a question that is not known', listShown(undefined, {}), ''],
])('options %s', (_, shown, expected) => {
  expect(shown.map(({ label, own, text }) => `${label}=${own} ${text}`).join(', ')).toBe(expected);
});

test.each([
  ['A', 'B'],
  ['A,C', 'A,B'],
  ['NONE', 'NONE'],
])('the labels %s of a row are %s to its agent', (own, label) => {
  const shown = show(['C', 'A', 'B']);
  expect(toShownLabels(own, shown)).toBe(label);
  expect(toOwnLabels(label, shown)).toBe(own);
});
