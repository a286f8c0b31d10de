import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers';
import { tryOrUndefined } from '../words/show.ts';

/*
 * Calls share one event loop, and what one of them computes delays the others. So each call is sent, and
 * each answer graded, in a turn of its own: in between the loop takes all replies that have come.
 */

/**
 * About how long one call waits for this process: from when a reply came until it is taken, while others
 * are busy. What the call computes itself does not count.
 */
export class OwnDelay {
  #ms = 0;
  #load = 0;
  /** Until when its waiting is counted. */
  #until = 0;

  /** Milliseconds so far. */
  get ms(): number {
    return this.#ms;
  }

  /**
   * Which share of all processors (0 to 1) the commands took that ended during the call; 0 for a call
   * that was alone, and elsewhere than on Linux.
   */
  get load(): number {
    return this.#load;
  }

  /** Lets an agent that gets this signal count its replies. */
  countWith(signal: AbortSignal): void {
    delays.set(signal, this);
  }

  async watch<T>(run: () => Promise<T>): Promise<T> {
    const began = readTimes();
    running += 1;
    noteEvent();
    this.#until = now();
    try {
      return await run();
    } finally {
      this.countReply();
      if (running > 1) this.#load = Math.max(this.#load, shareOf(began, readTimes()));
      if (running > 1) sharedUntil = now();
      running -= 1;
    }
  }

  /** Counts how long the reply that was just read waited. */
  countReply(): void {
    const { before, beganAt, lastAt } = noteEvent();
    const from = this.#until;
    this.#until = now();
    // The last of several waited for those that ended just before it.
    const shared = running > 1 ? Infinity : sharedUntil;
    this.#ms += Math.max(0, Math.min(lastAt, shared) - Math.max(beganAt, from));
    // It came at some moment of the turn before.
    this.#ms += Math.max(0, Math.min(beganAt, shared) - Math.max(before, from)) / 2;
  }
}

/** The delays of calls by what aborts them: an async context would cost each promise of a process. */
const delays = new WeakMap<AbortSignal, OwnDelay>();

/** Call it when a reply of the call with this signal was read: it may have waited for others. */
export function countReply(signal: AbortSignal): void {
  delays.get(signal)?.countReply();
}

/** Call it after work of viva's own, such as grading: the next reply may have waited for it. */
export function countWork(): void {
  noteEvent();
}

/**
 * Resolves in a turn of the event loop in which little else is done: to send a call, or to grade an
 * answer.
 */
export async function takeTurn(): Promise<void> {
  if (isTaken) await new Promise<void>((resolve) => line.push(resolve));
  else pass();
  isTaken = true;
}

/** Who waits for a turn, in the order of coming. */
const line: (() => void)[] = [];
let isTaken = false;
/** How many share a turn: as many as take about TURN_MS together. */
let share = 1;

const TURN_MS = 1;
const MOST_AT_ONCE = 64;

function takeNext(): void {
  const some = line.splice(0, share);
  isTaken = some.length > 0;
  if (!isTaken) return;
  pass();
  noteEvent();
  for (const next of some) next();
}

/** Ends the turn. Node's fetch sends in the next one what was begun in this. */
function pass(): void {
  const beganAt = now();
  setImmediate(() => {
    const isShort = now() - beganAt < TURN_MS;
    share = isShort ? Math.min(2 * share, MOST_AT_ONCE) : Math.max(1, share >> 1);
    setImmediate(takeNext);
  });
}

/** How many calls are watched now. */
let running = 0;
/** When several were last watched at once; ms. */
let sharedUntil = -Infinity;

/**
 * The turn of the event loop in which a call was last seen: when its first and its last event were, and
 * the first of the turn before. Times in ms.
 */
let turn = { number: 0, idleMs: 0, before: 0, beganAt: 0, lastAt: 0 };

/**
 * Returns what was known of this turn until now. All that is taken in one turn was there when it began,
 * and came since the one before, unless the loop has slept.
 */
function noteEvent(): typeof turn {
  const at = now();
  const number = performance.nodeTiming.uvMetricsInfo.loopCount;
  const idleMs = loopUse().idle;
  const hasSlept = idleMs > turn.idleMs + SLEPT_MS;
  if (hasSlept || number !== turn.number) {
    const isNext = !hasSlept && number === turn.number + 1;
    turn = { number, idleMs, before: isNext ? turn.beganAt : at, beganAt: at, lastAt: at };
  }
  const known = turn;
  turn = { ...turn, lastAt: at };
  return known;
}

const SLEPT_MS = 0.05;

// Agents may replace globals, as fake timers do.
const now = performance.now.bind(performance);
const loopUse = performance.eventLoopUtilization.bind(performance);

/** Times in ms: the clock, and the CPU time of children that have ended. */
type Times = Readonly<{ clock: number; cpu: number }>;

function shareOf(began: Times, ended: Times): number {
  const clock = ended.clock - began.clock;
  return clock === 0 ? 0 : Math.min(1, (ended.cpu - began.cpu) / clock / availableParallelism());
}

let latest: Times = { clock: -Infinity, cpu: 0 };

/** Linux counts in hundredths of a second, so more readings would tell nothing. */
function readTimes(): Times {
  const clock = now();
  if (clock - latest.clock < 50) return latest;
  const stat = tryOrUndefined(() => readFileSync('/proc/self/stat', 'utf8')) ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(13, 15).map(Number);
  latest = { clock, cpu: (user + system) * 10 };
  return latest;
}
