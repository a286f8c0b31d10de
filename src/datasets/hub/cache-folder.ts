import { copyFileSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { makeFolders } from '../../files/make-folders.ts';
import { readRegular } from '../../files/regular-file.ts';
import type { HubSource } from './hub-source.ts';
import { isHash } from './remote-file.ts';

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
    makeFolders(dirname(file));
    const aside = `${file}.${process.pid}.tmp`;
    writeFileSync(aside, commit);
    renameSync(aside, file);
  }

  /** Lets a file of a snapshot be a blob; a file system without links gets a copy. */
  link(commit: string, path: string, hash: string): void {
    const pointer = join(this.snapshot(commit), path);
    const aside = `${pointer}.${process.pid}.tmp`;
    makeFolders(dirname(pointer));
    rmSync(aside, { force: true });
    try {
      symlinkSync(relative(dirname(pointer), join(this.blobs, hash)), aside);
    } catch {
      copyFileSync(join(this.blobs, hash), aside);
    }
    renameSync(aside, pointer);
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
