import { basename, dirname, posix } from 'node:path';
import { quote } from '../../records/show-value.ts';

export type Split = 'validation' | 'test';

/** The files that hold a split's records; paths are relative to the dataset's root, with "/". */
export type RecordFiles = {
  readonly files: readonly string[];
  readonly notes: readonly string[];
  /** False when a level's file is missing beside those of the others. */
  readonly isWhole: boolean;
};

const WHOLE_FILES = ['metadata.jsonl', 'metadata.parquet'];
const LEVEL_FILES = ['1', '2', '3'].map((level) => `metadata.level${level}.parquet`);

/**
 * Chooses the files with a split's records: one file with all levels, else the files by level together. Null when
 * there is none.
 */
export function chooseRecordFiles(split: Split, has: (path: string) => boolean): RecordFiles | null {
  for (const folder of [`2023/${split}`, split, '']) {
    const inFolder = (names: readonly string[]) => names.map((name) => posix.join(folder, name)).filter(has);
    const [whole, ...others] = [...inFolder(WHOLE_FILES), ...inFolder(LEVEL_FILES)];
    if (whole === undefined) continue;
    if (!LEVEL_FILES.includes(basename(whole)))
      return { files: [whole], notes: noteChoice(whole, others), isWhole: true };
    const files = [whole, ...others];
    return { files, notes: noteLevels(files), isWhole: files.length === LEVEL_FILES.length };
  }
  return null;
}

/** The places that `chooseRecordFiles` looks at, for messages. */
export function describePlaces(split: Split): string {
  const names = [...WHOLE_FILES, 'metadata.level1.parquet'].map(quote).join(', ');
  return `none of ${names} in ${quote(`2023/${split}`)}, in ${quote(split)} or at its top`;
}

function noteChoice(chosen: string, others: readonly string[]): string[] {
  if (others.length === 0) return [];
  return [
    `Read ${quote(basename(chosen))}; beside it ${others.map((other) => quote(basename(other))).join(', ')} was left.`,
  ];
}

function noteLevels(files: readonly string[]): string[] {
  const names = files.map((file) => basename(file));
  const missing = LEVEL_FILES.filter((name) => !names.includes(name)).map(quote);
  const read = `Read together: ${names.map(quote).join(', ')}.`;
  return missing.length === 0
    ? [read]
    : [read, `The split is not whole: ${missing.join(' and ')} is not in ${quote(dirname(files[0] ?? ''))}.`];
}
