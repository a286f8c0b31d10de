import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';
import type { Agent } from '../words/answer.ts';
import type { Note } from '../words/sample.ts';
import { lineIf, toNotes, tryOrUndefined } from '../words/show.ts';

/** The agent with a note if its latency is partly viva's own. Recorded answers are not timed. */
export function watchDelay(agent: Agent): Agent {
  if (agent.replayAnswer !== undefined) return agent;
  const delay = new OwnDelay();
  const answer: Agent['answer'] = (...question) => delay.watch(() => agent.answer(...question));
  const remarks = (hidden?: boolean) => [...delay.listNotes(), ...(agent.remarks?.(hidden) ?? [])];
  return Object.create(agent, { answer: { value: answer }, remarks: { value: remarks } });
}

/**
 * Measures how long the answers of an agent waited for this process, because its event loop was
 * busy with others (what a timer is late, or the loop has been busy since it was last on time), and
 * how much of this machine the children of this process used meanwhile.
 */
export class OwnDelay {
  readonly #readTimes: () => Times;
  readonly #delays: number[] = [];
  readonly #latencies: number[] = [];
  #running = 0;
  #most = 0;
  #timer: NodeJS.Timeout | undefined;
  #beatAt = 0;
  #late = 0;
  #began: Times | null = null;
  #ended: Times | null = null;

  constructor(read = readTimes) {
    this.#readTimes = read;
  }

  async watch<T>(run: () => Promise<T>): Promise<T> {
    const start = now();
    this.#begin(start);
    try {
      return await run();
    } finally {
      const end = now();
      this.#latencies.push(end - start);
      this.#delays.push(Math.max(this.#late, end - this.#beatAt - BEAT_MS, 0));
      this.#running -= 1;
      if (this.#running === 0) {
        clearInterval(this.#timer);
        this.#ended = this.#readTimes();
      }
    }
  }

  /** Notes for the report if the latency is that of this machine, or in part. */
  listNotes(): readonly Note[] {
    // Fewer calls at once would not help a single one.
    if (this.#most < 2 || this.#began === null || this.#ended === null) return [];
    const remedy = `with up to ${this.#most} calls at once. Lower EVAL_CONCURRENCY to measure the agent.`;
    const busy = (this.#ended.cpu - this.#began.cpu) / (this.#ended.clock - this.#began.clock);
    const all = availableParallelism();
    const used = `the latency measures this machine: its processes used ${busy.toFixed(1)} of ${all} processors`;
    const delay = middleOf(this.#delays);
    const isDelayed = delay >= 10 && delay >= middleOf(this.#latencies) / 20;
    const waited = `the latency includes about ${Math.round(delay)} ms in which answers waited for this busy process`;
    return toNotes('own delay', [
      ...lineIf(isDelayed, `${waited}, ${remedy}`),
      ...lineIf(busy >= SATURATED * all, `${used}, ${remedy}`),
    ]);
  }

  #begin(at: number): void {
    this.#began ??= this.#readTimes();
    this.#running += 1;
    this.#most = Math.max(this.#most, this.#running);
    if (this.#running > 1) return;
    this.#beatAt = at;
    this.#late = 0;
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  #beat(): void {
    const at = now();
    this.#late = at - this.#beatAt - BEAT_MS;
    this.#beatAt = at;
  }
}

function middleOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

const BEAT_MS = 10;

// Agents may replace globals, as fake timers do.
const now = performance.now.bind(performance);

/**
 * Commands that use this share of all processors slow each other down. Measured on two processors:
 * an agent of 330 ms took 450 ms at 0.56 and 1.6 s at 0.77. viva and other programs use the rest.
 */
const SATURATED = 0.6;

/** Times in ms: the clock, and the CPU time of children that have ended. */
type Times = Readonly<{ clock: number; cpu: number }>;

/** Linux counts in hundredths of a second. Elsewhere the CPU time is 0, so there is no note. */
function readTimes(): Times {
  const stat = tryOrUndefined(() => readFileSync('/proc/self/stat', 'utf8')) ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(13, 15).map(Number);
  return { clock: now(), cpu: (user + system) * 10 };
}
