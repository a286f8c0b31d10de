import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';

const RANGE = pattern(
  `[(["']?(\\p{L}|\\d{1,2})[)\\]"']?\\s{0,2}(?:-|(?<=[\\s)\\]"'])${anyOf('through')})\\s{0,2}[(["']?(\\p{L}|\\d{1,2})[)\\]"']?(?![\\p{L}\\p{N}_%°]|[.,'-][\\p{L}\\p{N}])`,
  'y',
);

/** "A through C", "A-C": labels from one to another, three or more, where several may be right. */
export function labelRangeAt(
  reading: Reading,
  at: number,
): { readonly labels: readonly string[]; readonly end: number } | null {
  const { ordered } = reading.question.labels;
  if (reading.question.multiple !== true || /[\p{L}\p{N}_.-]/u.test(reading.text[at - 1] ?? '')) return null;
  RANGE.lastIndex = at;
  const found = RANGE.exec(reading.text);
  const [first, last] = [ordered.indexOf(found?.[1] ?? ''), ordered.indexOf(found?.[2] ?? '')];
  return found === null || first < 0 || last - first < 2
    ? null
    : { labels: ordered.slice(first, last + 1), end: at + found[0].length };
}
