import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { holdLock, isHeld } from '../processes/socket-lock.ts';
import { ensureFolder } from '../records/files.ts';
import { tryOrUndefined } from '../text/thrown.ts';

/** What a run knows about other runs that use its answer cache. */
export type CacheUse = {
  /** Whether another run used it when this one began. */
  readonly isShared: boolean;
  /** Call it when this run asks nothing more. */
  end(): void;
};

/**
 * Tells runs that begin later that this one uses an answer cache, and finds runs that use it
 * already, by locks in a folder beside the answers. Where no lock can be held, no other run is
 * found.
 */
export async function useCache(cache: string): Promise<CacheUse> {
  const folder = join(dirname(cache), '.users', basename(cache));
  tryOrUndefined(() => ensureFolder(folder));
  // A random name: containers that share the folder may use the same process ids.
  const own = randomBytes(6).toString('hex');
  // Hold our own lock first: of two runs that begin together, at least one then sees the other.
  const end = holdLock(folder, own);
  if (end === null) return { isShared: false, end: () => {} };
  const others = readdirSync(folder).filter((name) => name !== own);
  const found = await Promise.all(others.map((name) => isHeld(folder, name)));
  return { isShared: found.includes(true), end };
}
