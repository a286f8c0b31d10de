import { expect, it } from 'vitest';
import { computeChance } from './chance.ts';
import { toResult } from './result.fixture.ts';

it.each<[string, readonly { options?: number; multiple?: boolean | null }[], number | null]>([
  ['one right option of four', [{ options: 4, multiple: false }], 1 / 4],
  ['an unknown number of right options as one', [{ options: 5, multiple: null }], 1 / 5],
  ['several right options: any set but the empty one', [{ options: 3, multiple: true }], 1 / 7],
  ['a mix: the mean over questions', [{ options: 4 }, { options: 2 }], 3 / 8],
  ['no options', [{}, {}], null],
  ['some questions without options: the mean over the others', [{ options: 2 }, {}], 1 / 2],
])('takes for chance with %s', (_, questions, chance) => {
  expect(computeChance(questions.map((fields, index) => toResult('errored', { ...fields, id: `q${index}` })))).toBe(
    chance,
  );
});

it('counts a question once, whatever its trials', () => {
  const trials = [1, 2, 3].map((trial) => toResult('correct', { id: 'a', trial, options: 2 }));
  expect(computeChance([...trials, toResult('correct', { id: 'b', options: 4 })])).toBe(3 / 8);
});
