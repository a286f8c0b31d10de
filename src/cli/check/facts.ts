import { findRepeats } from '../../datasets/find-repeats.ts';
import { isFields } from '../../datasets/record-fields.ts';
import { compareNaturally } from '../../metrics/natural-order.ts';
import { formatPercent } from '../../metrics/percent.ts';
import type { RawRecord } from '../../records/record-file.ts';
import type { Sample } from '../../types.ts';

/** One line: what it is about, and what was found. */
export type Fact = readonly [name: string, text: string];

/** How many of a long list are named. */
const MOST = 20;

/** What is to be said of the samples of any suite. */
export function commonFacts(samples: readonly Sample[]): readonly Fact[] {
  const groups = [...countBy(samples, ({ group }) => group)].sort(([a], [b]) => compareNaturally(a, b));
  const repeats = findRepeats(samples);
  return [
    ['questions', String(samples.length)],
    ['groups', listUp(groups.map(([group, count]) => `${group} ${count}`))],
    ['duplicates', repeats.length === 0 ? 'none' : listUp(repeats.map((ids) => ids.join(' = ')))],
  ];
}

/** Which fields some records leave empty or do not have. */
export function fieldFacts(records: readonly RawRecord[]): readonly Fact[] {
  const filled = new Map<string, number>();
  for (const { value } of records) {
    for (const [name, content] of isFields(value) ? Object.entries(value) : []) {
      filled.set(name, (filled.get(name) ?? 0) + (isEmpty(content) ? 0 : 1));
    }
  }
  const lacking = [...filled].filter(([, count]) => count < records.length);
  const texts = lacking.map(([name, count]) => `${JSON.stringify(name)} in ${records.length - count}`);
  return records.length === 0 ? [] : [['missing fields', texts.length === 0 ? 'none' : listUp(texts)]];
}

/** Counts by key, with shares: "A 9 (18.8 %), B 7 (14.6 %)". */
export function toShares(counts: Iterable<readonly [string, number]>, total: number): string {
  return listUp([...counts].map(([name, count]) => `${name} ${count} (${formatPercent(count / total)})`));
}

/** How often each key occurs, in order of first appearance. */
export function countBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
  return counts;
}

/** Texts in one line: the first ones, and how many more there are. */
export function listUp(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST).join(', ');
  return texts.length > MOST ? `${shown} and ${texts.length - MOST} more` : shown;
}

function isEmpty(content: unknown): boolean {
  return content === null || content === undefined || (typeof content === 'string' && content.trim() === '');
}
