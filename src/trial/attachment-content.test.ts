import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { copyContent, readContent } from './attachment-content.ts';

test('a file is known again by its time, unless it was changed a moment ago', () => {
  expect(readContent('/etc/passwd').stamp).toMatch(/^\d+( \d+){4}$/);
  const fresh = readContent(`${makeFolder({ 'a.csv': 'a' })}/a.csv`);
  expect(fresh).toEqual({ hash: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', stamp: null });
});

test('a file that cannot be read in one piece is refused by name and size, before it is read', () => {
  const path = join(makeFolder({ 'a.bin': '' }), 'a.bin');
  truncateSync(path, 2 ** 31);
  const said = `${path} must be a file of less than 2 GiB, got 2147483648 bytes. Put a smaller file there.`;
  expect(() => readContent(path)).toThrow(said);
  expect(() => copyContent({ name: 'a.bin', path }, `${path}.copy`, null)).toThrow(said);
});
