import { resolve } from 'node:path';
import type { AgentSpec } from '../agents/kinds.ts';
import { kindOf } from '../agents/kinds.ts';
import type { AgentServices } from '../agents/model-agent.ts';
import type { EvalConfig } from '../config.ts';
import { AnswerCache, type CacheParts, type KeptAnswer, toAgentError, toKeptError } from '../store/cache.ts';
import type { AgentPlan } from '../store/manifest.ts';
import { readSampleLog } from '../store/sample-log.ts';
import { maskKeys, redact } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import type { Agent, AgentError, Answer, ErrorKind } from '../types.ts';
import { Budget, ProviderQueue } from './limits.ts';
import type { ReadyRun } from './provided-run.ts';

/** An agent, with all that lies between it and its questions. */
export type AgentLane = {
  readonly agent: Agent;
  readonly queue: ProviderQueue;
  readonly budget: Budget | null;
  /** Null for an agent whose answers are never cached. */
  readonly cache: LaneCache | null;
  /** The user's keys, which are hidden in all that the agent says. */
  readonly secrets: readonly string[];
  /** Whether what the agent says must not be printed: it may quote a question. */
  readonly gated: boolean;
};

/** What came of asking an agent. `latency_ms` is null when a replayed record does not say. */
export type Outcome = Pick<KeptAnswer, 'started_at' | 'answered_at' | 'latency_ms' | 'attempts'> & {
  /** How many calls of the provider could run at once when this one ended. */
  readonly slots?: number;
  /** Whether it comes from the answer cache. */
  readonly cached: boolean;
} & (
    | { readonly outcome: 'answered'; readonly answer: Answer }
    | { readonly outcome: 'failed'; readonly error: AgentError }
  );

export type LaneOptions = {
  readonly suite: string;
  readonly run: Pick<ReadyRun, 'config' | 'folder' | 'watchRun' | 'secrets' | 'mcp'>;
  readonly gated: boolean;
  /** Makes the agents that one spec of EVAL_AGENT stands for. */
  create(spec: AgentSpec, services: AgentServices): Promise<readonly Agent[]>;
};

/** The lanes of all agents. Without EVAL_AGENT a suite replays its own predictions. */
export async function makeLanes({ suite, run, gated, create }: LaneOptions): Promise<readonly AgentLane[]> {
  const { config, secrets, mcp } = run;
  const limits = limitsOfRun(run);
  const { budget } = limits;
  const cache = new LaneCache(new AnswerCache(resolve(config.dir, 'cache', suite)), config.cache);
  const lanes: AgentLane[] = [];
  for (const spec of config.agents ?? [{ kind: 'replay', target: '', text: 'replay' } as const]) {
    let queue: ProviderQueue | null = null;
    const onRateLimit = () => queue?.slowDown();
    const agents = await create(spec, {
      onRateLimit,
      prices: config.prices,
      hosted: config.hostedTools,
      tools: { mcp },
    });
    for (const agent of agents.map((made) => hideInName(made, secrets))) {
      queue = queueOf(agent, limits, config.concurrency);
      checkPrice(agent, spec, budget);
      checkTrials(agent, config.trials);
      lanes.push({ agent, queue, budget, cache: agent.fingerprint === undefined ? null : cache, secrets, gated });
    }
  }
  checkNames(lanes);
  return lanes;
}

/** A module names its agent itself, and every file and title shows the name. */
function hideInName(agent: Agent, secrets: readonly string[]): Agent {
  const name = redact(agent.name, secrets);
  return name === agent.name ? agent : Object.create(agent, { name: { value: name, enumerable: true } });
}

function checkPrice({ name, fingerprint, priced, provider }: Agent, spec: AgentSpec, budget: Budget | null): void {
  if (budget === null || fingerprint === undefined || priced === true) return;
  const server = provider === undefined ? '' : ` at ${maskKeys(provider)}`;
  throw new Error(
    `EVAL_MAX_COST is set, and the price of ${name}${server} is not known, so the budget could not hold. ` +
      `${kindOf(spec).priceRemedy ?? 'Give its price in vitest.config.ts'}, or unset EVAL_MAX_COST.`,
  );
}

/** Trials that a recording does not have would all count as wrong. */
function checkTrials({ name, trials }: Agent, asked: number): void {
  if (trials === undefined || asked <= trials) return;
  throw new Error(
    `EVAL_TRIALS is ${asked}, and ${name} holds ${trials} of each sample. Set EVAL_TRIALS to ${trials} or leave it out; ` +
      'in a predictions file "trial" says which one a line is.',
  );
}

function checkNames(lanes: readonly AgentLane[]): void {
  const names = lanes.map(({ agent }) => agent.name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated === undefined) return;
  throw new Error(
    `EVAL_AGENT names an agent twice: ${JSON.stringify(repeated)}. Name it once; EVAL_TRIALS repeats it.`,
  );
}

/** Refuses an agent that cannot answer, such as one without its key, where it is to be asked. */
export function checkReady(
  lanes: readonly Pick<AgentLane, 'agent'>[],
  plans: readonly Pick<AgentPlan, 'to_ask'>[],
  { cache, dryRun }: Pick<EvalConfig, 'cache' | 'dryRun'>,
): void {
  if (cache === 'only' || dryRun === true) return;
  for (const [index, { agent }] of lanes.entries()) {
    if (agent.unready === undefined || plans[index]?.to_ask === 0) continue;
    throw new Error(`EVAL_AGENT=${escapeLine(agent.name, 1_000)}: ${agent.unready}`);
  }
}

/** What the suites of a run share: a key that is refused in one is refused in the next. */
type RunLimits = { readonly key: string; readonly budget: Budget | null; readonly queues: Map<string, ProviderQueue> };

let latest: RunLimits | null = null;

/** A watch run starts with new ones. */
function limitsOfRun({ folder, watchRun, config: { maxCost } }: LaneOptions['run']): RunLimits {
  const key = JSON.stringify([folder, watchRun]);
  if (latest?.key === key) return latest;
  latest = { key, budget: maxCost === null ? null : new Budget(maxCost, readSpent(folder)), queues: new Map() };
  return latest;
}

function queueOf({ provider, name }: Agent, { budget, queues }: RunLimits, concurrency: number): ProviderQueue {
  // Only a provider can refuse a key; and a budget needs one cost before it can tell what others will be.
  const pilot = provider !== undefined || budget !== null;
  const queue = queues.get(provider ?? name) ?? new ProviderQueue({ concurrency, budget, pilot });
  queues.set(provider ?? name, queue);
  return queue;
}

/** What earlier watch runs have spent. */
function readSpent(folder: string): number {
  const { results } = readSampleLog(folder);
  return results.reduce((sum, { cached, cost_usd }) => sum + (cached ? 0 : (cost_usd ?? 0)), 0);
}

/** Errors of the provider, the connection or this machine: the next run asks again. All other outcomes are cached. */
const ASKED_AGAIN: readonly ErrorKind[] = ['rate_limit', 'quota', 'auth', 'server', 'network', 'machine'];

/** The answer cache as EVAL_CACHE says to use it. */
export class LaneCache {
  readonly answers: AnswerCache;
  readonly mode: EvalConfig['cache'];

  constructor(answers: AnswerCache, mode: EvalConfig['cache']) {
    this.answers = answers;
    this.mode = mode;
  }

  /** The answer to use instead of asking; null when the question is to be asked. */
  find(parts: CacheParts): Outcome | null {
    if (this.mode === 'off' || this.mode === 'refresh') return null;
    const kept = this.answers.get(parts);
    return kept === null || (this.mode === 'retry' && isFailure(kept)) ? null : toOutcome(kept);
  }

  /**
   * Writes an outcome and gives it back with its number of attempts. `onLoss` hears why it cannot be written: further
   * answers would be paid for and lost.
   */
  put(parts: CacheParts, outcome: Outcome, onLoss: (why: string) => void): Outcome {
    const attempts = this.mode === 'retry' ? (this.answers.get(parts)?.attempts ?? 0) + 1 : 1;
    const counted = { ...outcome, attempts };
    const isAskedAgain = outcome.outcome === 'failed' && ASKED_AGAIN.includes(outcome.error.kind);
    if (this.mode === 'off' || isAskedAgain) return counted;
    try {
      this.answers.put(parts, toKept(counted));
    } catch (error) {
      // A RangeError is an answer longer than a line can be: it is asked again, and others are cached.
      if (!(error instanceof RangeError)) onLoss(describeLoss(this.answers.folder, error));
    }
    return counted;
  }
}

function describeLoss(folder: string, error: unknown): string {
  const said = messageOf(error);
  return `An answer cannot be cached in ${folder} (${said}). Free space there, or make it writable, and run again.`;
}

/** What EVAL_CACHE=retry asks again: never a wrong answer, which would make the figure best-of-n. */
function isFailure(kept: KeptAnswer): boolean {
  return kept.outcome === 'failed' || (kept.answer.text ?? '').trim() === '';
}

function toKept({ cached: _cached, slots: _slots, ...kept }: Outcome): KeptAnswer {
  return kept.outcome === 'answered' ? kept : { ...kept, error: toKeptError(kept.error) };
}

function toOutcome(kept: KeptAnswer): Outcome {
  const cached = true;
  return kept.outcome === 'answered' ? { ...kept, cached } : { ...kept, cached, error: toAgentError(kept.error) };
}
