import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGES = ['core', 'vitest-runner', 'instrumenter'].map((name) => `@stryker-mutator/${name}@10.1.1`);

/** Copies the checkout as it stands, without what git ignores, and adds Stryker to the copy (45 MB). */
export function makeCopy(root: string, folder: string): void {
  const flags = ['--cached', '--others', '--exclude-standard', '-z'];
  const files = execFileSync('git', ['ls-files', ...flags], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  for (const file of files.split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  const options: ExecFileSyncOptions = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], options);
  execFileSync('pnpm', ['add', '-D', ...PACKAGES], options);
}
