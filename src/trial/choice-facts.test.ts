import { expect, test } from 'vitest';
import type { Sample } from '../types.ts';
import { choiceFacts, presentedFact, toOwnLabels } from './choice-facts.ts';

const plain: Sample = {
  id: 'a',
  suite: 'mcq',
  input: 'Which?',
  target: 'A,B',
  group: 'all',
  choices: { A: 'cow', B: 'ant', C: 'bee' },
  multiple: true,
  attachments: [],
  metadata: {},
};
/** The dataset has ant, bee, cow. */
const shuffled: Sample = { ...plain, presentation: { seed: 7, ownLabels: { A: 'C', B: 'A', C: 'B' } } };

test.each([
  ['A', 'C'],
  ['A,B', 'A,C'],
  ['NONE', 'NONE'],
  [null, null],
])('%s of a shuffled question is %s of the dataset', (presented, own) => {
  expect(toOwnLabels(presented, shuffled)).toBe(own);
  expect(toOwnLabels(presented, plain)).toBe(presented);
});

test('a row says how many options there are and where the right ones stood', () => {
  expect(choiceFacts(plain)).toEqual({ options: 3, multiple: true });
  expect(choiceFacts(shuffled).presented).toEqual({ seed: 7, target: [1, 2], answer: null });
});

test('a row says where the chosen options stood', () => {
  expect(presentedFact(shuffled, 'B,C').presented?.answer).toEqual([2, 3]);
  expect(presentedFact(shuffled, 'NONE').presented?.answer).toEqual([]);
  expect(presentedFact({ ...shuffled, target: null }, 'A')).toEqual({});
});

test('a question without options has no such facts', () => {
  const { choices: _, ...open } = plain;
  expect(choiceFacts(open)).toEqual({});
});
