import { relative } from 'node:path';
import { toVisible } from '../../text/visible-text.ts';
import type { CommandContext } from '../command.ts';
import { formatAge, formatBytes, parseAge, parseSize } from './amounts.ts';
import { chooseRemovals, type Kept, type Limits } from './choose-removals.ts';

/** What an EVAL_DIR keeps of earlier runs. */
export type Store = {
  readonly dir: string;
  readonly kept: readonly Kept[];
  /** Why an entry stays whatever the limits, or null. */
  whyHeld(entry: Kept): string | null;
  readonly nowMs: number;
};

/** What limits remove; and in words, behind a semicolon, what they would remove were it not held. */
export function applyLimits({ kept, whyHeld, nowMs }: Store, limits: Limits) {
  const removals = chooseRemovals(kept, limits, nowMs, (entry) => whyHeld(entry) !== null);
  const named = chooseRemovals(kept, limits, nowMs, () => false);
  const reasons = named.flatMap((entry) => whyHeld(entry) ?? []);
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => `${reason}: ${length}`);
  return { removals, held: counts.length === 0 ? '' : `; ${reasons.length} held (${counts.join(', ')})` };
}

const EXAMPLES = [
  ['--older-than 30d', { olderThanMs: parseAge('30d'), largerThan: null }],
  ['--older-than 7d', { olderThanMs: parseAge('7d'), largerThan: null }],
  ['--larger-than 1g', { olderThanMs: null, largerThan: parseSize('1g') }],
  ['--larger-than 100m', { olderThanMs: null, largerThan: parseSize('100m') }],
] as const;

/** Prints all that is kept, the oldest first, and what some limits would remove of it; gives the exit code. */
export function listStore(store: Store, print: CommandContext['print']): number {
  const { dir, kept, whyHeld, nowMs } = store;
  for (const entry of kept.toSorted((a, b) => a.writtenMs - b.writtenMs)) {
    const why = whyHeld(entry);
    print(`${describeEntry(entry, nowMs)}${why === null ? '' : ` (held: ${why})`}`);
  }
  for (const [words, limits] of EXAMPLES) {
    const { removals, held } = applyLimits(store, limits);
    print(`${words} would remove ${removals.length} of ${kept.length}: ${formatBytes(sumBytes(removals))}${held}`);
  }
  print(`${kept.length} in ${showPath(dir)}: ${formatBytes(sumBytes(kept))}; without a limit nothing is removed`);
  return 0;
}

/** "PATH  1.5 MB, 31 days old". */
export function describeEntry({ path, bytes, writtenMs }: Kept, nowMs: number): string {
  return `${showPath(path)}  ${formatBytes(bytes)}, ${formatAge(nowMs - writtenMs)} old`;
}

/** Relative to where the user is. */
export function showPath(path: string): string {
  return toVisible(relative('', path) || '.', 400);
}

export function sumBytes(entries: readonly Kept[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
