import { expect, it } from 'vitest';
import { canonicalLabels, spelledOut } from './question.ts';

it.each([
  ['Both A and B', 'A,B', 'D'],
  ['A and B only', 'A,B', 'D'],
  ['A and B are correct', 'A,B', 'D'],
  ['A, B and C are all true', 'A,B,C', 'D'],
  ['A, B, and C', 'A,B,C', 'D'],
  ['A & B', 'A,B', 'D'],
  ['A + B', 'A,B', 'D'],
  ['A、B', 'A,B', 'D'],
  ['A 和 B', 'A,B', 'D'],
  ['(A) and (B).', 'A,B', 'D'],
  ['Option A and B', 'A,B', 'D'],
  ['Statement A and B', 'A,B', 'D'],
  ['A and B', 'A,B,C', 'A,B,C'],
  ['A and C', 'A,B', 'A,B'],
  ['A and A', 'A,B', 'A,B'],
  ['A', 'A,B', 'A,B'],
  ['A and B are correct sometimes', 'A,B', 'A,B'],
  ['Not both A and B', 'A,B', 'A,B'],
  ['A and option B', 'A,B', 'A,B'],
])('the option %j makes %s %s', (text, labels, canonical) => {
  const choices = { A: 'salt', B: 'sugar', C: 'flour', D: text };
  expect(canonicalLabels(labels.split(','), { choices }).join()).toBe(canonical);
});

it('reads an option of up to 80 characters as one that names others', () => {
  const toOption = (length: number) => `A and B${' '.repeat(length - 8)}.`;
  const choose = (text: string) =>
    canonicalLabels(['A', 'B'], { choices: { A: 'salt', B: 'sugar', C: text } });
  expect([choose(toOption(80)), choose(toOption(81))]).toEqual([['C'], ['A', 'B']]);
});

it('reads the all-option as all ordinary ones, not for a single one, and not beside the none-option', () => {
  const choices = { A: 'salt', B: 'sugar', C: 'All of the above', D: 'None of the above' };
  expect(canonicalLabels(['A', 'B'], { choices, multiple: true })).toEqual(['C']);
  expect(canonicalLabels(['A', 'B', 'D'], { choices, multiple: true })).toEqual(['A', 'B', 'D']);
  const one = { A: 'salt', B: 'All of the above' };
  expect(canonicalLabels(['A', 'B'], { choices: one, multiple: true })).toEqual(['A', 'B']);
});

it('spells out the all-option alone', () => {
  const choices = { A: 'salt', B: 'sugar', C: 'All of the above' };
  expect(spelledOut(['C'], { choices })).toEqual(['A', 'B']);
  expect(spelledOut(['A'], { choices })).toEqual(['A']);
});
