import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { toErrorCode } from '../../records/read-text.ts';
import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import { chooseRecordFiles, describePlaces, type RecordFiles, type Split } from './record-files.ts';

/** Finds the files with the records of a split below a folder; a path to a file is that file. */
export function locateGaia(path: string, split: Split): RecordFiles {
  if (!isFolder(path))
    return { files: [path], notes: noteOtherSplit(path, dirname(resolve(path)), split), isWhole: true };
  const found = chooseIn(path, split);
  if (found === null) throw notFound(path, split);
  const direct = found.files.some((file) => dirname(file) === '.');
  return {
    ...found,
    files: found.files.map((file) => join(path, file)),
    notes: [...(direct ? noteOtherSplit(path, resolve(path), split) : []), ...found.notes],
  };
}

function chooseIn(path: string, split: Split): RecordFiles | null {
  return chooseRecordFiles(split, (file) => existsSync(join(path, file)));
}

function noteOtherSplit(path: string, folder: string, split: Split): string[] {
  const named = basename(folder);
  if (named === split || (named !== 'test' && named !== 'validation')) return [];
  return [`${quote(basename(path))} is of the split "${named}", so "${split}" was not looked for.`];
}

function notFound(path: string, split: Split): RecordError {
  const other = split === 'test' ? 'validation' : 'test';
  const hasOther = chooseIn(path, other) !== null;
  return new RecordError({
    file: path,
    problem: `the folder has ${describePlaces(split)}`,
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
