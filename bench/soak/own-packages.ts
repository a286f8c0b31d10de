import { execFileSync } from 'node:child_process';
import { realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Puts packages and what they need into a project itself, in place of links: children with leave to read the project's
 * packages alone may follow none that leads out of it. Each stands behind the one that needs it.
 */
export function ownPackages(project: string, names: readonly string[]): void {
  const folder = join(project, 'node_modules');
  // Where packages are installed, what one needs lies beside it.
  let needs = folder;
  for (const name of names) {
    needs = dirname(realpathSync(join(needs, name)));
    rmSync(join(folder, name), { force: true, recursive: true });
    // cpSync leaves links within a folder as they are, whatever it is told.
    execFileSync('cp', ['-RL', `${needs}/.`, folder]);
  }
}
