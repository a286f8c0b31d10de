import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');

/** Another commit, measured by its own bench in the same rounds, and its package. */
export type Beside = Pick<typeof import('./sides.ts'), 'makeVariants'> &
  Pick<typeof import('./live.ts'), 'LIVE_ROWS'> &
  Readonly<{ commit: string; modules: string }>;

/**
 * Takes a commit out of the history into a folder, and packs and installs it. It runs with the
 * packages of this checkout, so that both sides have the same Vitest.
 */
export async function takeBeside(commit: string, folder: string): Promise<Beside> {
  const checkout = join(folder, 'beside');
  mkdirSync(checkout);
  const tar = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync('tar', ['-x'], { cwd: checkout, input: tar });
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  const load = (name: string) => import(pathToFileURL(join(checkout, 'bench/overhead', name)).href);
  const { installPackage }: typeof import('./projects.ts') = await load('projects.ts');
  const { makeVariants }: typeof import('./sides.ts') = await load('sides.ts');
  const { LIVE_ROWS }: typeof import('./live.ts') = await load('live.ts');
  return { commit, modules: await installPackage(checkout), makeVariants, LIVE_ROWS };
}
