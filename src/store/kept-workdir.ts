import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { access, constants, cp, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { toErrorCode } from '../records/files.ts';
import { redact } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import type { SampleResult } from '../types.ts';
import { toTracePath } from './run-folder.ts';

/** What a copy of a work folder may hold: an agent may leave whatever fits on a disk. */
type Limits = { readonly bytes: number; readonly entries: number };

const LIMITS: Limits = { bytes: 256 * 2 ** 20, entries: 10_000 };

/**
 * Keeps the work folder of a trial in the run folder, workspace/<suite>/<agent>/<id>-<hash>.<trial>/: the agent's files,
 * the attachments, and answer.txt with the answer, if one was found. left-out.txt names what is not copied: links, what
 * is beyond the limits or cannot be read, and files that hold a key. Gives the number of them. Files of the agent with
 * these two names are kept as answer.agent.txt and left-out.agent.txt.
 */
export async function saveWorkdir(
  runFolder: string,
  workdir: string,
  result: SampleResult,
  secrets: readonly string[] = [],
  limits: Limits = LIMITS,
): Promise<number> {
  if ((await lstat(workdir).catch(() => null))?.isDirectory() !== true) return 0;
  const target = join(runFolder, toWorkspacePath(result));
  // An older version kept links, through which a copy would be written.
  await removeTree(target);
  const leftOut = await copyTree(workdir, target, secrets, limits);
  await writeNote(target, 'answer', result.answer === null ? null : `FINAL ANSWER: ${result.answer}\n`);
  await writeNote(target, 'left-out', leftOut.length === 0 ? null : describe(leftOut, limits));
  return leftOut.length;
}

/** Where the work folder of a trial is kept, relative to the run folder. */
export function toWorkspacePath(result: SampleResult): string {
  return toTracePath(result)
    .replace(/^traces/, 'workspace')
    .replace(/\.json$/, '');
}

/** Gives a line for each file or folder that is not copied. Pipes, sockets and devices are not counted. */
async function copyTree(from: string, to: string, secrets: readonly string[], limits: Limits) {
  const leftOut: string[] = [];
  const nameOf = (path: string) => relative(from, path) || '.';
  const leave = (path: string, why: string) => {
    leftOut.push(`${escapeLine(redact(nameOf(path), secrets))}: ${why}`);
    return false;
  };
  let { bytes, entries } = limits;
  const filter = async (path: string): Promise<boolean> => {
    if (path === from) return true;
    try {
      const stats = await lstat(path);
      if (stats.isSymbolicLink()) return leave(path, 'a link');
      if (!stats.isFile() && !stats.isDirectory()) return false;
      entries -= 1;
      if (entries < 0) return leave(path, `more than ${limits.entries} files and folders`);
      if (redact(nameOf(path), secrets) !== nameOf(path)) return leave(path, 'its name holds a key');
      await access(path, constants.R_OK);
      if (stats.isDirectory()) return true;
      if (stats.size > bytes) return leave(path, `${stats.size} bytes are more than the limit leaves`);
      if (await holdsKey(path, secrets)) return leave(path, 'it holds a key');
      bytes -= stats.size;
      return true;
    } catch (error) {
      return leave(path, toErrorCode(error));
    }
  };
  try {
    await cp(from, to, { recursive: true, filter });
  } catch (error) {
    leave(from, `the rest is not copied (${toErrorCode(error)})`);
  }
  return leftOut;
}

/** Longer than any key. */
const OVERLAP = 1000;

async function holdsKey(file: string, secrets: readonly string[]): Promise<boolean> {
  if (secrets.length === 0) return false;
  let end = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 2 ** 20 })) {
    const text = `${end}${chunk}`;
    if (redact(text, secrets) !== text) return true;
    end = text.slice(-OVERLAP);
  }
  return false;
}

/** A file of the agent with this name is moved even if there is no note: it would be taken for viva's. */
async function writeNote(folder: string, name: string, text: string | null): Promise<void> {
  const file = join(folder, `${name}.txt`);
  await rename(file, join(folder, `${name}.agent.txt`)).catch(() => null);
  if (text !== null) await writeFile(file, text, { flag: 'wx' });
}

const MOST_NAMED = 100;

function describe(leftOut: readonly string[], { bytes, entries }: Limits): string {
  const rest = leftOut.length > MOST_NAMED ? [`and ${leftOut.length - MOST_NAMED} more`] : [];
  const head = `Left out of this copy, which holds at most ${bytes / 2 ** 20} MB, ${entries} files and folders:`;
  return [head, ...leftOut.slice(0, MOST_NAMED), ...rest, ''].join('\n');
}

/** Removes a folder with all that it holds, and nothing that links lead to. False when something stays. */
export async function removeTree(folder: string): Promise<boolean> {
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    // Programs leave folders that cannot be written to, and paths that are too long for Node.
    await remove().catch(() => run('sh', ['-c', 'chmod -R u+rwX -- "$1"; rm -rf -- "$1"', 'sh', folder]));
    return true;
  } catch {
    return false;
  }
}

const run = promisify(execFile);
