import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { writeZip, type ZipMember } from './zip.ts';

/** Reads an archive as a viewer does that fetches one member after the other. */
function readLocalHeaders(bytes: Buffer) {
  const members: { name: string; text: string; isStreamed: boolean; isSound: boolean }[] = [];
  let at = 0;
  while (bytes.readUInt32LE(at) === 0x04034b50) {
    const [flags, sum] = [bytes.readUInt16LE(at + 6), bytes.readUInt32LE(at + 14)];
    const [packed, size] = [bytes.readUInt32LE(at + 18), bytes.readUInt32LE(at + 22)];
    const named = at + 30 + bytes.readUInt16LE(at + 26);
    const from = named + bytes.readUInt16LE(at + 28);
    const content = inflateRawSync(bytes.subarray(from, from + packed));
    members.push({
      name: bytes.toString('utf8', at + 30, named),
      text: content.toString('utf8'),
      isStreamed: (flags & 0b1000) !== 0,
      isSound: content.length === size && crc32(content) === sum,
    });
    at = from + packed;
  }
  return members;
}

const MEMBERS: readonly ZipMember[] = [
  ['a.json', '{"a":1}'],
  ['folder/é.json', 'ä'.repeat(100_000)],
  ['empty', ''],
];

test('the header of each member has its sizes and its checksum', () => {
  const file = join(makeFolder(), 'a.zip');
  writeZip(file, MEMBERS);
  expect(readLocalHeaders(readFileSync(file))).toEqual(
    MEMBERS.map(([name, text]) => ({ name, text, isStreamed: false, isSound: true })),
  );
});

test('what does not fit is refused, and leaves no file', () => {
  const file = join(makeFolder(), 'a.zip');
  expect(() => writeZip(file, [...MEMBERS, ['x'.repeat(65_501), '']])).toThrow(
    'at most 65,500 samples and 4 GB',
  );
  expect(readdirSync(dirname(file))).toEqual([]);
});
