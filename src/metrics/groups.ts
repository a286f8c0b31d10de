import type { SampleResult } from '../types.ts';

/** Rows by key, in order of first appearance. A Map, because keys come from datasets and may be "__proto__". */
export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, [Row, ...Row[]]> {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = keyOf(row);
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [row]);
    else found.push(row);
  }
  return groups;
}

type Source = Pick<SampleResult, 'suite' | 'dataset' | 'agent'>;

/**
 * Makes a function that gives the key of a result's suite, dataset and agent. Results of a suite come in long stretches,
 * so the key of the one before mostly serves: building it is dear.
 */
export function createSuiteKey(): (source: Source) => string {
  let last: Source | null = null;
  let key = '';
  return (source) => {
    const { suite, dataset, agent } = source;
    if (suite !== last?.suite || dataset !== last.dataset || agent !== last.agent) {
      key = toTupleKey(suite, dataset, agent);
    }
    last = source;
    return key;
  };
}

/** One string for several: the lengths keep ("a", "bc") and ("ab", "c") apart, whatever characters they hold. */
export function toTupleKey(...parts: readonly string[]): string {
  let key = '';
  for (const part of parts) key += `${part.length}:${part}`;
  return key;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Orders names as people do: "level 2" before "level 10". Total: only identical names compare as 0. */
export function compareNaturally(left: string, right: string): number {
  // The collator calls some different strings equal ("é" composed and decomposed).
  return collator.compare(left, right) || (left < right ? -1 : Number(left > right));
}
