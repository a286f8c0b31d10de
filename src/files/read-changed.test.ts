import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readChanged } from './read-changed.ts';

const LARGEST = 2 ** 22;

async function read(content: string | Buffer) {
  await using file = await open(join(makeFolder({ file: content }), 'file'));
  return await readChanged(file, (await file.stat()).size, (bytes) => bytes.replaceAll('a secret', '[key]'));
}

test('gives the bytes of a file without what is to be hidden, and all others as they are', async () => {
  const other = Buffer.from([0, 0xff, 0x80, 0xc3, 0xa9, 10]);
  const changed = await read(Buffer.concat([other, Buffer.from('a secret'), other, Buffer.from('a secret')]));
  expect(changed).toEqual(Buffer.concat([other, Buffer.from('[key]'), other, Buffer.from('[key]')]));
});

test.each([
  ['without anything to hide', 'x'.repeat(LARGEST + 1)],
  ['that is empty', ''],
])('gives nothing for a file %s', async (_, content) => {
  expect(await read(content)).toBeNull();
});

test.each([2 ** 18 - 4, 2 ** 19 - 1, LARGEST - 8])('finds what stands from byte %i on', async (at) => {
  const pad = (length: number) => 'x'.repeat(length);
  expect(String(await read(`${pad(at)}a secret`))).toBe(`${pad(at)}[key]`);
  await expect(read(`${pad(at)}a secret${pad(LARGEST)}`)).rejects.toThrow(
    'it holds a key, and only files of up to 4 MB',
  );
});
