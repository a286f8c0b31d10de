import { chmodSync, lstatSync, readdirSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeTree } from '../store/kept-workdir.ts';

/*
 * A process that works in viva-task-<owner>-<six characters> writes viva-task-<owner>.alive beside it again and again. Its
 * age is seen from another container too, which shares the folder but knows no process of this one by its number.
 */

/** How often a heartbeat is written. */
const BEAT_MS = 30_000;

/** Without a heartbeat for so long, nobody works in a folder any more. */
const ABANDONED_MS = 600_000;

/** What the names of an owner's work folders begin with. */
function toPrefix(owner: string): string {
  return `viva-task-${owner}-`;
}

/** The name of the file that says since when nothing was heard of an owner. */
function toHeartbeat(owner: string): string {
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
  return entry !== null && Date.now() - entry.mtimeMs > ABANDONED_MS;
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

/** Work folders of this process that are not removed yet. */
const standing = new Set<string>();

/** No process number: in two containers that share a temporary folder both may have the same. */
const OWNER = crypto.randomUUID().slice(-12);

/** What the names of this process's work folders begin with. */
export const WORKDIR_PREFIX: string = toPrefix(OWNER);

let nextBeat: NodeJS.Timeout | null = null;

/** Has a work folder removed when this process ends, if it was not by then; until then no other run removes it. */
export function addStanding(folder: string): void {
  standing.add(folder);
  if (nextBeat === null) beat();
}

/**
 * Removes a work folder while others go on: an agent may have left hundreds of thousands of files. One that resists is
 * tried again when the process ends.
 */
export async function removeStanding(folder: string): Promise<void> {
  if (await removeTree(folder)) standing.delete(folder);
  if (standing.size > 0) return;
  if (nextBeat !== null) clearTimeout(nextBeat);
  nextBeat = null;
  stopBeating(folder);
}

function beat(): void {
  for (const file of new Set([...standing].map(toHeartbeatFile))) {
    try {
      writeFileSync(file, '');
    } catch {
      // On a full disk a folder lives by its own time; the next beat may be written.
    }
  }
  nextBeat = setTimeout(beat, BEAT_MS);
  nextBeat.unref();
}

function stopBeating(folder: string): void {
  removeFolder(toHeartbeatFile(folder));
}

function toHeartbeatFile(folder: string): string {
  return join(dirname(folder), toHeartbeat(OWNER));
}

// What a process leaves that is killed, as Vitest's workers are after Ctrl-C, is removed by a run ten minutes later.
process.on('exit', () => {
  for (const folder of standing) {
    removeFolder(folder);
    stopBeating(folder);
  }
});

/**
 * Removes a work folder with all that an agent left there, also folders that it locked. What cannot be removed all the
 * same stays, without an error: that is no failure of its sample.
 */
export function removeFolder(folder: string): void {
  if (tryRemoval(() => rmSync(folder, { recursive: true, force: true }))) return;
  unlock(folder);
  tryRemoval(() => rmSync(folder, { recursive: true, force: true }));
}

/** Links are no folders here: what they lead to is not this agent's. */
function unlock(folder: string): void {
  tryRemoval(() => {
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) unlock(join(folder, entry.name));
    }
  });
}

function tryRemoval(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
