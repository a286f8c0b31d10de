import type { PositionFigures, SampleResult } from '../types.ts';
import { isGraded } from './states.ts';

/**
 * Accuracy by where the right option was presented, and how often each place was chosen: a model that prefers a place
 * shows in both. Questions with several right options count in `chosen` alone. Empty where nothing was shuffled.
 */
export function countPositions(results: readonly SampleResult[]): readonly PositionFigures[] {
  const graded = results
    .filter(isGraded)
    .flatMap(({ state, options = 0, presented }) =>
      presented === undefined ? [] : [{ correct: state === 'correct', options, ...presented }],
    );
  const last = graded.reduce((most, { options }) => Math.max(most, options), 0);
  return Array.from({ length: last }, (_, index) => {
    const position = index + 1;
    const right = graded.filter(({ target }) => target.length === 1 && target[0] === position);
    const correct = right.filter((row) => row.correct).length;
    const chosen = graded.filter(({ answer }) => answer?.includes(position) === true).length;
    return { position, n: right.length, correct, accuracy: right.length === 0 ? null : correct / right.length, chosen };
  });
}
