import { clearInterval, setInterval } from 'node:timers';
import type { Agent } from '../types.ts';

/** The agent with a remark if its latency is partly viva's own. Recorded answers are not timed. */
export function watchDelay(agent: Agent): Agent {
  if (agent.replayAnswer !== undefined) return agent;
  const delay = new OwnDelay();
  const answer: Agent['answer'] = (...asked) => delay.watch(() => agent.answer(...asked));
  const remarks = (hidden?: boolean) => [...delay.describe(), ...(agent.remarks?.(hidden) ?? [])];
  return Object.create(agent, { answer: { value: answer }, remarks: { value: remarks } });
}

/**
 * Measures how long the answers of an agent waited for this process, because its event loop was
 * busy with others: what a timer is late, or the loop has been busy since it was last on time.
 */
class OwnDelay {
  readonly #delays: number[] = [];
  readonly #latencies: number[] = [];
  #running = 0;
  #most = 0;
  #timer: NodeJS.Timeout | undefined;
  #beatAt = 0;
  #late = 0;

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
      if (this.#running === 0) clearInterval(this.#timer);
    }
  }

  /** A sentence for the report if the delay is not a small part of the latency. */
  describe(): readonly string[] {
    const delay = middleOf(this.#delays);
    const latency = middleOf(this.#latencies);
    // Fewer calls at once would not help a single one.
    if (this.#most < 2 || delay < 10 || delay < latency / 20) return [];
    const busy = `about ${Math.round(delay)} ms in which answers waited for this busy process, with up to ${this.#most} calls at once`;
    return [`the latency includes ${busy}. Lower EVAL_CONCURRENCY to measure the agent.`];
  }

  #begin(at: number): void {
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
