import { hash } from 'node:crypto';
import { accessSync, constants, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, win32 } from 'node:path';
import { isFields } from '../words/fields.ts';
import type { Attachment, Sample } from '../words/sample.ts';
import { pathWithin } from '../words/show.ts';
import { plainly, type Told, told } from '../words/told.ts';
import { writing } from '../words/write-error.ts';
import { ensureFolder, isFile, keepToUser, leadsOut, toErrorCode } from './files/read-file.ts';
import { type Field, fault, findFilled, type Place, type RecordFields } from './record-fields.ts';
import { listNames, type Shape } from './shape.ts';

/** The name of a file in a record, and the field that names it. */
export type NamedAttachment = Readonly<{ field: string; name: string }>;

/**
 * The file that a record names, relative to the folder of the records. Datasets are untrusted:
 * throws a RecordError when the name leaves that folder, directly or through a link, and when there
 * is no such file.
 */
export function findAttachment(place: Place, attachment: NamedAttachment): Attachment {
  assertAttachmentName(place, attachment);
  const path = resolve(dirname(place.file), attachment.name);
  refuse(place, attachment, findFileProblem(resolve(place.file), path));
  return { name: basename(path), path };
}

/**
 * Throws a RecordError when a name is absolute or leaves the folder of the records, even if there
 * is no such file.
 */
export function assertAttachmentName(place: Place, attachment: NamedAttachment): void {
  const { name } = attachment;
  const folder = dirname(resolve(place.file));
  // Both kinds of absolute path are refused, so the result is the same on every machine.
  if (isAbsolute(name) || win32.isAbsolute(name))
    refuse(place, attachment, told`must be a file name, not an absolute path`);
  if (pathWithin(folder, resolve(folder, name)) === null)
    refuse(place, attachment, told`must not leave the folder of the records`);
}

function refuse(place: Place, { field, name }: NamedAttachment, problem: Told | null): void {
  if (problem === null) return;
  throw fault(
    place,
    { name: field, value: name },
    problem,
    'Put the file beside the records and write its name here.',
  );
}

function findFileProblem(recordFile: string, path: string): Told | null {
  try {
    if (leadsOut(dirname(recordFile), path))
      return told`is a link that leaves the folder of the records`;
    const real = realpathSync(path);
    const [stats, records] = [
      statSync(real, { bigint: true }),
      statSync(recordFile, { bigint: true }),
    ];
    // A hard link has another path.
    if (stats.dev === records.dev && stats.ino === records.ino)
      return told`must not be the file with the expected answers`;
    if (!stats.isFile()) return told`must be a file`;
    if (stats.size >= TOO_MANY_BYTES)
      return told`names a file of ${Number(stats.size)} bytes; it must have less than 2 GiB`;
    accessSync(real, constants.R_OK);
    return null;
  } catch (error) {
    const code = toErrorCode(error);
    const isGone = code === 'ENOENT' || code === 'ENOTDIR';
    return isGone
      ? told`names a file that does not exist`
      : told`names a file that cannot be read (${plainly(code)})`;
  }
}

/** A picture that a record contains. */
type Picture = Readonly<{ name: string; bytes: Uint8Array }>;

/** The pictures of a field: contained ones, and names of files. */
export type FoundFiles = readonly (Picture | NamedAttachment)[];

/**
 * The pictures of a field: bytes, {bytes, path} as in a Parquet file of the Hub, a data URL,
 * base64, the name of a file, or a list of these. Null for any other value.
 */
export function findPictures({ name, value }: Field): FoundFiles | null {
  if (value === null || value === undefined || value === '') return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const found = values.map((each, index) =>
    toPicture(each, values.length === 1 ? name : `${name}_${index + 1}`, name),
  );
  return found.includes(null) ? null : found.filter((picture) => picture !== null);
}

function toPicture(value: unknown, name: string, field: string): FoundFiles[number] | null {
  if (value instanceof Uint8Array) {
    const type = findType(value);
    return type === undefined ? null : { name: `${name}.${type}`, bytes: value };
  }
  if (typeof value === 'string') {
    if (FILE.test(value)) return { field, name: value };
    const base64 = BASE64.exec(value)?.[1];
    return base64 === undefined ? null : toPicture(Buffer.from(base64, 'base64'), name, field);
  }
  if (!isFields(value)) return null;
  const inner = value['bytes'] ?? value['path'];
  const isNested = isFields(inner) && !(inner instanceof Uint8Array);
  return isNested ? null : toPicture(inner, name, field);
}

const FILE = /^[^:\s][^:\n]{0,200}\.(?:png|jpe?g|gif|webp|bmp|svg|tiff?)$/i;

/** A data URL, or the beginnings of PNG, JPEG, GIF and WebP in base64. */
const BASE64 = /^(?:data:image\/[\w.+-]{1,40};base64,)?((?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR).+)$/s;

const TYPES: readonly (readonly [type: string, start: RegExp])[] = [
  ['png', /^\x89PNG/],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['bmp', /^BM.{4}\0{4}/s],
  ['tiff', /^(?:II\*\0|MM\0\*)/],
];

function findType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16));
  return TYPES.find(([, pattern]) => pattern.test(start.toString('latin1')))?.[0];
}

/** The pictures that records contain. They become files when their samples are to run. */
export class Pictures {
  readonly #folder: string;
  readonly #bytes = new Map<string, Uint8Array>();

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  /** Whether a record has any. */
  get any(): boolean {
    return this.#bytes.size > 0;
  }

  /** The attachment of a picture. Its file is named after its content. */
  add({ name, bytes }: Picture): Attachment {
    const path = join(this.#folder, hash('sha256', bytes).slice(0, 32));
    this.#bytes.set(path, bytes);
    return { name, path };
  }

  /** For the user alone: most records with pictures are private. */
  write(samples: readonly Sample[]): void {
    if (!this.any) return;
    ensureFolder(this.#folder);
    keepToUser(this.#folder);
    for (const { path } of samples.flatMap(({ attachments }) => attachments)) {
      const bytes = this.#bytes.get(path);
      if (bytes !== undefined && !isFile(path))
        writing(path, () => writeFileSync(path, bytes, { mode: 0o600 }));
    }
  }
}

/** The attachments and pictures of a record. A value of another kind stays in the metadata. */
export function findFiles({ place, values }: RecordFields, shape: Shape) {
  const attachments = findFilled(values, listNames(shape.attachments));
  const pictures = findFilled(values, listNames(shape.images)).flatMap((field) => {
    const found = findPictures(field);
    return found === null || found.length === 0 ? [] : [{ field, found }];
  });
  const all = pictures.flatMap(({ found }) => found);
  // If a record contains a file, the file that it also names need not exist.
  const contained = all.filter((file) => 'bytes' in file);
  const named = attachments.flatMap((field) =>
    [field.value].flat().map((name: unknown) => {
      if (typeof name === 'string') return { field: field.name, name };
      throw fault(place, field, told`must be the name of a file, or a list of names`);
    }),
  );
  return {
    files: [...named, ...(contained.length > 0 ? contained : all)],
    used: [...attachments, ...pictures.map(({ field }) => field)],
  };
}

/**
 * Node cannot read a file of this many bytes in one piece, and its error does not name the file.
 */
const TOO_MANY_BYTES = 2 ** 31;
