import { resolve } from 'node:path';
import type { AgentSpec } from '../agents/agent-spec.ts';
import { kindOf } from '../agents/kinds.ts';
import type { ModelSetting } from '../agents/model-agent.ts';
import type { PriceTable } from '../agents/price.ts';
import type { EvalConfig } from '../config.ts';
import { AnswerCache, type CacheParts, type KeptAnswer, toAgentError, toKeptError } from '../store/cache.ts';
import type { AgentPlan } from '../store/manifest.ts';
import { readSampleLog } from '../store/sample-log.ts';
import { maskKeys, redact } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import type { McpSettings } from '../tools/mcp/mcp-file.ts';
import type { Agent, ErrorKind } from '../types.ts';
import type { Asked, Station } from './ask.ts';
import { Budget, ProviderGate, type StopReason } from './limits.ts';

/** What an agent is given to work with. */
export type AgentServices = Required<Pick<ModelSetting, 'tools' | 'hosted'>> & {
  /** To be called when the provider refuses a request for its rate, also when the SDK then tries again by itself. */
  onRateLimit(): void;
  /** The user's price table. */
  readonly prices: PriceTable;
};

export type StationOptions = Turn & {
  readonly suite: string;
  readonly config: EvalConfig;
  /** The user's keys. */
  readonly secrets: readonly string[];
  /** Whether what agents word themselves stays out of what is printed. */
  readonly gated: boolean;
  /** The run's MCP servers. */
  readonly mcp: McpSettings | null;
  /** Makes the agents that one spec of EVAL_AGENT stands for. */
  create(spec: AgentSpec, services: AgentServices): readonly Agent[] | Promise<readonly Agent[]>;
};

/** The agents of a run, each behind the gate of its provider. Without EVAL_AGENT a suite replays its own predictions. */
export async function makeStations(options: StationOptions): Promise<readonly Station[]> {
  const { config } = options;
  const specs: readonly AgentSpec[] = config.agents ?? [{ kind: 'replay', target: '', text: 'replay' }];
  const { budget, gateOf, stop } = gatesOfRun(options, config);
  const cache = new AnswerCache(resolve(config.dir, 'cache', options.suite));
  const answers = new CachedAnswers(cache, config.cache, (why) => stop('disk', why));
  const stations: Station[] = [];
  for (const spec of specs) {
    let gate: ProviderGate | null = null;
    const shared = { prices: config.prices, hosted: config.hostedTools, tools: { mcp: options.mcp } };
    const agents = await options.create(spec, { onRateLimit: () => gate?.slowDown(), ...shared });
    for (const agent of agents.map((made) => hideInName(made, options.secrets))) {
      gate = gateOf(agent);
      checkPrice(agent, spec, budget);
      checkTrials(agent, config.trials);
      const kept = agent.fingerprint === undefined ? null : answers;
      stations.push({ agent, gate, budget, answers: kept, secrets: options.secrets, gated: options.gated });
    }
  }
  checkNames(stations);
  return stations;
}

/** A module names its agent itself, and the name stands in every file and title. */
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

/** A missing key is found before the first call, where there is to be one: answers that are kept need none. */
export function checkReady(
  stations: readonly Pick<Station, 'agent'>[],
  plans: readonly Pick<AgentPlan, 'to_ask'>[],
  { cache, dryRun }: Pick<EvalConfig, 'cache' | 'dryRun'>,
): void {
  if (cache === 'only' || dryRun === true) return;
  for (const [index, { agent }] of stations.entries()) {
    if (agent.unready === undefined || plans[index]?.to_ask === 0) continue;
    throw new Error(`EVAL_AGENT=${escapeLine(agent.name, 1_000)}: ${agent.unready}`);
  }
}

/** Trials that were never recorded would all count as wrong. */
function checkTrials({ name, trials }: Agent, asked: number): void {
  if (trials === undefined || asked <= trials) return;
  throw new Error(
    `EVAL_TRIALS is ${asked}, and ${name} holds ${trials} of each sample. Set EVAL_TRIALS to ${trials} or leave it out; ` +
      'in a predictions file "trial" says which one a line is.',
  );
}

function checkNames(stations: readonly Station[]): void {
  const names = stations.map(({ agent }) => agent.name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated === undefined) return;
  throw new Error(
    `EVAL_AGENT names an agent twice: ${JSON.stringify(repeated)}. Name it once; EVAL_TRIALS repeats it.`,
  );
}

/** Failures of the way to the agent or of this machine, not of the agent: asked again by the next run. All other outcomes are kept. */
const NOT_KEPT: readonly ErrorKind[] = ['rate_limit', 'quota', 'auth', 'server', 'network', 'machine'];

/** Looks answers up and keeps them as EVAL_CACHE says. */
export class CachedAnswers {
  readonly #cache: AnswerCache;
  readonly #mode: EvalConfig['cache'];
  readonly #onLoss: (why: string) => void;

  /** `onLoss` hears why an answer could not be kept: each further one would be paid for and lost with the process. */
  constructor(cache: AnswerCache, mode: EvalConfig['cache'], onLoss: (why: string) => void) {
    this.#cache = cache;
    this.#mode = mode;
    this.#onLoss = onLoss;
  }

  /** The answer to use instead of asking; null when the question is to be asked. */
  find(parts: CacheParts): Asked | null {
    if (this.asksAll !== null) return null;
    const kept = this.#cache.get(parts);
    if (kept === null || (this.#mode === 'retry' && isFailure(kept))) return null;
    return toAsked(kept);
  }

  /** True when nothing may be asked that is not in the cache. */
  get only(): boolean {
    return this.#mode === 'only';
  }

  /** The setting under which every question is asked, whatever is kept; null under the others. */
  get asksAll(): 'off' | 'refresh' | null {
    return this.#mode === 'off' || this.#mode === 'refresh' ? this.#mode : null;
  }

  /** Keeps what was asked and gives it back with its number of attempts, also when the disk does not take it. */
  keep(parts: CacheParts, asked: Asked): Asked {
    const attempts = this.#mode === 'retry' ? (this.#cache.get(parts)?.attempts ?? 0) + 1 : 1;
    const counted = { ...asked, attempts };
    const dropped = asked.outcome === 'failed' && NOT_KEPT.includes(asked.error.kind);
    if (this.#mode !== 'off' && !dropped) this.#put(parts, counted);
    return counted;
  }

  #put(parts: CacheParts, asked: Asked): void {
    try {
      this.#cache.put(parts, toKept(asked));
    } catch (error) {
      // An answer that is longer than a line can be is asked again; others are kept all the same.
      if (error instanceof RangeError) return;
      const said = error instanceof Error ? error.message : String(error);
      this.#onLoss(`An answer cannot be kept in ${this.#cache.folder} (${said}). ${toRemedy(said)} and run again.`);
    }
  }

  lastLatencyMs(parts: CacheParts): number | null {
    return this.#cache.lastLatencyMs(parts);
  }

  explainMiss(parts: CacheParts): readonly (keyof CacheParts)[] | null {
    return this.#cache.explainMiss(parts);
  }
}

function toRemedy(said: string): string {
  return /ENOSPC|EDQUOT|The disk took/.test(said) ? 'Free space there' : 'Make it a folder that can be written to';
}

/** What EVAL_CACHE=retry asks again: never a wrong answer, which would make the figure best-of-n. */
function isFailure(kept: KeptAnswer): boolean {
  return kept.outcome === 'failed' || (kept.answer.text ?? '').trim() === '';
}

function toKept({ startedAt, answeredAt, latencyMs, attempts, ...rest }: Asked): KeptAnswer {
  const head = { started_at: startedAt, answered_at: answeredAt, latency_ms: latencyMs, attempts };
  return rest.outcome === 'answered'
    ? { ...head, outcome: 'answered', answer: rest.answer }
    : { ...head, outcome: 'failed', error: toKeptError(rest.error) };
}

function toAsked(kept: KeptAnswer): Asked {
  const head = {
    startedAt: kept.started_at,
    answeredAt: kept.answered_at,
    latencyMs: kept.latency_ms,
    attempts: kept.attempts,
    cached: true,
  };
  return kept.outcome === 'answered'
    ? { ...head, outcome: 'answered', answer: kept.answer }
    : { ...head, outcome: 'failed', error: toAgentError(kept.error) };
}

/** One turn of a run: a run is one turn, and watch mode adds a turn for each edit. */
type Turn = {
  /** Absolute path of the run folder. */
  readonly folder: string;
  readonly turn: number;
};

/** What the suites of one turn share: the money, and the gate of each provider. */
type RunGates = {
  readonly budget: Budget | null;
  gateOf(agent: Agent): ProviderGate;
  /** Lets nothing more through any gate, those of later suites included; calls under way go on. */
  stop(reason: StopReason, why: string): void;
};

let latest: { readonly key: string; readonly gates: RunGates } | null = null;

/**
 * The gates of a turn, the same for each suite: a key that was refused, or an account that is used up, in one suite is so
 * in the next. A new turn begins anew, since the user may have mended it.
 */
function gatesOfRun({ folder, turn }: Turn, config: EvalConfig): RunGates {
  const key = JSON.stringify([folder, turn]);
  if (latest?.key !== key) latest = { key, gates: openGates(folder, config) };
  return latest.gates;
}

function openGates(folder: string, { maxCost, concurrency }: EvalConfig): RunGates {
  const budget = maxCost === null ? null : new Budget(maxCost, readSpent(folder));
  const gates = new Map<string, ProviderGate>();
  let stopped: Parameters<ProviderGate['stop']> | null = null;
  return {
    budget,
    gateOf: ({ provider, name }) => {
      const known = gates.get(provider ?? name);
      if (known !== undefined) return known;
      // Only a provider can refuse a key; and a budget needs one cost before it can tell what others will be.
      const pilot = provider !== undefined || budget !== null;
      const gate = new ProviderGate({ concurrency, budget, pilot });
      gates.set(provider ?? name, gate);
      if (stopped !== null) gate.stop(...stopped);
      return gate;
    },
    stop: (reason, why) => {
      stopped ??= [reason, why];
      for (const gate of gates.values()) gate.stop(reason, why);
    },
  };
}

/** What earlier turns of watch mode have spent. */
function readSpent(folder: string): number {
  const { results } = readSampleLog(folder);
  return results.reduce((sum, { cached, cost_usd }) => sum + (cached ? 0 : (cost_usd ?? 0)), 0);
}
