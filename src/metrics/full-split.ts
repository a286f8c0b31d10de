/** What is known of the questions of a run. */
export type AskedQuestions = {
  /** The dataset's name in reports. */
  readonly dataset: string;
  readonly source: { readonly uri: string } | null;
  /** The group of each question. */
  readonly groups: readonly string[];
};

export type FullSplit = 'validation' | 'test';

/** Questions by level; the test split has 49 rows of level 3, one of which is a placeholder and no question. */
const SIZES: readonly (readonly [split: FullSplit, ...levels: readonly number[]])[] = [
  ['validation', 53, 86, 26],
  ['test', 93, 159, 48],
  ['test', 93, 159, 49],
];

/**
 * Which of GAIA's splits was asked whole, null when none: by the number of questions of each level, and by the dataset's
 * address or a name with "gaia" in it. A part, or another dataset, must not be held against published figures.
 */
export function recogniseFullSplit({ dataset, source, groups }: AskedQuestions): FullSplit | null {
  const split = findSplitOfSize(groups);
  return isGaia(source) || isNamedGaia(dataset, [split]) ? split : null;
}

/** Whether a dataset is GAIA, whole or in part: what is said of GAIA alone is said of no other. */
export function isGaiaItself({ dataset, source }: Pick<AskedQuestions, 'dataset' | 'source'>): boolean {
  return isGaia(source) || isNamedGaia(dataset, ['validation', 'test']);
}

/** The split that has as many questions of each level; null when none has. */
export function findSplitOfSize(groups: readonly string[]): FullSplit | null {
  const counts = [1, 2, 3].map((level) => groups.filter((group) => group === `level ${level}`).length);
  const isSize = (levels: readonly number[]) => levels.every((size, index) => size === counts[index]);
  const [split] = SIZES.find(([, ...levels]) => isSize(levels)) ?? [];
  const total = counts.reduce((sum, count) => sum + count, 0);
  return split === undefined || total !== groups.length ? null : split;
}

/** `<folder>/<split>`, as a local copy is named in reports. */
function isNamedGaia(dataset: string, splits: readonly (FullSplit | null)[]): boolean {
  return splits.some((split) => dataset.endsWith(`/${split}`)) && /(?<![a-z])gaia(?![a-z])/i.test(dataset);
}

function isGaia(source: AskedQuestions['source']): boolean {
  return source !== null && /^hf:gaia-benchmark\/gaia(?:@|$)/i.test(source.uri);
}
