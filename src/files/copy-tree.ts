import { constants, type Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { toVisible } from '../text/visible-text.ts';
import { toFaultWord } from './fault-word.ts';
import { type ByteChange, changeText, readChanged } from './read-changed.ts';

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
      const name = toVisible(changeText(path || '.', this.#change));
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
