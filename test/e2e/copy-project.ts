import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from './run-vitest.ts';

/** pnpm's workspace file with them: without it pnpm would look for the pinned version of itself. */
const PARTS = [
  'src',
  'reporters',
  'evals',
  'vitest.config.ts',
  'package.json',
  'pnpm-workspace.yaml',
  'tsconfig.json',
  'test/only-posix.ts',
  'test/read-cases.ts',
];

/**
 * A copy of the project that a test may edit; it shares the installed packages. A worker's copies
 * follow each other in one folder, for which Node and Vitest have compiled the sources: without,
 * its first run costs 1.7 s of processor time more.
 */
export function copyProject(): string {
  const copy = join(tmpdir(), `viva-copy-${process.pid}`);
  const remove = () => rmSync(copy, { recursive: true, force: true });
  remove();
  onTestFinished(remove);
  mkdirSync(copy);
  for (const part of PARTS) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
