import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const STRYKER = ['core', 'vitest-runner', 'instrumenter'].map((name) => `@stryker-mutator/${name}@10.1.1`);
/** What Vite bundles with. */
const PACKAGES = [...STRYKER, 'rolldown@1.2.19'];

/** Copies what is committed into a new folder, and adds Stryker (45 MB) and a bundler to the copy. */
export function makeCopy(root: string, folder: string): void {
  mkdirSync(folder);
  const archive = join(folder, 'archive.tar');
  execFileSync('git', ['archive', '--output', archive, 'HEAD'], { cwd: root });
  const options: ExecFileSyncOptions = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('tar', ['-xf', archive], options);
  execFileSync('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], options);
  execFileSync('pnpm', ['add', '-D', ...PACKAGES], options);
}
