import { removeTree } from '../files/remove-tree.ts';
import { removeFolder } from './remove-folder.ts';

/** Work folders of this process that are not removed yet. */
const standing = new Set<string>();

/** Has a work folder removed when this process ends, if it was not by then. */
export function addStanding(folder: string): void {
  standing.add(folder);
}

/**
 * Removes a work folder while others go on: an agent may have left hundreds of thousands of files. One that resists is
 * tried again when the process ends.
 */
export async function removeStanding(folder: string): Promise<void> {
  if (await removeTree(folder)) standing.delete(folder);
}

// What a process leaves that is killed, as Vitest's workers are after Ctrl-C, is removed by the next run.
process.on('exit', () => {
  for (const folder of standing) removeFolder(folder);
});
