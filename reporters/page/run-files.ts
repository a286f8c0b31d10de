import { statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isFile, readRegular } from '../../src/data/files/read-file.ts';
import { tryOrUndefined } from '../../src/words/show.ts';

/** A file of a question. */
export type FoundFile = Readonly<{
  name: string;
  /** Relative to the run folder, with "/"; absent if it is not there. */
  path?: string;
}>;

/**
 * The files of a question by their names. `paths` are those that the run has logged, relative to its
 * folder; a run of elsewhere may not have the files.
 */
export function findFiles(
  folder: string,
  paths: readonly string[],
  names: readonly string[] = [],
): readonly FoundFile[] {
  return names.map((name, index) => {
    const path = paths[index];
    const isThere = path !== undefined && isFile(join(folder, path));
    return isThere ? { name, path: path.split(sep).join('/') } : { name };
  });
}

/** A picture larger than this is linked. */
const LARGEST = 4_000_000;

/** The media types that browsers draw and that run nothing, by the bytes with which files begin. */
const KINDS: readonly (readonly [type: string, starts: (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a'],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff'],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1'))],
  ['image/webp', (bytes) => /^RIFF.{4}WEBP/s.test(bytes.toString('latin1'))],
];

const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;

export type ShownPicture = Readonly<{ type: string; bytes: Uint8Array }>;

/** Whether a file may be a picture, by its name and size. Pictures of records have no ending. */
export function mayBePicture(folder: string, { name, path }: FoundFile): boolean {
  if (path === undefined || !(PICTURE_NAME.test(name) || !name.includes('.'))) return false;
  const size = tryOrUndefined(() => statSync(join(folder, path)).size) ?? 0;
  return size > 0 && size <= LARGEST;
}

/** A picture of a question; null for any other file, whatever its name. */
export function readPicture(folder: string, file: FoundFile): ShownPicture | null {
  if (!mayBePicture(folder, file)) return null;
  const bytes = tryOrUndefined(() => readRegular(join(folder, file.path ?? '')));
  if (bytes === undefined) return null;
  const start = Buffer.from(bytes.subarray(0, 16));
  const type = KINDS.find(([, starts]) => starts(start))?.[0];
  return type === undefined ? null : { type, bytes };
}
