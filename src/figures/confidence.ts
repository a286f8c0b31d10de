import type { ConfidenceBucket, ProbabilityFigures, Rate } from '../words/figures.ts';
import { isCorrect, isCounted, type SampleResult } from '../words/row.ts';
import { Z_95 } from './distributions.ts';
import { type Clustered, groupBy, groupByCluster, sumAnyOrder } from './groups.ts';
import { computeMean, computeWilson, weigh } from './intervals.ts';

/** Every bucket, the lowest confidence first. */
const BUCKETS = [
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
  ...BUCKETS.slice(0, 5).map((word) => [word, word] as const),
  ['moderate', 'medium'],
  ['med', 'medium'],
]);

/**
 * The figures of stated confidence, and the highest number of the scale by which numbers were read;
 * null if none were.
 */
type ConfidenceFigures = {
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
  const buckets = Map.groupBy(answered, ({ confidence }) => nameBucket(confidence, scale));
  const figures = BUCKETS.flatMap((bucket) => {
    const rows = buckets.get(bucket) ?? [];
    const correct = rows.filter(isCorrect).length;
    return rows.length === 0
      ? []
      : [{ bucket, n: rows.length, correct, accuracy: correct / rows.length }];
  });
  const stated = answered.flatMap((result) => {
    const share = readProbability(result.confidence, scale);
    const { id, cluster } = result;
    return share === null ? [] : [{ id, cluster, share, isCorrect: isCorrect(result) }];
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
  const numbers = stated
    .map(readPlainNumber)
    .filter((each) => each !== null && each >= 0 && each <= 100);
  const hasPercent = stated.some((each) => readPercent(each) !== null);
  const most = numbers.reduce<number>((high, each) => Math.max(high, each ?? 0), 0);
  const scale = most <= 1 ? 1 : most <= 10 ? 10 : 100;
  if (numbers.length === 0) return hasPercent ? 100 : null;
  const hasShare = numbers.some((each) => each !== null && each > 0 && each < 1);
  return (scale > 1 && hasShare) || (scale < 100 && hasPercent) ? 'mixed' : scale;
}

function nameBucket(stated: SampleResult['confidence'], scale: Scale | 'mixed' | null): string {
  if (stated === null) return 'not stated';
  const isNumber = (readPlainNumber(stated) ?? readPercent(stated)) !== null;
  if (isNumber && scale === 'mixed') return 'on mixed scales';
  const share = readProbability(stated, scale);
  if (share !== null) return nameRange(share);
  const word = String(stated).trim().toLowerCase().replaceAll(/[_-]/g, ' ');
  return isNumber ? 'other' : (WORDS.get(word) ?? 'other');
}

/** The probability that a number states; null for words, and for numbers off the scale. */
function readProbability(
  stated: SampleResult['confidence'],
  scale: Scale | 'mixed' | null,
): number | null {
  if (stated === null || typeof scale !== 'number') return null;
  const number = readPlainNumber(stated);
  const percent = readPercent(stated);
  const share = number === null ? (percent ?? -1) / 100 : number / scale;
  return share >= 0 && share <= 1 ? share : null;
}

function nameRange(share: number): string {
  if (share < 0.5) return 'under 50 %';
  if (share < 0.7) return '50 to 70 %';
  return share < 0.9 ? '70 to 90 %' : 'from 90 %';
}

function readPercent(stated: SampleResult['confidence']): number | null {
  const [, number] = /^(\d{1,3}(?:\.\d{1,9})?)\s?%$/.exec(String(stated).trim()) ?? [];
  return number === undefined ? null : Number(number);
}

/** A plain number, also if it is written as text. */
function readPlainNumber(stated: SampleResult['confidence']): number | null {
  if (typeof stated === 'number') return stated;
  return stated !== null && /^(?=\.?\d)\d{0,3}(?:\.\d{1,20})?$/.test(stated.trim())
    ? Number(stated)
    : null;
}

/** An answer's stated probability of being right, 0 to 1. */
type StatedProbability = Clustered & {
  /** The question. Its trials are not independent answers. */
  readonly id: string;
  readonly share: number;
  readonly isCorrect: boolean;
};

/** What stated probabilities are worth; null without any. */
export function summarizeProbabilities(
  stated: readonly StatedProbability[],
): ProbabilityFigures | null {
  if (stated.length === 0) return null;
  return { n: stated.length, brier: computeBrier(stated), auroc: computeAuroc(stated) };
}

/**
 * The Brier score, the mean of (probability - right or not)^2, over questions. Its 95 % interval is
 * Wilson's for a share of as many trials as have its variance, so it stays within 0 and 1. The
 * variance is that of the questions, or what the stated probabilities themselves imply if that is
 * larger: where all of few answers were right, nothing else tells of wrong ones. With clusters it is
 * the interval of any mean.
 */
function computeBrier(stated: readonly StatedProbability[]): Rate {
  const questions = [...groupBy(stated, ({ id }) => id).values()].map((trials) => ({
    square: mean(trials.map(({ share, isCorrect }) => (share - (isCorrect ? 1 : 0)) ** 2)),
    cluster: trials[0].cluster,
  }));
  const n = questions.length;
  const value = mean(questions.map(({ square }) => square));
  // Few clusters tell little of the spread between them.
  if (groupByCluster(questions).length < n) {
    const tallies = questions.map(({ square, cluster }) => ({
      correct: square,
      counted: 1,
      cluster,
    }));
    return { value, n, ci95: computeMean(tallies)?.ci95 ?? [0, 1] };
  }
  const seen = mean(questions.map(({ square }) => (square - value) ** 2));
  const variance = Math.max(seen, implyVariance(stated.map(({ share }) => share)));
  const effective = variance === 0 ? n : (n * value * (1 - value)) / variance;
  return { value, n, ci95: computeWilson(value, effective) };
}

/** The variance of the squares if answers were right as often as they state. */
function implyVariance(shares: readonly number[]): number {
  const moment = (power: number) =>
    mean(shares.map((p) => p * (1 - p) ** power + (1 - p) * p ** power));
  return moment(4) - moment(2) ** 2;
}

/**
 * The chance that a right answer states a higher probability than a wrong one; the same counts
 * half. The 95 % interval is Newcombe's score interval (2006, method 5), which is right for few
 * answers and at 0 and 1 too. bench/RESULTS.md says how often both intervals contain the true
 * value. Each question counts once for it, however many trials it has, and clusters as Kish's
 * number of equal ones. Null without a right or a wrong answer.
 */
function computeAuroc(stated: readonly StatedProbability[]): Rate | null {
  const right = stated.filter(({ isCorrect }) => isCorrect).length;
  const wrong = stated.length - right;
  if (right === 0 || wrong === 0) return null;
  const value = countWins(stated) / (right * wrong);
  const questions = [...groupBy(stated, ({ id }) => id).values()].map(([first]) => first);
  const { kish } = weigh(groupByCluster(questions).map(({ length }) => ({ counted: length })));
  const weight = kish / stated.length;
  const m = right * weight;
  const n = wrong * weight;
  return { value, n: questions.length, ci95: [findEnd(value, 0, m, n), findEnd(value, 1, m, n)] };
}

/**
 * Pairs of a right and a wrong answer in which the right one states more; equal ones count half.
 */
function countWins(stated: readonly StatedProbability[]): number {
  const levels = [...groupBy(stated, ({ share }) => String(share)).values()];
  levels.sort(([a], [b]) => a.share - b.share);
  let [wins, wrongBelow] = [0, 0];
  for (const level of levels) {
    const right = level.filter(({ isCorrect }) => isCorrect).length;
    const wrong = level.length - right;
    wins += right * (wrongBelow + wrong / 2);
    wrongBelow += wrong;
  }
  return wins;
}

/** The value nearest to `limit`, 0 or 1, from which the one seen is 1.96 standard errors away. */
function findEnd(seen: number, limit: number, m: number, n: number): number {
  let [inside, outside] = [seen, limit];
  for (let step = 0; step < 50; step += 1) {
    const middle = (inside + outside) / 2;
    if (Math.abs(seen - middle) <= Z_95 * computeError(middle, m, n)) inside = middle;
    else outside = middle;
  }
  return inside;
}

/** Hanley and McNeil's standard error of an area, with the mean of both sizes for each. */
function computeError(area: number, m: number, n: number): number {
  const others = (m + n) / 2 - 1;
  const shape = 1 + others * ((1 - area) / (2 - area) + area / (1 + area));
  return Math.sqrt(Math.max(0, (area * (1 - area) * shape) / (m * n)));
}

function mean(values: readonly number[]): number {
  return sumAnyOrder(values) / values.length;
}
