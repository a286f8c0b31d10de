import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
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
  'test/read-cases.ts',
];

/** A copy of the project that a test may edit; it shares the installed packages. */
export function copyProject(copy = makeFolder()): string {
  for (const part of PARTS) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
