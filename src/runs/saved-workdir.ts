import { lstat, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyTree, type LeftOut, type TreeLimits } from '../files/copy-tree.ts';
import { makeFolders } from '../files/make-folders.ts';
import type { ByteChange } from '../files/read-changed.ts';
import { removeTree } from '../files/remove-tree.ts';
import { hideSecrets } from '../secrets/hide-secrets.ts';
import type { SampleResult } from '../types.ts';
import { toTracePath } from './trace-file.ts';

/** What is kept of one work folder: an agent may leave whatever fits on a disk. */
const LIMITS: TreeLimits = { bytes: 256 * 2 ** 20, entries: 10_000, depth: 32 };

/**
 * Keeps the work folder of a trial in the run folder, workspace/<suite>/<agent>/<id>-<hash>.<trial>/: what the agent
 * left there, the attachments, and answer.txt with the answer that was found, if one was. Links are left out, and so is
 * a folder that has become a link itself. The user's keys are cut out of files; a name or a large file that holds one is
 * left out. What is left out is named in left-out.txt; its number is given back. What the agent left under these two names is kept beside
 * them, as answer.agent.txt and left-out.agent.txt.
 */
export async function saveWorkdir(
  runFolder: string,
  workdir: string,
  result: SampleResult,
  secrets: readonly string[] = [],
  limits: TreeLimits = LIMITS,
): Promise<number> {
  if ((await lstat(workdir).catch(() => null))?.isDirectory() !== true) return 0;
  const target = join(runFolder, toWorkspacePath(result));
  makeFolders(dirname(target));
  // What an earlier turn or version kept may hold links, through which a copy would be written.
  await removeTree(target);
  const leftOut = await copyTree(workdir, target, limits, toChange(secrets));
  await writeNote(target, 'answer', result.answer === null ? null : `FINAL ANSWER: ${result.answer}\n`);
  await writeNote(target, 'left-out', leftOut.count === 0 ? null : describe(leftOut, limits));
  return leftOut.count;
}

function toChange(secrets: readonly string[]): ByteChange | undefined {
  const known = secrets.map((secret) => Buffer.from(secret).toString('latin1'));
  return known.length === 0 ? undefined : (bytes) => hideSecrets(bytes, known);
}

/** Relative to the run folder. */
export function toWorkspacePath(result: SampleResult): string {
  return toTracePath(result)
    .replace(/^traces/, 'workspace')
    .replace(/\.json$/, '');
}

/** Moves what the agent left under this name, also where nothing is to be written: it would be taken for viva's. */
async function writeNote(folder: string, name: string, text: string | null): Promise<void> {
  const file = join(folder, `${name}.txt`);
  if (await isThere(file)) await rename(file, await findFree(folder, `${name}.agent`));
  if (text !== null) await writeFile(file, text, { flag: 'wx' });
}

async function findFree(folder: string, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? `${name}.txt` : `${name}-${number}.txt`);
    if (!(await isThere(path))) return path;
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

function describe({ count, first }: LeftOut, { bytes, entries, depth }: TreeLimits): string {
  const limits = `${bytes / 2 ** 20} MB, ${entries} files and folders, ${depth} folders deep`;
  const rest = count > first.length ? [`and ${count - first.length} more`] : [];
  return [`Left out of this copy, which holds at most ${limits}:`, ...first, ...rest, ''].join('\n');
}
