import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { ROOT } from './run-vitest.ts';

/** A copy of the project that a test may edit; it shares the installed packages. */
export function copyProject(): string {
  const copy = makeFolder();
  for (const part of ['src', 'reporters', 'evals', 'vitest.config.ts', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
