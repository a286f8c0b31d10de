/** A run folder or a file of the answer cache. */
export type Kept = {
  readonly path: string;
  readonly bytes: number;
  /** When something was last written to it, in ms since 1970. */
  readonly writtenMs: number;
};

/** What may stay; null sets no limit. */
export type Limits = {
  readonly olderThanMs: number | null;
  readonly largerThan: number | null;
};

/**
 * What to remove, oldest first: everything older than the age, then as much as brings the rest down to the size.
 * `isHeld` names what must stay whatever its age; it counts in the size.
 */
export function chooseRemovals(
  kept: readonly Kept[],
  { olderThanMs, largerThan }: Limits,
  nowMs: number,
  isHeld: (entry: Kept) => boolean,
): readonly Kept[] {
  const oldestFirst = kept.toSorted((a, b) => a.writtenMs - b.writtenMs);
  let left = oldestFirst.reduce((sum, { bytes }) => sum + bytes, 0);
  return oldestFirst.filter((entry) => {
    const tooOld = olderThanMs !== null && nowMs - entry.writtenMs > olderThanMs;
    const tooMuch = largerThan !== null && left > largerThan;
    if (isHeld(entry) || !(tooOld || tooMuch)) return false;
    left -= entry.bytes;
    return true;
  });
}
