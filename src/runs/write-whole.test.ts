import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { writeLines } from './write-whole.ts';

test('lines of any length and number are in the file, in their order', () => {
  const folder = makeFolder();
  const lines = [...Array.from({ length: 5000 }, (_, index) => `${index}\n`), `${'x'.repeat(3_000_000)}\n`, 'last\n'];
  writeLines(join(folder, 'file'), lines);
  expect(readFileSync(join(folder, 'file'), 'utf8') === lines.join('')).toBe(true);
  expect(readdirSync(folder)).toEqual(['file']);
});

test('lines that fail on their way leave the earlier file as it was', () => {
  const folder = makeFolder({ file: 'earlier\n' });
  function* fail() {
    yield 'new\n';
    throw new Error('no more');
  }
  expect(() => writeLines(join(folder, 'file'), fail())).toThrow('no more');
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('earlier\n');
});
