import type { ConfidenceBucket, SampleResult } from '../types.ts';
import { groupBy } from './group-by.ts';
import { isGraded } from './states.ts';

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
  'other',
  'not stated',
];

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['moderate', 'medium'],
  ['med', 'medium'],
]);

/**
 * How often answers were right that stated a confidence, by words or by ranges of numbers. A number up to 1 is a share,
 * whatever else a run states; a larger one is out of 10 or of 100. Empty when no answer stated any.
 */
export function bucketConfidence(results: readonly SampleResult[]): readonly ConfidenceBucket[] {
  const answered = results.filter((result) => isGraded(result) && result.error === null);
  if (answered.every(({ confidence }) => confidence === null)) return [];
  const scale = findScale(answered.map(({ confidence }) => confidence));
  const buckets = [...groupBy(answered, ({ confidence }) => toBucket(confidence, scale))];
  return buckets
    .sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map(([bucket, rows]) => {
      const correct = rows.filter(({ state }) => state === 'correct').length;
      return { bucket, n: rows.length, correct, accuracy: correct / rows.length };
    });
}

/** What numbers above 1 are out of: 10 where all are integers up to 10 and no share stands beside them, else 100. */
function findScale(stated: readonly SampleResult['confidence'][]): number {
  const numbers = stated.map(toNumber).filter((each) => each !== null);
  return numbers.every((each) => Number.isInteger(each) && each <= 10) ? 10 : 100;
}

function toBucket(stated: SampleResult['confidence'], scale: number): string {
  if (stated === null) return 'not stated';
  const number = toNumber(stated);
  if (number !== null) return toRange(number <= 1 ? number : number / scale);
  const text = String(stated).trim();
  const percent = /^(\d{1,3}(?:\.\d{1,9})?)\s?%$/.exec(text);
  if (percent !== null) return toRange(Number(percent[1]) / 100);
  const word = text.toLowerCase().replaceAll(/[_-]/g, ' ');
  const bucket = SYNONYMS.get(word) ?? word;
  return WORDS.has(bucket) ? bucket : 'other';
}

const WORDS: ReadonlySet<string> = new Set(ORDER.slice(0, 5));

function toRange(share: number): string {
  if (!(share >= 0 && share <= 1)) return 'other';
  if (share < 0.5) return 'under 50 %';
  if (share < 0.7) return '50 to 70 %';
  return share < 0.9 ? '70 to 90 %' : 'from 90 %';
}

/** A plain number, also one written as text. */
function toNumber(stated: SampleResult['confidence']): number | null {
  if (typeof stated === 'number') return stated;
  return stated !== null && /^\d{1,3}(?:\.\d{1,9})?$/.test(stated.trim()) ? Number(stated) : null;
}
