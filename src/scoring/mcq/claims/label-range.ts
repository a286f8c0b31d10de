import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';

const END = `[(["']?(\\p{L}|\\d{1,2})[)\\]"']?`;
/** On one line: a dash that begins a line is a bullet. */
const RANGE = pattern(
  `${END} ?(?:-|(?<=[ )\\]"'])${anyOf('through')}) ?${END}(?![\\p{L}\\p{N}_%°]|[.,'-][\\p{L}\\p{N}])`,
  'y',
);

/** "A through C", "A-C": labels from one to another, three or more, where several may be right. */
export function labelRangeAt(
  reading: Reading,
  at: number,
): { readonly labels: readonly string[]; readonly end: number } | null {
  if (reading.question.multiple !== true || /[\p{L}\p{N}_.-]/u.test(reading.text[at - 1] ?? '')) return null;
  RANGE.lastIndex = at;
  const found = RANGE.exec(reading.text);
  if (found === null) return null;
  const { ordered } = reading.question.labels;
  const [first = 0, last = 0] = found.slice(1).map((label) => ordered.indexOf(label));
  return first < 0 || last - first < 2 ? null : { labels: ordered.slice(first, last + 1), end: at + found[0].length };
}
