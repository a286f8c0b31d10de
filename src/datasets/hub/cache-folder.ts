import { createHash, type Hash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { openRegular, readRegular } from '../../records/files.ts';
import type { HubSource } from './hub-source.ts';

/**
 * Where the cache that all tools of the Hub share keeps one dataset: `refs/<revision>` names a commit,
 * `snapshots/<commit>/<path>` links to `blobs/<hash>`.
 */
export class CacheFolder {
  readonly root: string;

  constructor(cacheDir: string, { name }: HubSource) {
    this.root = join(cacheDir, `datasets--${name.replace('/', '--')}`);
  }

  get blobs(): string {
    return join(this.root, 'blobs');
  }

  snapshot(commit: string): string {
    return join(this.root, 'snapshots', commit);
  }

  /** The commit that a revision was when it was last asked for; null when it never was. */
  readRef(revision: string): string | null {
    try {
      const commit = readRegular(join(this.root, 'refs', revision))
        .toString('utf8')
        .trim();
      return /^[0-9a-f]{40}$/.test(commit) ? commit : null;
    } catch {
      return null;
    }
  }

  writeRef(revision: string, commit: string): void {
    const file = join(this.root, 'refs', revision);
    if (this.readRef(revision) === commit) return;
    mkdirSync(dirname(file), { recursive: true });
    const aside = `${file}.${process.pid}.tmp`;
    writeFileSync(aside, commit);
    renameSync(aside, file);
  }

  /** Lets a file of a snapshot be a blob; a file system without links gets a copy. */
  link(commit: string, path: string, hash: string): void {
    const pointer = join(this.snapshot(commit), path);
    // Made in its place at once: a process that is killed here leaves nothing that looks like a file of the dataset.
    if (readBlobName(pointer) === hash) return;
    mkdirSync(dirname(pointer), { recursive: true });
    rmSync(pointer, { force: true });
    try {
      symlinkSync(relative(dirname(pointer), join(this.blobs, hash)), pointer);
    } catch {
      // Another process was first, or this file system has no links.
      if (readBlobName(pointer) === hash) return;
      const aside = `${pointer}.${process.pid}.tmp`;
      copyFileSync(join(this.blobs, hash), aside);
      renameSync(aside, pointer);
    }
  }
}

/** The blob's name behind a file of a snapshot; null when it is no link to a blob. */
export function readBlobName(pointer: string): string | null {
  try {
    const name = basename(readlinkSync(pointer));
    return isHash(name) && basename(dirname(realpathSync(pointer))) === 'blobs' ? name : null;
  } catch {
    return null;
  }
}

/** A file of a dataset as the Hub describes it. */
export type RemoteFile = {
  /** From the root of the dataset, with "/". */
  readonly path: string;
  readonly size: number;
  /** Name of the blob in the cache: SHA-256 of a file in large storage, else the id that git gives it. */
  readonly hash: string;
};

/** Checks what the Hub's file list says of one entry; null for a folder, undefined when it makes no sense. */
export function toRemoteFile(entry: unknown): RemoteFile | null | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { type, path, size, oid, lfs }: { [K in 'type' | 'path' | 'size' | 'oid' | 'lfs']?: unknown } = entry;
  if (type === 'directory') return null;
  const stored: { oid?: unknown; size?: unknown } = typeof lfs === 'object' && lfs !== null ? lfs : { oid, size };
  if (type !== 'file' || !isSafePath(path) || !isHash(stored.oid) || !isSize(stored.size)) return undefined;
  return { path, size: stored.size, hash: stored.oid };
}

/** Whether the content of a file on this disk has a hash, in either form. Rejects when it cannot be read. */
export async function hasHash(file: string, size: number, hash: string): Promise<boolean> {
  const digest = startHash(size, hash);
  for await (const chunk of createReadStream(file, { fd: openRegular(file) })) digest.update(chunk);
  return digest.digest('hex') === hash;
}

function startHash(size: number, hash: string): Hash {
  if (hash.length === SHA256_LENGTH) return createHash('sha256');
  // Git's id of a file: SHA-1 over a header with the length, then the content.
  return createHash('sha1').update(`blob ${size}\0`);
}

const SHA256_LENGTH = 64;

/** Whether a text can be the name of a blob: it becomes a file name. */
function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The paths become files below the cache. */
function isSafePath(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 1000 || /[\\\0]|^[A-Za-z]:/.test(value)) return false;
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
