import { existsSync, realpathSync } from 'node:fs';
import type { Kept } from './choose-removals.ts';
import { findLatest } from './find-kept.ts';

/**
 * What `latest` points to stays, and so does whatever was written since that run began, its kept answers among it; and
 * the run that others are compared with.
 */
export function isHeldIn(dir: string, baseline: string | undefined): (entry: Kept) => boolean {
  const latest = findLatest(dir);
  return ({ path, writtenMs }) =>
    isSame(path, latest?.path) || isSame(path, baseline) || (latest !== null && writtenMs >= latest.sinceMs);
}

function isSame(path: string, other: string | undefined): boolean {
  return other !== undefined && existsSync(path) && existsSync(other) && realpathSync(path) === realpathSync(other);
}
