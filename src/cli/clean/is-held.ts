import { existsSync, realpathSync } from 'node:fs';
import type { Kept } from './choose-removals.ts';
import { findLatest } from './find-kept.ts';

/**
 * Why an entry stays, or null: what `latest` points to stays, and so does whatever was written since that run began, its
 * kept answers among it; and the run that others are compared with.
 */
export function whyHeldIn(dir: string, baseline: string | undefined): (entry: Kept) => string | null {
  const latest = findLatest(dir);
  return ({ path, writtenMs }) => {
    if (isSame(path, latest?.path)) return 'the latest run';
    if (isSame(path, baseline)) return 'the baseline';
    return latest !== null && writtenMs >= latest.sinceMs ? 'written since the latest run began' : null;
  };
}

function isSame(path: string, other: string | undefined): boolean {
  return other !== undefined && existsSync(path) && existsSync(other) && realpathSync(path) === realpathSync(other);
}
