import { createHash } from 'node:crypto';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep, win32 } from 'node:path';
import { readRegular, TOO_MANY_BYTES, toErrorCode } from '../../records/files.ts';
import { RecordError } from '../../records/record.ts';
import { quote } from '../../text/show.ts';
import type { Attachment } from '../../types.ts';
import type { Field, Place } from '../record-fields.ts';
import type { NamedAttachment } from './layouts.ts';

/**
 * The file that a record names, beside the file of the records. Datasets are untrusted: throws a RecordError when the
 * name leaves that folder, by itself or through a link, and when there is no such file.
 */
export function findAttachment(place: Place, attachment: NamedAttachment): Attachment {
  assertAttachmentName(place, attachment);
  const path = resolve(dirname(place.file), attachment.name);
  refuse(place, attachment, findProblem(resolve(place.file), path));
  return { name: basename(path), path };
}

/** Throws a RecordError when a name is absolute or leaves the folder of the records, whether the file is there or not. */
export function assertAttachmentName(place: Place, attachment: NamedAttachment): void {
  refuse(place, attachment, findNameProblem(dirname(resolve(place.file)), attachment.name));
}

function refuse(place: Place, { field, name }: NamedAttachment, fault: Problem | null): void {
  if (fault === null) return;
  throw new RecordError({ ...place, field, problem: fault.problem, value: name, remedy: fault.remedy });
}

type Problem = { readonly problem: string; readonly remedy: string };

function findNameProblem(folder: string, name: string): Problem | null {
  // Both kinds of absolute path, so that a dataset is refused on every machine or on none.
  if (isAbsolute(name) || win32.isAbsolute(name)) {
    return { problem: 'must be a file name, not an absolute path', remedy: 'Name a file beside the records.' };
  }
  if (isWithin(folder, resolve(folder, name))) return null;
  return { problem: 'must not leave the folder of the records', remedy: 'Name a file beside the records.' };
}

function findProblem(recordFile: string, path: string): Problem | null {
  try {
    return findFileProblem(recordFile, dirname(recordFile), path);
  } catch (error) {
    return toProblem(toErrorCode(error));
  }
}

function findFileProblem(recordFile: string, folder: string, path: string): Problem | null {
  const real = realpathSync(path);
  const blobs = hubBlobs(realpathSync(folder));
  if (!isWithin(realpathSync(folder), real) && (blobs === null || !isWithin(blobs, real))) {
    return { problem: 'is a link that leaves the folder of the records', remedy: 'Put the file itself there.' };
  }
  if (real === realpathSync(recordFile)) {
    return { problem: 'must not be the file with the truths', remedy: 'Name the file of the question.' };
  }
  const stats = statSync(real);
  if (!stats.isFile()) return { problem: 'must be a file, this is none', remedy: 'Name a file.' };
  if (stats.size >= TOO_MANY_BYTES) {
    const problem = `names a file of ${stats.size} bytes, and only files of less than 2 GiB can be attached`;
    return { problem, remedy: 'Put a smaller file there, or take the record out.' };
  }
  accessSync(real, constants.R_OK);
  return null;
}

function toProblem(code: string): Problem {
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { problem: 'names a file that is not there', remedy: 'Download the attachments beside the records.' };
  }
  return { problem: `names a file that cannot be read (${code})`, remedy: 'Check the name and the permissions.' };
}

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** The attachment that a record names, null for an empty name or none; throws a RecordError when it is no text. */
export function toAttachmentName(place: Place, { name: field, value }: Field): NamedAttachment | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.trim() === '' ? null : { field, name: value };
  throw new RecordError({
    ...place,
    field,
    problem: 'must be text, "" when the question has no file',
    value,
    remedy: 'Fix the record or leave it out.',
  });
}

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

/**
 * The cache of the Hugging Face Hub keeps a dataset as `datasets--owner--name/snapshots/<revision>/...`, where every
 * file is a link into `datasets--owner--name/blobs`. Returns that folder for a folder in such a snapshot, else null:
 * links into it stay inside the dataset.
 */
function hubBlobs(folder: string): string | null {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const parent = dirname(at);
    if (basename(at) === 'snapshots' && basename(parent).startsWith('datasets--')) return join(parent, 'blobs');
  }
  return null;
}

/** SHA-256 over the bytes of files, in their order: identifies the records as they were published. */
export function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readRegular(file));
  return hash.digest('hex');
}
