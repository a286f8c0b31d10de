import { randomUUID } from 'node:crypto';
import { chmod, lstat, opendir, rename, rmdir, unlink } from 'node:fs/promises';

/**
 * Removes a folder with all that it holds, also folders that were locked and paths that are too long to be named, and
 * nothing that links lead to. Only a few entries at a time, so that nobody else's calls or clocks wait for it. True
 * when it is gone; what cannot be removed stays, without an error.
 */
export async function removeTree(root: string): Promise<boolean> {
  const stats = await lstat(root).catch(() => null);
  if (stats === null) return true;
  if (!stats.isDirectory()) return tryTo(() => unlink(root));
  const folder = Buffer.from(root).toString('latin1');
  return (await sweep(folder, folder, { unlocks: false })) || (await sweep(folder, folder, { unlocks: true }));
}

/** Paths are one character for each byte here: names need not be UTF-8. */
async function sweep(folder: string, root: string, way: { readonly unlocks: boolean }): Promise<boolean> {
  if (way.unlocks) await tryTo(() => chmod(toPath(folder), 0o700));
  for (const name of await unlinkFiles(folder)) await sweep(await shorten(`${folder}/${name}`, root), root, way);
  return tryTo(() => rmdir(toPath(folder)));
}

const MOST_AT_ONCE = 16;

/** Gives the names of the folders. They are gone into when this one is closed: each open one takes a descriptor. */
async function unlinkFiles(folder: string): Promise<readonly string[]> {
  const folders: string[] = [];
  let under: Promise<boolean>[] = [];
  await tryTo(async () => {
    for await (const entry of await opendir(toPath(folder), { encoding: 'latin1', bufferSize: 256 })) {
      if (entry.isDirectory()) folders.push(entry.name);
      else under.push(tryTo(() => unlink(toPath(`${folder}/${entry.name}`))));
      if (under.length < MOST_AT_ONCE) continue;
      await Promise.all(under);
      under = [];
    }
  });
  await Promise.all(under);
  return folders;
}

/** A system takes paths of some 1,000 (macOS) or 4,000 bytes (Linux), and folders may lie deeper. */
const LONGEST = 800;

async function shorten(folder: string, root: string): Promise<string> {
  if (folder.length <= LONGEST) return folder;
  const moved = `${root}/${randomUUID()}`;
  return (await tryTo(() => rename(toPath(folder), toPath(moved)))) ? moved : folder;
}

function toPath(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1');
}

async function tryTo(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch {
    return false;
  }
}
