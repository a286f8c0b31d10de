import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTimeMs } from '../own-clock.ts';
import { removeFolder } from './remove-folder.ts';

/*
 * A process that works in viva-task-<owner>-<six characters> writes viva-task-<owner>.alive beside it again and again. Its
 * age is seen from another container too, which shares the folder but knows no process of this one by its number.
 */

/** How often a heartbeat is written. */
export const BEAT_MS = 30_000;

/** Without a heartbeat for so long, nobody works in a folder any more. */
const ABANDONED_MS = 600_000;

/** What the names of an owner's work folders begin with. */
export function toPrefix(owner: string): string {
  return `viva-task-${owner}-`;
}

/** The name of the file that says since when nothing was heard of an owner. */
export function toHeartbeat(owner: string): string {
  return `viva-task-${owner}.alive`;
}

const FOLDER = /^viva-task-(\w+)-\w{6}$/;
const HEARTBEAT = /^viva-task-\w+\.alive$/;

/** Work folders of processes that were killed before they could remove them; they may hold gated attachments. */
export function findAbandoned(folder = tmpdir()): readonly string[] {
  const names = listNames(folder).filter((name) => isAbandoned(folder, name));
  return names.map((name) => join(folder, name));
}

/** Removes them and their heartbeats, and leaves what cannot be removed. */
export function removeAbandoned(folder = tmpdir()): void {
  for (const path of findAbandoned(folder)) removeFolder(path);
  for (const name of listNames(folder).filter((name) => HEARTBEAT.test(name))) {
    const path = join(folder, name);
    if (isOld(findOwn(path))) tryTo(() => rmSync(path));
  }
}

function listNames(folder: string): readonly string[] {
  return tryTo(() => readdirSync(folder)) ?? [];
}

/** A folder without a heartbeat is an older version's, or was made a moment ago: its own time counts. */
function isAbandoned(folder: string, name: string): boolean {
  const [, owner] = FOLDER.exec(name) ?? [];
  if (owner === undefined) return false;
  const entry = findOwn(join(folder, name));
  return entry?.isDirectory() === true && isOld(findOwn(join(folder, toHeartbeat(owner))) ?? entry);
}

function isOld(entry: Stats | null): boolean {
  return entry !== null && readTimeMs() - entry.mtimeMs > ABANDONED_MS;
}

/** Only what is this user's, and no links: anybody may make such names in a folder that all share. */
function findOwn(path: string): Stats | null {
  const entry = tryTo(() => lstatSync(path));
  return entry === null || entry.isSymbolicLink() || entry.uid !== (process.getuid?.() ?? entry.uid) ? null : entry;
}

function tryTo<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
