import { formatCost, formatRate } from './tables.ts';

/** How far a suite is. Costs in US dollars; `now` and `startedAt` in ms of one clock. */
export type Progress = {
  readonly suite: string;
  readonly total: number;
  readonly done: number;
  /** Of what each agent has done, how much has a verdict, and how much of that is right; in the order of the agents. */
  readonly agents: readonly AgentProgress[];
  /** Of those that are done, how many were asked now and not recalled. */
  readonly asked: number;
  readonly running: number;
  /** What this run has spent; null while no price is known. */
  readonly spent: number | null;
  /** Calls that a provider admits at once, when it has refused some for their rate. */
  readonly slowed: readonly { readonly provider: string; readonly slots: number }[];
  readonly startedAt: number;
};

type AgentProgress = { readonly agent: string; readonly judged: number; readonly correct: number };

/** Fewer answers tell nothing of how long the rest will take. */
const MIN_ASKED = 3;

/** One line on how far a suite is: what is done, how well, what runs, what it cost, how long it may still take. */
export function renderProgress(progress: Progress, now: number): string {
  const { suite, total, done, agents, running, spent } = progress;
  const parts = [
    `${suite} ${done}/${total}`,
    describeAccuracy(agents),
    running === 0 ? null : `${running} running`,
    spent === null ? null : `${formatCost(spent)} spent`,
    describeSlowed(progress),
    describeRest(progress, now),
  ];
  return parts.filter((part) => part !== null).join('  ');
}

/** More agents than fit on a line are a range; a mean over different agents would be nobody's accuracy. */
const MOST_NAMED = 3;

function describeAccuracy(agents: readonly AgentProgress[]): string | null {
  const judged = agents.filter((agent) => agent.judged > 0);
  const rates = judged.map((agent) => agent.correct / agent.judged);
  if (rates.length === 0) return null;
  if (agents.length === 1) return `${rates.map(formatRate).join('')} right so far`;
  if (agents.length > MOST_NAMED) {
    const range = [Math.min(...rates), Math.max(...rates)].map(formatRate);
    return `${agents.length} agents, ${[...new Set(range)].join(' to ')} right so far`;
  }
  const names = shortenNames(agents.map(({ agent }) => agent));
  const shown = agents.map((agent, index) => {
    return `${names[index]} ${formatRate(agent.judged === 0 ? null : agent.correct / agent.judged)}`;
  });
  return `${shown.join(', ')} right so far`;
}

/** The file of a path, a part of other long names; whole where two would look the same. */
function shortenNames(names: readonly string[]): readonly string[] {
  const short = names.map((name) => name.slice(name.lastIndexOf('/') + 1).slice(0, 24));
  return new Set(short).size === names.length ? short : names;
}

function describeSlowed({ agents, slowed }: Progress): string | null {
  if (slowed.length === 0) return null;
  const shown = slowed.map(({ provider, slots }) => `${agents.length > 1 ? `${provider} ` : ''}${slots} at once`);
  return `rate limit: ${shown.join(', ')}`;
}

function describeRest({ total, done, asked, startedAt }: Progress, now: number): string | null {
  if (asked < MIN_ASKED || done === total) return null;
  const seconds = ((now - startedAt) / asked) * (total - done) * 0.001;
  return `about ${describeDuration(seconds)} left`;
}

function describeDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** A stream of a terminal, as far as it matters here. */
export type TerminalStream = Pick<NodeJS.WriteStream, 'write' | 'columns'>;

const CLEAR = '\r\u001B[2K';

/**
 * A line at the bottom of a terminal that is drawn anew each time. What others write to the given streams appears above
 * it, whole lines as ever: the line gives way before each write and comes back after it.
 */
export class LiveLine {
  readonly #stream: TerminalStream;
  readonly #write: TerminalStream['write'];
  readonly #restore: readonly (() => void)[];
  #text = '';
  #atLineStart = true;

  constructor(stream: TerminalStream, others: readonly TerminalStream[]) {
    this.#stream = stream;
    this.#write = stream.write.bind(stream);
    this.#restore = others.map((other) => this.#giveWayTo(other));
  }

  show(text: string): void {
    if (!this.#atLineStart) return;
    // A line that wraps could not be cleared.
    this.#text = text.slice(0, (this.#stream.columns || 80) - 1);
    this.#draw();
  }

  /** Takes the line away and leaves the streams as they were. */
  stop(): void {
    this.#clear();
    this.#text = '';
    for (const restore of this.#restore) restore();
  }

  #draw(): void {
    this.#write(`${CLEAR}${this.#text}`);
  }

  #clear(): void {
    if (this.#text !== '' && this.#atLineStart) this.#write(CLEAR);
  }

  #giveWayTo(stream: TerminalStream): () => void {
    const write = stream.write;
    stream.write = new Proxy(write, {
      apply: (target, _, args) => {
        this.#clear();
        this.#atLineStart = endsLine(args[0]);
        const written = Reflect.apply(target, stream, args);
        if (this.#atLineStart) this.#draw();
        return written;
      },
    });
    return () => {
      stream.write = write;
    };
  }
}

function endsLine(chunk: unknown): boolean {
  if (typeof chunk === 'string') return chunk === '' || chunk.endsWith('\n');
  return !(chunk instanceof Uint8Array) || chunk.length === 0 || chunk.at(-1) === 10;
}
