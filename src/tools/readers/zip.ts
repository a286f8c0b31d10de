import { crc32, inflateRawSync } from 'node:zlib';
import { plural, quote } from '../../words/show.ts';

/**
 * Why a file cannot be read, for a model. The sentence continues the file's name: "is encrypted
 * ...".
 */
export class ReadError extends Error {}

/** A file in a ZIP archive, as the archive's directory describes it. */
export type ZipMember = Readonly<{
  /** The path of the file, with "/" between folders. */
  name: string;
  /** Its unpacked size in bytes, as the archive claims. */
  size: number;
  /**
   * The unpacked and checked bytes. Throws a ReadError when there are more than `most`, or when
   * size or checksum are wrong.
   */
  read(most: number): Uint8Array;
}>;

/**
 * The files in a ZIP archive (no folders). Nothing is unpacked yet. Throws a ReadError for a broken
 * archive.
 *
 * Not by fflate 0.8.3 (no issue found): it tells neither encryption nor checksum nor place of a
 * member, so each entry would be read twice, and it goes through a bomb to its end.
 */
export function listMembers(bytes: Uint8Array): readonly ZipMember[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { count, offset } = findDirectory(file);
  const members: ZipMember[] = [];
  for (let index = 0, next = offset; index < count; index++) {
    const entry = readEntry(file, next);
    const { name, size } = entry;
    if (!name.endsWith('/'))
      members.push({ name, size, read: (most) => unpack(file, entry, most) });
    next = entry.end;
  }
  return members;
}

/** The content of a ZIP archive: a line for each file, with the name by which it is read. */
export function describeZip(bytes: Uint8Array, name: string): string {
  const members = listMembers(bytes);
  const lines = members.map(
    (member) => `\n${JSON.stringify(`${name}/${member.name}`)}, ${plural(member.size, 'byte')}`,
  );
  return `${plural(members.length, 'file')}. Each can be read by its name here:${lines.join('')}`;
}

const END = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;

/** The end record is the last in the file; only its own comment may follow. */
function findDirectory(file: Buffer): Readonly<{ count: number; offset: number }> {
  const lowest = Math.max(0, file.length - END_LENGTH - MAX_COMMENT);
  for (let at = file.length - END_LENGTH; at >= lowest; at--) {
    if (file.readUInt32LE(at) !== END) continue;
    const count = file.readUInt16LE(at + 10);
    const offset = file.readUInt32LE(at + 16);
    if (count === 0xffff || offset === 0xffffffff)
      throw new ReadError('is a ZIP archive for very large files (ZIP64)');
    return { count, offset };
  }
  throw new ReadError('is not a complete ZIP archive: its end is missing');
}

const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;

/** An entry of the directory. `end` is the start of the next one. */
function readEntry(file: Buffer, at: number) {
  const damaged = 'its directory is damaged';
  if (at + ENTRY_LENGTH > file.length || file.readUInt32LE(at) !== ENTRY) throw broken(damaged);
  const flags = file.readUInt16LE(at + 8);
  const nameEnd = at + ENTRY_LENGTH + file.readUInt16LE(at + 28);
  const extraEnd = nameEnd + file.readUInt16LE(at + 30);
  if (extraEnd > file.length) throw broken(damaged);
  return {
    name: decodeName(file.subarray(at + ENTRY_LENGTH, nameEnd), (flags & 0x800) !== 0),
    isEncrypted: (flags & 1) !== 0,
    method: file.readUInt16LE(at + 10),
    checksum: file.readUInt32LE(at + 16),
    size: file.readUInt32LE(at + 24),
    packed: file.readUInt32LE(at + 20),
    offset: file.readUInt32LE(at + 42),
    end: extraEnd + file.readUInt16LE(at + 32),
  };
}

type Entry = ReturnType<typeof readEntry>;

/** Some programs write "\" between folders. Names without the UTF-8 mark are mostly UTF-8 too. */
function decodeName(bytes: Uint8Array, isUtf8: boolean): string {
  const name = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const readable =
    isUtf8 || !name.includes('\uFFFD') ? name : new TextDecoder('windows-1252').decode(bytes);
  return readable.replaceAll('\\', '/');
}

const HEAD = 0x04034b50;
const HEAD_LENGTH = 30;

/** Never unpacks more than `size` bytes, since an archive may claim a smaller size than it has. */
function unpack(file: Buffer, entry: Entry, most: number): Uint8Array {
  const { packed, size, offset, method } = entry;
  const name = quote(entry.name);
  if (entry.isEncrypted)
    throw new ReadError(`is encrypted with an unknown password (member ${name})`);
  if (size > most)
    throw new ReadError(`is too large: ${name} has ${size} bytes; at most ${most} are read`);
  if (offset + HEAD_LENGTH > file.length || file.readUInt32LE(offset) !== HEAD)
    throw broken(`${name} is missing`);
  const begin =
    offset + HEAD_LENGTH + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  if (begin + packed > file.length) throw broken(`${name} is cut off`);
  const content = file.subarray(begin, begin + packed);
  if (method !== 0 && method !== 8)
    throw new ReadError(`packs ${name} by a method (${method}) that is not read`);
  try {
    const unpacked =
      method === 0 ? content : inflateRawSync(content, { maxOutputLength: Math.max(1, size) });
    if (unpacked.length === size && crc32(unpacked) === entry.checksum) return unpacked;
  } catch {
    throw broken(`${name} cannot be unpacked to the ${size} bytes that it should have`);
  }
  throw broken(`${name} is not what its checksum says`);
}

function broken(detail: string): ReadError {
  return new ReadError(`is a broken ZIP archive: ${detail}`);
}
