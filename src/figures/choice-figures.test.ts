import { expect, it } from 'vitest';
import type { State } from '../words/row.ts';
import { computeChance, countPositions } from './choice-figures.ts';
import { toResult } from './result.fixture.ts';

it('counts the places of right options and the places that were chosen', () => {
  const results = [
    toShuffled('correct', [1], [1]),
    toShuffled('incorrect', [2], [1]),
    toShuffled('correct', [2], [2]),
    toShuffled('timed_out', [2], null),
    toShuffled('not_run', [3], null),
    toResult('correct', { id: 'q9', options: 3 }),
  ];
  expect(countPositions(results)).toEqual([
    { position: 1, n: 1, correct: 1, accuracy: 1, chosen: 2 },
    { position: 2, n: 3, correct: 1, accuracy: 1 / 3, chosen: 1 },
    { position: 3, n: 0, correct: 0, accuracy: null, chosen: 0 },
  ]);
});

function toShuffled(state: State, target: readonly number[], answer: readonly number[] | null) {
  return toResult(state, {
    options: 3,
    presented: { seed: 1, order: ['A', 'B', 'C'], target, answer },
  });
}

it.each<
  [
    string,
    readonly { options?: number; multiple?: boolean | null; target?: string }[],
    number | null,
  ]
>([
  ['one right option of four', [{ options: 4, multiple: false }], 1 / 4],
  ['an unknown number of right options as one', [{ options: 5, multiple: null }], 1 / 5],
  ['several right options: any set but the empty one', [{ options: 3, multiple: true }], 1 / 7],
  [
    'an unknown number of right options where two are',
    [{ options: 3, multiple: null, target: 'A,C' }],
    1 / 7,
  ],
  ['a text with a comma as one right option', [{ options: 3, target: 'Paris, France' }], 1 / 3],
  ['no options', [{}, {}], null],
])('computes the accuracy by chance for %s', (_, questions, chance) => {
  expect(
    computeChance(
      questions.map((fields, index) => toResult('errored', { ...fields, id: `q${index}` })),
    ),
  ).toBe(chance);
});
