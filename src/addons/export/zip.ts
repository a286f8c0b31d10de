import { appendFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import { writeAside } from '../../store/line-file.ts';

/** A file of an archive: its path, with "/" between folders, and its text. */
export type ZipMember = readonly [name: string, text: string];

/**
 * Writes a ZIP archive with one member in memory at a time. Each has its sizes and its checksum
 * before its bytes: viewers that fetch a single member look nowhere else. The same members make the
 * same bytes. Throws if they are more than a ZIP archive can have.
 */
export function writeZip(file: string, members: Iterable<ZipMember>): void {
  writeAside(file, (descriptor) => {
    const directory: Buffer[] = [];
    let offset = 0;
    for (const [path, text] of members) {
      const [name, content] = [Buffer.from(path), Buffer.from(text)];
      if (name.length > MOST_NAME) throw new Error(TOO_MUCH);
      const packed = deflateRawSync(content);
      const facts = describeMember(name, content, packed);
      directory.push(toEntry(name, facts, offset));
      const written = Buffer.concat([toNumbers([LOCAL, 4]), facts, name, packed]);
      appendFileSync(descriptor, written);
      offset += written.length;
      if (directory.length > MOST_MEMBERS || offset > MOST_BYTES) throw new Error(TOO_MUCH);
    }
    for (const part of [...directory, toEnd(directory, offset)]) appendFileSync(descriptor, part);
  });
}

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;

/** Less than what numbers of 4 and 2 bytes can say. */
const MOST_BYTES = 4_000_000_000;
const MOST_MEMBERS = 65_500;
const MOST_NAME = 65_500;
const TOO_MUCH =
  'A log for Inspect takes at most 65,500 samples and 4 GB, with ids of at most 65,500 bytes. Export a run of fewer or shorter ones.';

/** The oldest program that unpacks it has version 2.0 of the format. */
const VERSION = 20;
const IS_UTF8 = 0x0800;
const DEFLATED = 8;
/** 1 January 1980, the first day of the format. */
const DAY = 0x21;

/** What a member's header and its entry in the directory both say. */
function describeMember(name: Buffer, content: Buffer, packed: Buffer): Buffer {
  return toNumbers(
    [VERSION, 2],
    [IS_UTF8, 2],
    [DEFLATED, 2],
    [0, 2],
    [DAY, 2],
    [crc32(content), 4],
    [packed.length, 4],
    [content.length, 4],
    [name.length, 2],
    // No further fields.
    [0, 2],
  );
}

function toEntry(name: Buffer, facts: Buffer, offset: number): Buffer {
  // No comment, the first disk, no attributes.
  const rest = toNumbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]);
  return Buffer.concat([toNumbers([ENTRY, 4], [VERSION, 2]), facts, rest, name]);
}

function toEnd(directory: readonly Buffer[], offset: number): Buffer {
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const { length } = directory;
  return toNumbers(
    [END, 4],
    [0, 2],
    [0, 2],
    [length, 2],
    [length, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  );
}

/** Numbers of so many bytes each, the lowest byte first. */
function toNumbers(...numbers: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  return Buffer.concat(
    numbers.map(([value, bytes]) => {
      const part = Buffer.alloc(bytes);
      part.writeUIntLE(value, 0, bytes);
      return part;
    }),
  );
}
