import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POSIX_FILES } from './only-posix.ts';

test('unit tests that need pipes, signals, modes or /bin/sh are not run on Windows', () => {
  const left = new Set(globSync('{src,reporters}/**/*.test.ts'));
  for (const pattern of Object.values(POSIX_FILES).flat()) {
    const files = globSync(pattern);
    expect(files, pattern).not.toEqual([]);
    for (const file of files) left.delete(file);
  }
  const needing = [...left].filter((file) => {
    const text = readFileSync(file, 'utf8');
    return /mkfifo|SIGSTOP|chmod|0o[0-7]{3}|\/bin\/sh/.test(text) && !text.includes('ONLY_POSIX');
  });
  expect(needing).toEqual([]);
});
