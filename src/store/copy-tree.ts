import { randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { toFaultWord } from '../records/regular-file.ts';
import { escapeLine } from '../text/show.ts';

/** What a copy may hold. */
export type TreeLimits = { readonly bytes: number; readonly entries: number; readonly depth: number };

const AS_IT_IS: ByteChange = (bytes) => bytes;

/**
 * What a copy does not hold: how many files and folders, and the first of them with the reason. A folder
 * whose rest was not looked at, as the copy was full, counts as one and is named itself.
 */
export type LeftOut = { readonly count: number; readonly first: readonly string[] };

/**
 * Copies a folder to a place where nothing is, a piece at a time, so that nobody else's calls or clocks wait for it.
 * Pipes, sockets and devices are not copied. Links are left out and named: a copy that is uploaded would lead elsewhere.
 * So is, without an error, whatever cannot be copied, is beyond the limits, or has a name or is a large file that `change`
 * would change; smaller files are copied as it leaves them. Throws only when the target cannot be made.
 */
export async function copyTree(
  from: string,
  to: string,
  limits: TreeLimits,
  change: ByteChange = AS_IT_IS,
): Promise<LeftOut> {
  await mkdir(to);
  const copy = new TreeCopy(limits, change);
  await copy.fill({ from, to, path: '', depth: 1 });
  return { count: copy.count, first: copy.first };
}

/** A folder and its copy; `path` is what it is called below the first one. */
type Place = { readonly from: string; readonly to: string; readonly path: string; readonly depth: number };

const MOST_NAMED = 100;

class TreeCopy {
  readonly #limits: TreeLimits;
  readonly #change: ByteChange;
  readonly first: string[] = [];
  count = 0;
  #bytes = 0;
  #entries = 0;

  constructor(limits: TreeLimits, change: ByteChange) {
    this.#limits = limits;
    this.#change = change;
  }

  /** Folders are gone into when the one above is closed: each open one takes a descriptor. */
  async fill(place: Place): Promise<void> {
    const folders: Place[] = [];
    await this.#try(place.path, async () => {
      for await (const entry of await opendir(place.from)) {
        if (this.#entries >= this.#limits.entries) throw new Error(describeFull(this.#limits));
        this.#entries += 1;
        const inner = enter(place, entry.name);
        await this.#try(inner.path, async () => {
          if (await this.#copy(entry, inner)) folders.push(inner);
        });
      }
    });
    for (const folder of folders) await this.fill(folder);
  }

  /** True for a folder, which is then to be filled. */
  async #copy(entry: Dirent, { from, to, depth }: Place): Promise<boolean> {
    if (changeText(entry.name, this.#change) !== entry.name) throw new Error('its name holds a key');
    if (entry.isSymbolicLink()) throw new Error('a link');
    if (entry.isFile()) this.#bytes += await this.#copyFile(from, to);
    else if (entry.isDirectory()) {
      if (depth > this.#limits.depth) throw new Error(`only ${this.#limits.depth} folders deep`);
      await mkdir(to);
      return true;
    }
    return false;
  }

  /** Copies a file and gives the number of its bytes. */
  async #copyFile(from: string, to: string): Promise<number> {
    await using source = await open(from, AS_FILE);
    const { size, mode } = await source.stat();
    if (size > this.#limits.bytes - this.#bytes) throw new Error(`${size} bytes are more than the limit leaves`);
    const changed = this.#change === AS_IT_IS ? null : await readChanged(source, size, this.#change);
    await using target = await open(to, 'wx', (mode & 0o777) | 0o600);
    if (changed === null) await copyBytes(source, target, size);
    else await writeWhole(target, changed, 0);
    return size;
  }

  async #try(path: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.count += 1;
      const name = escapeLine(changeText(path || '.', this.#change));
      if (this.first.length < MOST_NAMED) this.first.push(`${name}: ${toFaultWord(error)}`);
    }
  }
}

/** To count the rest could take as long as a hostile agent likes. */
function describeFull({ entries }: TreeLimits): string {
  return `the rest of it was not looked at, after ${entries} files and folders`;
}

function enter({ from, to, path, depth }: Place, name: string): Place {
  const below = path === '' ? name : `${path}/${name}`;
  return { from: join(from, name), to: join(to, name), path: below, depth: depth + 1 };
}

const CHUNK_BYTES = 1 << 18;
const ZEROS = Buffer.alloc(CHUNK_BYTES);

/** What was a file a moment ago may be a link or a pipe by now. */
const AS_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Zeros are not written: a hole stays a hole. */
async function copyBytes(source: FileHandle, target: FileHandle, size: number): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await source.read(chunk, 0, Math.min(CHUNK_BYTES, size - done), done);
    if (bytesRead === 0) break;
    const read = chunk.subarray(0, bytesRead);
    if (!read.equals(ZEROS.subarray(0, bytesRead))) await writeWhole(target, read, done);
    done += bytesRead;
  }
  await target.truncate(size);
}

async function writeWhole(target: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await target.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}

/** What becomes of a text in which each character is one byte; the same text where nothing is to be changed. */
export type ByteChange = (bytes: string) => string;

/** A larger file is not changed: that is done at once, while all others wait. */
const MOST_BYTES = 2 ** 22;

const CHANGED_CHUNK_BYTES = 2 ** 18;

/** What a change looks for is found where two chunks meet, if it can be told by so many bytes. */
const OVERLAP_BYTES = 128;

/**
 * The bytes of a file as a change leaves them; null when it leaves all of them as they are. The file is looked through a
 * chunk at a time. Throws for a large one in which the change finds something.
 */
export async function readChanged(file: FileHandle, size: number, change: ByteChange): Promise<Buffer | null> {
  for (let at = 0; at < size; at += CHANGED_CHUNK_BYTES) {
    const text = await readText(file, at, CHANGED_CHUNK_BYTES + OVERLAP_BYTES);
    if (change(text) === text) continue;
    if (size > MOST_BYTES)
      throw new Error(`it holds a key, and only files of up to ${MOST_BYTES / 2 ** 20} MB are changed`);
    return Buffer.from(change(await readText(file, 0, size)), 'latin1');
  }
  return null;
}

/** The same for a text of any characters. */
function changeText(text: string, change: ByteChange): string {
  return Buffer.from(change(Buffer.from(text).toString('latin1')), 'latin1').toString();
}

async function readText(file: FileHandle, at: number, length: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  for (let read = -1; read !== 0 && done < length; done += read) {
    read = (await file.read(bytes, done, length - done, at + done)).bytesRead;
  }
  return bytes.toString('latin1', 0, done);
}

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
