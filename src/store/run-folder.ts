import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { lstat, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolders } from '../records/regular-file.ts';
import { redact } from '../text/secrets.ts';
import type { SampleResult, TraceStep } from '../types.ts';
import { type ByteChange, copyTree, type LeftOut, removeTree, type TreeLimits } from './copy-tree.ts';
import { writeJson } from './line-file.ts';

/**
 * Reserves the folder of one run, `<dir>/runs/<YYYYMMDDTHHMMSSZ>-<agent slug>[-shard-1-of-4][-2]/`. Returns the absolute
 * path. Two processes that start in the same second get different folders; shards do so on different machines too, since their folders are brought together for a merge.
 */
export function createRunFolder(
  dir: string,
  agentNames: readonly string[],
  now: Date,
  shard: { readonly index: number; readonly count: number } | null = null,
): string {
  const runs = resolve(dir, 'runs');
  makeFolder(runs);
  const part = shard === null ? '' : `-shard-${shard.index}-of-${shard.count}`;
  return reserveFirst(runs, `${timestamp(now)}-${slug(agentNames.join('+'))}${part}`);
}

/**
 * Names a run folder after agents that were not known when it was made; its time stays. Returns the path that it has
 * then, which is the old one where it cannot be renamed.
 */
export function renameRunFolder(folder: string, agentNames: readonly string[]): string {
  const runs = dirname(folder);
  const stem = `${basename(folder).slice(0, TIMESTAMP_LENGTH)}-${slug(agentNames.join('+'))}`;
  if (basename(folder) === stem) return folder;
  try {
    const renamed = reserveFirst(runs, stem);
    renameSync(folder, renamed);
    pointLatest(renamed);
    return renamed;
  } catch {
    return folder;
  }
}

/** Makes the first folder of `stem`, `stem-2`, `stem-3` ... that is not there. */
function reserveFirst(runs: string, stem: string): string {
  for (let count = 1; ; count++) {
    const folder = join(runs, count === 1 ? stem : `${stem}-${count}`);
    if (reserve(folder)) return folder;
  }
}

function makeFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (cause) {
    throw new Error(`The run folder cannot be made: ${folder}. Make it writable or set EVAL_DIR to another folder.`, {
      cause,
    });
  }
}

function reserve(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new Error(`The run folder cannot be made: ${folder}. Make it writable or set EVAL_DIR to another folder.`, {
      cause: error,
    });
  }
}

/** Removes the folder of a run in which nothing was planned, and `runs/` where it was the only one. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  try {
    rmdirSync(dirname(folder));
  } catch {
    // It holds other runs.
  }
}

/** Points `<dir>/latest` at a run folder. The link is made aside and renamed over the old one, so that `latest` exists at every moment. */
export function pointLatest(folder: string): void {
  const link = join(dirname(dirname(folder)), 'latest');
  const aside = `${link}.${process.pid}`;
  try {
    rmSync(aside, { force: true });
    symlinkSync(join('runs', basename(folder)), aside);
    renameSync(aside, link);
  } catch {
    // A file system without links (or a folder in the link's place) loses the convenience, not the run.
    rmSync(aside, { force: true });
  }
}

const TIMESTAMP_LENGTH = 'YYYYMMDDTHHMMSSZ'.length;

function timestamp(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '');
}

/** A folder name from agents' names: letters, digits, dot and hyphen, at most 60 characters. */
export function slug(name: string): string {
  const plain = name
    .slice(0, 1000)
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
  return plain.slice(0, 60) || 'agent';
}

/**
 * Writes how one result came about, beside the log: traces/<suite>/<agent>/<id>-<hash>.<trial>.json, a file for each
 * trial. A repeated sample replaces its file. Returns its path.
 */
export function writeTrace(runFolder: string, result: SampleResult, steps: readonly TraceStep[]): string {
  const { suite, dataset, agent, model, id, trial, group, state, reason, output, answer, usage, cost_usd, error } =
    result;
  const file = join(runFolder, toTracePath(result));
  makeFolders(dirname(file));
  const head = { version: 1, suite, dataset, agent, model, id, trial, group, state, reason };
  writeJson(file, { ...head, output, answer, usage, cost_usd, error, steps });
  return file;
}

/** The file of a result's trace, relative to the run folder. The hash keeps apart what the names alone do not. */
export function toTracePath({
  suite,
  agent,
  id,
  trial,
}: Pick<SampleResult, 'suite' | 'agent' | 'id' | 'trial'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([suite, agent, id]))
    .digest('hex')
    .slice(0, 8);
  return join('traces', slug(suite), slug(agent), `${slug(id)}-${hash}.${trial}.json`);
}

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
  return known.length === 0 ? undefined : (bytes) => redact(bytes, known);
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
