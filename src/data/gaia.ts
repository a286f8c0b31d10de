import { basename } from 'node:path';
import type { Note } from '../words/sample.ts';
import { quote, toNotes } from '../words/show.ts';

export type Split = 'validation' | 'test';

/** The files of a dataset to read, and what the run says of the choice. */
export type ChosenFiles = Readonly<{ files: readonly string[]; notes: readonly Note[] }>;

/** Files with records that describe the files beside them, which may be tables too. */
const DESCRIBING = /^metadata\.(?:level[123]\.)?(?:jsonl|parquet)$/;

/**
 * The files with a split's records: one file with all levels, else those by level, some of which
 * may be missing. Null for a dataset without such files. `at` is its address, for the error where
 * it has the other split only.
 */
export function chooseGaia(
  all: readonly string[],
  split: Split,
  at: string,
): (ChosenFiles & { readonly isWhole: boolean }) | null {
  const described = all.filter((path) => DESCRIBING.test(basename(path)));
  const other = split === 'test' ? 'validation' : 'test';
  const [ofSplit = [], ofOther = []] = [split, other].map((each) =>
    described.filter((path) => isOfSplit(path, each)),
  );
  if (described.length === 0) return null;
  if (ofSplit.length === 0 && ofOther.length > 0) {
    throw new Error(
      `${at}: the dataset has no ${split} split. Set EVAL_SPLIT=${other}, which it has.`,
    );
  }
  const files = ofSplit.length > 0 ? ofSplit : described;
  const whole = files.find((path) => !path.includes('.level'));
  if (whole !== undefined) return { files: [whole], notes: [], isWhole: true };
  const isWhole = files.length === 3;
  const named = files.map((file) => quote(basename(file))).join(', ');
  const text = `Read together: ${named}${isWhole ? '' : '. The split is incomplete'}.`;
  return { files, notes: toNotes(isWhole ? 'source' : 'left out', [text]), isWhole };
}

export function isOfSplit(path: string, split: string): boolean {
  return new RegExp(`(?:^|[/_.-])${split}(?=[/_.-])`).test(path);
}

/** The questions of levels 1 to 3. One row of the test split, of level 3, is a placeholder. */
const SIZES: ReadonlyMap<string, Split> = new Map([
  ['53,86,26', 'validation'],
  ['93,159,48', 'test'],
  ['93,159,49', 'test'],
]);

/** The split of GAIA with these numbers of questions by level; null if there is none. */
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
}: Readonly<{
  dataset: string;
  source: { readonly uri: string } | null;
}>): boolean {
  return (
    (source !== null && /^hf:gaia-benchmark\/gaia(?:@|$)/i.test(source.uri)) ||
    (/(?<![a-z])gaia(?![a-z])/i.test(dataset) && /\/(?:validation|test)$/.test(dataset))
  );
}
