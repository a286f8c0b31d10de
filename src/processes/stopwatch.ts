import { clearTimeout, setTimeout } from 'node:timers';
import { Worker } from 'node:worker_threads';

/**
 * Measures time by the monotonic clock, less the time in which this process did not run: it was
 * stopped, or the machine was suspended. A blocked event loop counts: its agent uses its time.
 */
export class Stopwatch {
  readonly #before = readPauses();
  readonly #start = now();
  /** Milliseconds that others took. */
  #othersMs = 0;

  /** Milliseconds since it was made, without pauses and without the time of others. */
  get ms(): number {
    const paused = readPauses().length - this.#before.length;
    return Number(now() - this.#start - paused) / 1e6 - this.#othersMs;
  }

  /** Leaves out the time until `work` of somebody else has ended. */
  async leaveOut<T>(work: () => Promise<T>): Promise<T> {
    const before = this.ms;
    try {
      return await work();
    } finally {
      this.#othersMs += this.ms - before;
    }
  }

  /** Whether this process was stopped or the machine suspended since it was made. */
  get wasPaused(): boolean {
    return readPauses().count > this.#before.count;
  }

  /**
   * Calls `onLate` when `limitMs` have passed, unless the function that it returns is called
   * before.
   */
  limit(limitMs: number, onLate: () => void): () => void {
    const check = () => {
      const restMs = limitMs - this.ms;
      if (restMs <= 0) onLate();
      else timer = setTimeout(check, restMs);
    };
    let timer = setTimeout(check, limitMs);
    return () => clearTimeout(timer);
  }
}

/** As AbortSignal.timeout, by a stopwatch. */
export function limitTime(limitMs: number): AbortSignal {
  const controller = new AbortController();
  const watch = new Stopwatch();
  const check = () => {
    const restMs = limitMs - watch.ms;
    if (restMs <= 0) controller.abort();
    else setTimeout(check, restMs).unref();
  };
  check();
  return controller.signal;
}

// Agents may replace globals, as fake timers do.
const now = process.hrtime.bigint;
const wallNow = Date.now;

/** In ns: the last beat, its time by the wall clock, the length of all pauses, and their number. */
type Beats = BigInt64Array<SharedArrayBuffer>;

/**
 * The program of a thread whose beats stop only when the whole process does. On Linux the monotonic
 * clock stands still while the machine is suspended, so the wall clock is compared too.
 */
const WATCH = `
const { beats, limit } = require('node:worker_threads').workerData;
const sleep = new Int32Array(new SharedArrayBuffer(4));
for (;;) {
  const [at, wall] = [process.hrtime.bigint(), BigInt(Date.now()) * 1_000_000n];
  const [gap, wallGap] = [at - beats[0], wall - beats[1]];
  if (gap > limit || wallGap > limit) {
    beats[2] += gap > limit ? gap : 0n;
    beats[3] += 1n;
  }
  beats[1] = wall;
  beats[0] = at;
  Atomics.wait(sleep, 0, 0, 250);
}`;

/** A shorter gap may be that of a busy machine. */
const LIMIT = 1_000_000_000n;

let beats: Beats | null = null;

/**
 * The pauses of this process since it was first asked for them. The thread may not have seen the
 * latest yet.
 */
function readPauses(): Readonly<{ length: bigint; count: bigint }> {
  beats ??= startWatch();
  const [last = 0n, lastWall = 0n, length = 0n, count = 0n] = beats;
  const gap = last === 0n ? 0n : now() - last;
  const isPaused = gap > LIMIT || (last > 0n && BigInt(wallNow()) * 1_000_000n - lastWall > LIMIT);
  return isPaused
    ? { length: length + (gap > LIMIT ? gap : 0n), count: count + 1n }
    : { length, count };
}

function startWatch(): Beats {
  const shared = new BigInt64Array(new SharedArrayBuffer(32));
  shared.set([now(), BigInt(wallNow()) * 1_000_000n]);
  const options = {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { beats: shared, limit: LIMIT },
  };
  const worker = new Worker(WATCH, options);
  worker.unref();
  // Without a thread no pause is seen.
  worker.on('error', () => {}).on('exit', () => shared.fill(0n));
  return shared;
}
