import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep, win32 } from 'node:path';
import { toErrorCode } from '../../records/read-text.ts';
import { RecordError } from '../../records/record-error.ts';
import type { Attachment } from '../../types.ts';
import type { Place } from '../record-fields.ts';
import type { GaiaDraft } from './draft.ts';
import { hubBlobs } from './hub-cache.ts';

/**
 * The file that a record names, beside the file of the records. Datasets are untrusted: throws a RecordError when the
 * name leaves that folder, by itself or through a link, and when there is no such file.
 */
export function findAttachment(place: Place, attachment: NonNullable<GaiaDraft['attachment']>): Attachment {
  const problem = findProblem(resolve(place.file), attachment.name);
  if (problem === null) {
    const path = resolve(dirname(place.file), attachment.name);
    return { name: basename(path), path };
  }
  throw new RecordError({
    ...place,
    field: attachment.field,
    problem: problem.problem,
    value: attachment.name,
    remedy: problem.remedy,
  });
}

type Problem = { readonly problem: string; readonly remedy: string };

function findProblem(recordFile: string, name: string): Problem | null {
  const folder = dirname(recordFile);
  const path = resolve(folder, name);
  // Both kinds of absolute path, so that a dataset is refused on every machine or on none.
  if (isAbsolute(name) || win32.isAbsolute(name)) {
    return { problem: 'must be a file name, not an absolute path', remedy: 'Name a file beside the records.' };
  }
  if (!isWithin(folder, path)) {
    return { problem: 'must not leave the folder of the records', remedy: 'Name a file beside the records.' };
  }
  try {
    return findFileProblem(recordFile, folder, path);
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
  if (!statSync(real).isFile()) return { problem: 'must be a file, this is none', remedy: 'Name a file.' };
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
