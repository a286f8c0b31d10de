import { describe, expect, test } from 'vitest';
import { makeZip } from '../../../test/make-zip.ts';
import { readDocument } from './index.ts';
import { listMembers } from './zip.ts';

const ENTRY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);

/** An archive of one file with a number changed in its directory. */
function forge(offset: number, value: number): Buffer {
  const file = makeZip({ 'a.txt': 'x'.repeat(5_000) });
  file.writeUInt16LE(value, file.indexOf(ENTRY) + offset);
  return file;
}

function readFirst(file: Buffer, most = 1_000_000): string {
  return Buffer.from(listMembers(file)[0]?.read(most) ?? []).toString();
}

describe('a ZIP archive', () => {
  test('returns its files as they were', () => {
    const files = { 'a.txt': 'plain', 'b/ü.bin': new Uint8Array([0, 1, 2]), empty: '' };
    const members = listMembers(makeZip({ ...files, 'folder/': '' }));
    expect(members.map(({ name, size }) => [name, size])).toEqual([
      ['a.txt', 5],
      ['b/ü.bin', 3],
      ['empty', 0],
    ]);
    expect(members.map((member) => [...member.read(10)])).toEqual([
      [...Buffer.from('plain')],
      [0, 1, 2],
      [],
    ]);
  });

  test.each([
    [
      'an end that is missing',
      makeZip({ a: 'x' }).subarray(0, -10),
      'is not a complete ZIP archive: its end is missing',
    ],
    [
      'a member beyond the limit',
      makeZip({ a: 'x'.repeat(2_000_000) }),
      'at most 1000000 are read',
    ],
    [
      'more inside than it says',
      forge(24, 100),
      '"a.txt" cannot be unpacked to the 100 bytes that it should have',
    ],
    ['less inside than it says', forge(24, 6_000), '"a.txt" is not what its checksum says'],
    ['a wrong checksum', forge(16, 7), '"a.txt" is not what its checksum says'],
    ['a password', forge(8, 1), 'is encrypted with an unknown password'],
    ['another compression', forge(10, 12), 'packs "a.txt" by a method (12) that is not read'],
    ['a name that runs over the end', forge(28, 60_000), 'its directory is damaged'],
    ['a member that is not there', forge(42, 9), '"a.txt" is missing'],
    [
      'a directory that is not there',
      Buffer.from(`${'PK\x05\x06'.padEnd(10, '\0')}\x01${'\0'.repeat(11)}`),
      'damaged',
    ],
  ])('with %s is refused', (_, file, message) => {
    expect(() => readFirst(file)).toThrow(message);
  });

  test('is listed with the names by which its files are read', async () => {
    const { text } = await readDocument(makeZip({ 'a/b.csv': '1,2', '..\\c.txt': '' }), 'box.zip');
    expect(text).toBe(
      '2 files. Each can be read by its name here:\n"box.zip/a/b.csv", 3 bytes\n' +
        '"box.zip/../c.txt", 0 bytes',
    );
  });
});
