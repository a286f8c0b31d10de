import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readGates } from './session.ts';

test('a file of gates need not exist, and a pipe is not waited for', () => {
  const file = join(makeFolder(), 'gates.json');
  expect(readGates(file, 'gates.json')).toEqual([]);
  execFileSync('mkfifo', [file]);
  expect(() => readGates(file, 'gates.json')).toThrow('gates.json must be a file, got a device or pipe. Put the file');
});
