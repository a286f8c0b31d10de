import type { ConfidenceBucket, PositionFigures } from '../words/figures.ts';
import { hasTarget, isCorrect, isCounted, type SampleResult } from '../words/row.ts';
import { toText } from '../words/show.ts';
import { sumAnyOrder } from './groups.ts';
import type { StatedProbability } from './stated-probability.ts';

/** Every bucket, the lowest confidence first. */
const ORDER = [
  'very low',
  'low',
  'medium',
  'high',
  'very high',
  'under 50 %',
  '50 to 70 %',
  '70 to 90 %',
  'from 90 %',
  'on mixed scales',
  'other',
  'not stated',
];

/** Words for the first five buckets. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ...ORDER.slice(0, 5).map((word) => [word, word] as const),
  ['moderate', 'medium'],
  ['med', 'medium'],
]);

/**
 * The figures of stated confidence, and the highest number of the scale by which numbers were read;
 * null if none were.
 */
export type ConfidenceFigures = {
  readonly buckets: readonly ConfidenceBucket[];
  readonly scale: number | null;
  /** Of the answers that state a number on this scale. */
  readonly stated: readonly StatedProbability[];
};

/**
 * Accuracy by stated confidence: by its words or by ranges of its numbers, all of which are read on
 * one scale. No bucket if no answer stated a confidence.
 */
export function bucketConfidence(results: readonly SampleResult[]): ConfidenceFigures {
  const answered = results.filter((result) => isCounted(result) && result.error === null);
  if (answered.every(({ confidence }) => confidence === null))
    return { buckets: [], scale: null, stated: [] };
  const scale = findScale(answered.map(({ confidence }) => confidence));
  const buckets = Map.groupBy(answered, ({ confidence }) => toBucket(confidence, scale));
  const figures = ORDER.flatMap((bucket) => {
    const rows = buckets.get(bucket) ?? [];
    const correct = rows.filter(isCorrect).length;
    return rows.length === 0
      ? []
      : [{ bucket, n: rows.length, correct, accuracy: correct / rows.length }];
  });
  const stated = answered.flatMap((result) => {
    const share = toShare(result.confidence, scale);
    return share === null ? [] : [{ id: result.id, share, isCorrect: isCorrect(result) }];
  });
  return { buckets: figures, scale: scale === 'mixed' ? null : scale, stated };
}

type Scale = 1 | 10 | 100;

/**
 * The scale of a run's numbers: up to 1, to 10 or to 100, the smallest that covers them all. They
 * are mixed if there are a share such as 0.9 and a number above 1, or a percentage and
 * numbers of another scale. Null without numbers.
 */
function findScale(stated: readonly SampleResult['confidence'][]): Scale | 'mixed' | null {
  const numbers = stated.map(toNumber).filter((each) => each !== null && each >= 0 && each <= 100);
  const hasPercent = stated.some((each) => toPercent(each) !== null);
  const most = numbers.reduce<number>((high, each) => Math.max(high, each ?? 0), 0);
  const scale = most <= 1 ? 1 : most <= 10 ? 10 : 100;
  if (numbers.length === 0) return hasPercent ? 100 : null;
  const hasShare = numbers.some((each) => each !== null && each > 0 && each < 1);
  return (scale > 1 && hasShare) || (scale < 100 && hasPercent) ? 'mixed' : scale;
}

function toBucket(stated: SampleResult['confidence'], scale: Scale | 'mixed' | null): string {
  if (stated === null) return 'not stated';
  const isNumber = (toNumber(stated) ?? toPercent(stated)) !== null;
  if (isNumber && scale === 'mixed') return 'on mixed scales';
  const share = toShare(stated, scale);
  if (share !== null) return toRange(share);
  const word = String(stated).trim().toLowerCase().replaceAll(/[_-]/g, ' ');
  return isNumber ? 'other' : (WORDS.get(word) ?? 'other');
}

/** The probability that a number states; null for words, and for numbers off the scale. */
function toShare(stated: SampleResult['confidence'], scale: Scale | 'mixed' | null): number | null {
  if (stated === null || typeof scale !== 'number') return null;
  const number = toNumber(stated);
  const percent = toPercent(stated);
  const share = number === null ? (percent ?? -1) / 100 : number / scale;
  return share >= 0 && share <= 1 ? share : null;
}

function toRange(share: number): string {
  if (share < 0.5) return 'under 50 %';
  if (share < 0.7) return '50 to 70 %';
  return share < 0.9 ? '70 to 90 %' : 'from 90 %';
}

function toPercent(stated: SampleResult['confidence']): number | null {
  const [, number] = /^(\d{1,3}(?:\.\d{1,9})?)\s?%$/.exec(String(stated).trim()) ?? [];
  return number === undefined ? null : Number(number);
}

/** A plain number, also if it is written as text. */
function toNumber(stated: SampleResult['confidence']): number | null {
  if (typeof stated === 'number') return stated;
  return stated !== null && /^(?=\.?\d)\d{0,3}(?:\.\d{1,20})?$/.test(stated.trim())
    ? Number(stated)
    : null;
}

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
