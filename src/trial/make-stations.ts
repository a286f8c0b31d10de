import { resolve } from 'node:path';
import type { AgentKind, AgentSpec } from '../agents/agent-spec.ts';
import type { ModelSetting } from '../agents/model-agent.ts';
import type { PriceTable } from '../agents/price-table.ts';
import type { EvalConfig } from '../config.ts';
import { AnswerCache } from '../runs/answer-cache.ts';
import type { Budget } from '../runs/budget.ts';
import type { AgentPlan } from '../runs/manifest.ts';
import { hideSecrets } from '../secrets/hide-secrets.ts';
import { maskKeys } from '../secrets/mask-keys.ts';
import { toVisible } from '../text/visible-text.ts';
import type { McpSettings } from '../tools/mcp/mcp-file.ts';
import type { Agent } from '../types.ts';
import { CachedAnswers } from './cached-ask.ts';
import type { Station } from './obtain.ts';
import type { ProviderGate } from './provider-gate.ts';
import { gatesOfRun, type Turn } from './run-gates.ts';

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
  const name = hideSecrets(agent.name, secrets);
  return name === agent.name ? agent : Object.create(agent, { name: { value: name, enumerable: true } });
}

function checkPrice({ name, fingerprint, priced, provider }: Agent, { kind }: AgentSpec, budget: Budget | null): void {
  if (budget === null || fingerprint === undefined || priced === true) return;
  const server = provider === undefined ? '' : ` at ${maskKeys(provider)}`;
  throw new Error(
    `EVAL_MAX_COST is set, and the price of ${name}${server} is not known, so the budget could not hold. ` +
      `${PRICE_REMEDIES[kind] ?? 'Give its price in vitest.config.ts'}, or unset EVAL_MAX_COST.`,
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
    throw new Error(`EVAL_AGENT=${toVisible(agent.name, 1_000)}: ${agent.unready}`);
  }
}

/** For agents that viva sees no tokens of. */
const PRICE_REMEDIES: Partial<Record<AgentKind, string>> = {
  module: 'Export {answer, priced: true} and return "cost" in US dollars with each answer',
  command:
    'A command cannot promise costs: start it from a module that exports {answer, priced: true} and returns "cost"',
};

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
