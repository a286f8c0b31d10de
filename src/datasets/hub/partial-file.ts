import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../files/make-folders.ts';
import { isRunning } from '../../processes/is-running.ts';

/**
 * Takes over what an ended process left of a blob, or names a new file: `<hash>.<process id>.incomplete`. Each process
 * writes to a file of its own, since two writers of one file would spoil it for both.
 */
export function claimPartial(blobs: string, hash: string): string {
  makeFolders(blobs);
  const own = join(blobs, `${hash}.${process.pid}.incomplete`);
  for (const name of readdirSync(blobs)) {
    const owner = ownerOf(name, hash);
    if (owner === process.pid) return own;
    if (owner === null || isRunning(owner)) continue;
    try {
      renameSync(join(blobs, name), own);
      return own;
    } catch {
      // Another process took it first.
    }
  }
  return own;
}

/** Removes what ended processes left of a blob that is whole now. */
export function removePartials(blobs: string, hash: string): void {
  for (const name of readdirSync(blobs)) {
    const owner = ownerOf(name, hash);
    if (owner !== null && !isRunning(owner)) rmSync(join(blobs, name), { force: true });
  }
}

function ownerOf(name: string, hash: string): number | null {
  const [stem, owner, end, ...rest] = name.split('.');
  if (stem !== hash || end !== 'incomplete' || rest.length > 0 || !/^\d{1,10}$/.test(owner ?? '')) return null;
  return Number(owner);
}
