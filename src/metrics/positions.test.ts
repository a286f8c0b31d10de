import { expect, it } from 'vitest';
import type { State } from '../types.ts';
import { countPositions } from './positions.ts';
import { toResult } from './result.fixture.ts';

it('counts where right options stood and which places were chosen', () => {
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

it('counts a question with several right options among the choices alone', () => {
  expect(countPositions([toShuffled('correct', [1, 3], [1, 3])]).map(({ n, chosen }) => [n, chosen])).toEqual([
    [0, 1],
    [0, 0],
    [0, 1],
  ]);
});

it('is empty where nothing was shuffled', () => {
  expect(countPositions([toResult('correct', { options: 4 })])).toEqual([]);
});

function toShuffled(state: State, target: readonly number[], answer: readonly number[] | null) {
  return toResult(state, { options: 3, presented: { seed: 1, target, answer } });
}
