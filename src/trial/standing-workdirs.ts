import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { startTimer, stopTimer } from '../own-clock.ts';
import { BEAT_MS, toHeartbeat, toPrefix } from './abandoned-workdirs.ts';
import { removeFolder } from './remove-folder.ts';

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
  if (nextBeat !== null) stopTimer(nextBeat);
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
  nextBeat = startTimer(beat, BEAT_MS);
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
