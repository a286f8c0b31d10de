import type { Split } from './load-gaia.ts';

/** The questions of levels 1 to 3. One row of the test split, of level 3, is a placeholder. */
const SIZES: ReadonlyMap<string, Split> = new Map([
  ['53,86,26', 'validation'],
  ['93,159,48', 'test'],
  ['93,159,49', 'test'],
]);

/** The split of GAIA with so many questions of each level; null if there is none. */
export function findSplitOfSize(groups: readonly string[]): Split | null {
  const levels = ['level 1', 'level 2', 'level 3'].map(
    (level) => groups.filter((group) => group === level).length,
  );
  const split = SIZES.get(levels.join()) ?? null;
  return levels.reduce((sum, size) => sum + size) === groups.length ? split : null;
}

/** Whether a dataset is GAIA, whole or in part: by its address, or as `<folder>/<split>`. */
export function isGaiaItself({
  dataset,
  source,
}: {
  readonly dataset: string;
  readonly source: { readonly uri: string } | null;
}): boolean {
  return (
    (source !== null && /^hf:gaia-benchmark\/gaia(?:@|$)/i.test(source.uri)) ||
    (/(?<![a-z])gaia(?![a-z])/i.test(dataset) && /\/(?:validation|test)$/.test(dataset))
  );
}
