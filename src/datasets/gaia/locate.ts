import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { toErrorCode } from '../../records/read-text.ts';
import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';

export type Split = 'validation' | 'test';

/** What a folder may call its records, the preferred name first. */
const RECORD_FILES = ['metadata.jsonl'];

/** Finds the file with the records of a split below a folder; a path to a file is that file. */
export function locateGaia(path: string, split: Split): { readonly file: string; readonly notes: readonly string[] } {
  if (!isFolder(path)) return { file: path, notes: noteOtherSplit(path, dirname(resolve(path)), split) };
  const inFolders = [join('2023', split), split, ''];
  const candidates = inFolders.flatMap((folder) => RECORD_FILES.map((name) => join(folder, name)));
  const found = candidates.find((candidate) => existsSync(join(path, candidate)));
  if (found === undefined) throw notFound(path, split, candidates);
  const direct = dirname(found) === '.';
  return { file: join(path, found), notes: direct ? noteOtherSplit(path, resolve(path), split) : [] };
}

function noteOtherSplit(path: string, folder: string, split: Split): string[] {
  const named = basename(folder);
  if (named === split || (named !== 'test' && named !== 'validation')) return [];
  return [`${quote(basename(path))} is of the split "${named}", so "${split}" was not looked for.`];
}

function notFound(path: string, split: Split, candidates: readonly string[]): RecordError {
  const other = split === 'test' ? 'validation' : 'test';
  const hasOther = RECORD_FILES.some(
    (name) => existsSync(join(path, '2023', other, name)) || existsSync(join(path, other, name)),
  );
  return new RecordError({
    file: path,
    problem: `the folder has none of ${candidates.map(quote).join(', ')}`,
    remedy: hasOther ? `It has the split "${other}": ask for that.` : 'Name the folder of the dataset, or its file.',
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    const code = toErrorCode(cause);
    const problem = code === 'ENOENT' ? 'no such file or folder' : `the path cannot be read (${code})`;
    throw new RecordError({ file: path, problem, remedy: 'Check the path.', cause });
  }
}
