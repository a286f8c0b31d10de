import { execFileSync } from 'node:child_process';

/** The commit that a folder's checkout is at; null outside a checkout and without git. */
export function readGitCommit(folder: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}
