import { mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolders } from '../files/make-folders.ts';

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
