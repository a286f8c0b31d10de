import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * The share of all processors from which on commands wait for each other. It is measured: on two processors an agent of
 * 330 ms took 450 ms at 0.56 and 1.6 s at 0.77; viva itself and whatever else runs take the rest.
 */
const SATURATED = 0.6;

/** How much of this machine the children of this process took while commands of one agent ran. */
export class MachineLoad {
  readonly #readTimes: () => Times;
  #running = 0;
  #most = 0;
  #began: Times = { clockMs: 0, cpuMs: 0 };
  #elapsedMs = 0;
  #cpuMs = 0;

  constructor(read = readTimes) {
    this.#readTimes = read;
  }

  /** Runs a command. What it took is counted once the last of those beside it has ended. */
  async watch<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running === 0) this.#began = this.#readTimes();
    this.#running += 1;
    this.#most = Math.max(this.#most, this.#running);
    try {
      return await run();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#count(this.#readTimes());
    }
  }

  /** That the latency measures this machine, where it does. */
  describe(): readonly string[] {
    const busy = this.#cpuMs / this.#elapsedMs;
    const processors = availableParallelism();
    if (this.#most < 2 || !(busy >= SATURATED * processors)) return [];
    const taken = `its processes kept ${busy.toFixed(1)} of ${processors} processors busy, up to ${this.#most} calls at once`;
    return [`the latency measures this machine: ${taken}. Lower EVAL_CONCURRENCY to measure the agent.`];
  }

  #count({ clockMs, cpuMs }: Times): void {
    this.#elapsedMs += clockMs - this.#began.clockMs;
    this.#cpuMs += cpuMs - this.#began.cpuMs;
  }
}

type Times = { readonly clockMs: number; readonly cpuMs: number };

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** A clock, and the CPU time of children that have ended. */
export function readTimes(): Times {
  return { clockMs: performance.now(), cpuMs: readChildrenMs() };
}

/** 0 where the system does not say: then nothing is remarked. */
function readChildrenMs(): number {
  try {
    const [, behindName = ''] = /\) (.*)/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const [user = 0, system = 0] = behindName.split(' ').slice(13, 15).map(Number);
    return (user + system) * TICK_MS;
  } catch {
    return 0;
  }
}
