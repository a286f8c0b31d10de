import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readContent } from './attachment-content.ts';

test('a file is known again by its time, unless it was changed a moment ago', () => {
  expect(readContent('/etc/passwd').stamp).toMatch(/^\d+( \d+){4}$/);
  const fresh = readContent(`${makeFolder({ 'a.csv': 'a' })}/a.csv`);
  expect(fresh).toEqual({ hash: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', stamp: null });
});
