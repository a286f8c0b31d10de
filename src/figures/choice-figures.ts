import type { PositionFigures } from '../words/figures.ts';
import { hasTarget, isCorrect, isCounted, type SampleResult } from '../words/row.ts';
import { toText } from '../words/show.ts';
import { sumAnyOrder } from './groups.ts';

/**
 * Accuracy by the position of the right option, and how often each position was chosen. Both show
 * if a model prefers a position. Questions with several right options count in `chosen` only. Empty
 * if options were not shuffled.
 */
export function countPositions(results: readonly SampleResult[]): readonly PositionFigures[] {
  const graded = results
    .filter(isCounted)
    .flatMap((row) =>
      row.presented === undefined
        ? []
        : [{ correct: isCorrect(row), options: row.options ?? 0, ...row.presented }],
    );
  const last = graded.reduce((most, { options }) => Math.max(most, options), 0);
  return Array.from({ length: last }, (_, index) => {
    const position = index + 1;
    const right = graded.filter(({ target }) => target.length === 1 && target[0] === position);
    const correct = right.filter((row) => row.correct).length;
    const chosen = graded.filter(({ answer }) => answer?.includes(position) === true).length;
    return {
      position,
      n: right.length,
      correct,
      accuracy: right.length === 0 ? null : correct / right.length,
      chosen,
    };
  });
}

/**
 * Accuracy of guessing: the mean over questions with a target of 1 / options, or of 1 / (2^options
 * - 1) if several options may be right, since a guess is then any non-empty set. Where any one of
 * several is right, the chance is as many times larger. Null if no
 * question has options.
 */
export function computeChance(results: readonly SampleResult[]): number | null {
  const chances = new Map<string, number>();
  for (const { id, options = 0, multiple, target, accepts } of results.filter(hasTarget)) {
    // Labels are joined by "," alone.
    const labels = toText(target).split(/,(?=\S)/).length;
    const right = accepts === 'any' ? labels : 1;
    const isSeveral = multiple ?? labels > right;
    if (options > 0) chances.set(id, right / (isSeveral ? 2 ** options - 1 : options));
  }
  if (chances.size === 0) return null;
  return sumAnyOrder(chances.values()) / chances.size;
}
