import { crc32, inflateRawSync } from 'node:zlib';
import { ReadError } from './read-error.ts';

/** A file in a ZIP archive, as the archive's directory describes it. */
export type ZipMember = {
  /** With "/" between folders. */
  readonly name: string;
  /** Bytes that it claims to have when unpacked. */
  readonly size: number;
  /** The bytes, unpacked and checked. Throws a ReadError when they are more than `most`, or not what they should be. */
  read(most: number): Uint8Array;
};

const MAX_MEMBERS = 10_000;

/** The files in a ZIP archive (no folders); nothing is unpacked yet. Throws a ReadError when it is no whole archive. */
export function listMembers(bytes: Uint8Array): readonly ZipMember[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { count, offset } = findDirectory(file);
  if (count > MAX_MEMBERS) throw new ReadError(`holds ${count} members; at most ${MAX_MEMBERS} are read`);
  const members: ZipMember[] = [];
  const names = new Set<string>();
  let position = offset;
  for (let index = 0; index < count; index += 1) {
    const { name, length, member } = readEntry(file, position);
    // A name that stands twice is a trick: which of the two counts would depend on the reader.
    if (names.has(name)) throw new ReadError(`is no sound ZIP archive: ${JSON.stringify(name)} stands in it twice`);
    names.add(name);
    if (!name.endsWith('/')) members.push(member);
    position += length;
  }
  return members;
}

/** True for a name that would lead out of the folder into which an archive is unpacked. */
export function leadsOutside(name: string): boolean {
  return name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.includes('\0') || name.split('/').includes('..');
}

const END = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;

/** The end record stands last in the file, before a comment of its own. */
function findDirectory(file: Buffer): { readonly count: number; readonly offset: number } {
  const lowest = Math.max(0, file.length - END_LENGTH - MAX_COMMENT);
  for (let at = file.length - END_LENGTH; at >= lowest; at -= 1) {
    if (file.readUInt32LE(at) !== END) continue;
    const [count, offset] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 16)];
    if (count === 0xffff || offset === 0xffffffff) throw new ReadError('is a ZIP archive for very large files (ZIP64)');
    return { count, offset };
  }
  throw new ReadError('is no whole ZIP archive: its end is missing. It may have been cut off');
}

const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;

function readEntry(file: Buffer, at: number) {
  if (at + ENTRY_LENGTH > file.length || file.readUInt32LE(at) !== ENTRY) throw broken('its directory is damaged');
  const flags = file.readUInt16LE(at + 8);
  const nameEnd = at + ENTRY_LENGTH + file.readUInt16LE(at + 28);
  const extraEnd = nameEnd + file.readUInt16LE(at + 30);
  if (extraEnd > file.length) throw broken('its directory is damaged');
  const name = decodeName(file.subarray(at + ENTRY_LENGTH, nameEnd), (flags & 0x800) !== 0);
  const entry = {
    name,
    encrypted: (flags & 1) !== 0,
    method: file.readUInt16LE(at + 10),
    checksum: file.readUInt32LE(at + 16),
    ...readSizes(file, at, file.subarray(nameEnd, extraEnd)),
  };
  const length = extraEnd - at + file.readUInt16LE(at + 32);
  return { name, length, member: { name, size: entry.size, read: (most: number) => unpack(file, entry, most) } };
}

type Entry = {
  readonly name: string;
  readonly encrypted: boolean;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
};

/** Sizes and place of an entry; those that are marked as too large stand in its ZIP64 field, in this order. */
function readSizes(file: Buffer, at: number, extra: Buffer) {
  const long = findLongField(extra);
  let used = 0;
  const take = (value: number) => {
    if (value !== 0xffffffff) return value;
    if (used + 8 > long.length) throw broken('its directory is damaged');
    used += 8;
    return Number(long.readBigUInt64LE(used - 8));
  };
  const size = take(file.readUInt32LE(at + 24));
  const packed = take(file.readUInt32LE(at + 20));
  return { size, packed, offset: take(file.readUInt32LE(at + 42)) };
}

function findLongField(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, end);
    at = end;
  }
  return extra.subarray(0, 0);
}

/** Some programs write "\" between folders; names that are not marked as UTF-8 mostly are it all the same. */
function decodeName(bytes: Uint8Array, isUtf8: boolean): string {
  const name = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const readable = isUtf8 || !name.includes('\uFFFD') ? name : new TextDecoder('windows-1252').decode(bytes);
  return readable.replaceAll('\\', '/');
}

const HEAD = 0x04034b50;
const HEAD_LENGTH = 30;

function unpack(file: Buffer, entry: Entry, most: number): Uint8Array {
  const { name, encrypted, method, packed, size, offset } = entry;
  if (encrypted) throw new ReadError(`is encrypted with a password, which is not known (member ${show(name)})`);
  if (size > most) throw new ReadError(`is too large: ${show(name)} has ${size} bytes; at most ${most} are read`);
  if (offset + HEAD_LENGTH > file.length || file.readUInt32LE(offset) !== HEAD)
    throw broken(`${show(name)} is missing`);
  const begin = offset + HEAD_LENGTH + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  if (begin + packed > file.length) throw broken(`${show(name)} is cut off`);
  const content = decompress(file.subarray(begin, begin + packed), method, name, size);
  if (content.length === size && crc32(content) === entry.checksum) return content;
  throw broken(`${show(name)} is not what its checksum says`);
}

/** Never more than `size` bytes: an archive may claim less than it unpacks to. */
function decompress(packed: Buffer, method: number, name: string, size: number): Uint8Array {
  if (method === 0) return packed;
  if (method !== 8) throw new ReadError(`uses a compression (method ${method}) that is not read, for ${show(name)}`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw broken(`${show(name)} cannot be unpacked to the ${size} bytes that it should have`);
  }
}

function show(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

function broken(detail: string): ReadError {
  return new ReadError(`is a broken ZIP archive: ${detail}`);
}
