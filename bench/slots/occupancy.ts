/** When a call began and ended, in ms on a common clock. */
export type Call = { readonly id: string; readonly startMs: number; readonly endMs: number };

export type Occupancy = {
  /** From the first call's begin to the last one's end. */
  readonly wallMs: number;
  /** Share of the slots' time that calls filled, over the whole wall time. */
  readonly busy: number;
  /** The same until the last call began: while there was work for every slot. */
  readonly busyWhileQueued: number;
};

/** How well calls filled the slots. */
export function measureOccupancy(calls: readonly Call[], slots: number): Occupancy {
  const first = Math.min(...calls.map(({ startMs }) => startMs));
  const lastStart = Math.max(...calls.map(({ startMs }) => startMs));
  const end = Math.max(...calls.map(({ endMs }) => endMs));
  const share = (until: number) =>
    calls.reduce((sum, { startMs, endMs }) => sum + Math.min(endMs, until) - startMs, 0) / (slots * (until - first));
  return { wallMs: end - first, busy: share(end), busyWhileQueued: share(lastStart) };
}

/** Wall time below which no schedule can get: the work spread evenly, or the longest call. */
export function boundMs(latencies: readonly number[], slots: number): number {
  return Math.max(latencies.reduce((sum, ms) => sum + ms, 0) / slots, ...latencies);
}

/** Wall time of slots that each take the next call of a list the moment they are free, at no cost. */
export function listScheduleMs(latencies: readonly number[], slots: number): number {
  const freeAt = new Array<number>(slots).fill(0);
  for (const ms of latencies) {
    const slot = freeAt.indexOf(Math.min(...freeAt));
    freeAt[slot] = (freeAt[slot] ?? 0) + ms;
  }
  return Math.max(...freeAt);
}
