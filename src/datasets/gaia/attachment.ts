import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep, win32 } from 'node:path';
import { TOO_MANY_BYTES } from '../../files/regular-file.ts';
import { toErrorCode } from '../../records/read-text.ts';
import { RecordError } from '../../records/record-error.ts';
import type { Attachment } from '../../types.ts';
import type { Place } from '../record-fields.ts';
import type { NamedAttachment } from './draft.ts';
import { hubBlobs } from './hub-cache.ts';

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
