import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from './e2e/run-vitest.ts';

test('"vitest run evals" runs the evals alone: no test of viva has that word in its path', () => {
  const files = globSync('{src,reporters,test}/**/*.test.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => file.includes('evals'))).toEqual([]);
});
