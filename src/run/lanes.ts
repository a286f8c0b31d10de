import { resolve } from 'node:path';
import type { ReplyFormat } from '../agents/converse.ts';
import { createAgents, findSpecProblem, kindOf, usesMcp } from '../agents/kinds.ts';
import { type AgentSpec, refuseSpec } from '../agents/spec.ts';
import type { EvalConfig } from '../settings.ts';
import { AnswerCache } from '../store/cache.ts';
import type { AgentPlan } from '../store/manifest.ts';
import { computeSpent, readRunFiles } from '../store/run-reader.ts';
import type { Agent, AgentPrice } from '../words/answer.ts';
import { isPrivate } from '../words/audience.ts';
import type { Dataset, Sample, SimulatedUser } from '../words/sample.ts';
import { maskKeys, redact } from '../words/secrets.ts';
import { escapeLine, plural, quote, showPath } from '../words/show.ts';
import { AgentTools, noteUnreached, type ToolsSetting } from './agent-tools.ts';
import { Budget } from './budget.ts';
import type { ChosenAgent } from './choose-agents.ts';
import type { SimulatedSpeaker } from './play-conversation.ts';
import type { Prompt } from './prompt.ts';
import type { AskingRun } from './provided-run.ts';
import { ProviderQueue } from './queue.ts';
import { resolveBeside, type Suite } from './suite.ts';

/** The model that plays the users of a suite. */
export type UserModel = Readonly<{
  /** Of all that its messages depend on. */
  fingerprint: string;
  name: string;
  price?: AgentPrice;
  findChange?: Agent['findChange'];
  estimate?: Agent['estimate'];
  /** How the user of one conversation is played. */
  speakFor(sample: Sample, user: SimulatedUser, limits: SpeakerLimits): SimulatedSpeaker;
}>;

/** Each message has a deadline of its own. */
export type SpeakerLimits = Readonly<{ deadlineMs: number; cancelled: AbortSignal }>;

/** An agent and a prompt, with the queue, budget and cache of the agent. */
export type AgentLane = Readonly<{
  agent: Agent;
  prompt: Prompt;
  /** What names the agent. */
  spec: AgentSpec;
  queue: ProviderQueue;
  budget: Budget | null;
  /** Null for an agent whose answers are never cached. */
  cache: AnswerCache | null;
  /** The user's keys. They are hidden in all output of the agent. */
  secrets: readonly string[];
  /** Whether the agent's output must not be printed, because it may quote a question. */
  isHidden: boolean;
  /** Who plays the users of its conversations. */
  user?: UserModel;
  /** The tools that an agent of the user's code may have wrapped. */
  tools?: AgentTools;
}>;

type OpenLane = Pick<AgentLane, 'agent' | 'spec' | 'queue' | 'budget' | 'secrets'>;

/** Makes the agents of a suite and their lanes; `create` is another way to make them, for tests. */
export async function makeLanes(
  {
    name: suite,
    file,
    definition,
    prompts,
  }: Pick<Suite, 'name' | 'file' | 'definition' | 'prompts'>,
  agents: readonly ChosenAgent[],
  dataset: Dataset,
  run: AskingRun,
  isHidden: boolean,
  create = createAgents,
): Promise<readonly AgentLane[]> {
  const { config, mcp, load, sources } = run;
  const openCache = (mode: EvalConfig['cache']) =>
    openAnswers(resolve(config.dir, 'cache', suite), mode, definition, dataset);
  const answers = openCache(config.cache);
  const shared = { prices: config.prices, tools: { mcp }, load, sources, evalFile: file };
  const predictions =
    definition.predictions === undefined ? '' : resolveBeside(file, definition.predictions);
  const replayed = { suite, predictions, ids: dataset.samples.map(({ id }) => id) };
  if (agents.length === 0)
    throw new Error(
      `Suite ${suite} has no agent. Give it "agent" in ${showPath(file)}, or set EVAL_AGENT.`,
    );
  checkMcp(agents, run);
  const make = async (chosen: ChosenAgent, onRateLimit: () => void) => {
    const { name, spec, written, isFree } = chosen;
    const { createOwnAgent, toFree } = await import('../agents/module.ts');
    const created =
      written === undefined
        ? await create(spec, { ...shared, ...replayed, onRateLimit })
        : [createOwnAgent(written, name, suite, file, sources)];
    return nameAgents(isFree === true ? created.map(toFree) : created, chosen);
  };
  const { concurrency = config.concurrency } = definition;
  const least = Math.min(concurrency, config.concurrency);
  const limited = { ...run, config: { ...config, concurrency: least } };
  const lanes: AgentLane[] = [];
  for (const each of agents) {
    const { spec } = each;
    for (const open of await openLanes(spec, limited, (onRateLimit) => make(each, onRateLimit))) {
      const { fingerprint, recorded } = open.agent;
      const named = { suite, agent: open.agent.name, evalFile: file, isHidden };
      const { agent, tools } = adaptTools(open.agent, each, { ...named, ...run });
      // A known answer calls no tool.
      const isAsked = tools?.records === true && ['on', 'retry'].includes(config.cache);
      const cache = fingerprint === undefined ? null : isAsked ? openCache('refresh') : answers;
      const lanePrompts = recorded === undefined ? prompts : [recorded?.prompt ?? NO_PROMPT];
      const lane = { ...open, agent, tools, cache, isHidden };
      lanes.push(...lanePrompts.map((prompt) => ({ ...lane, prompt })));
    }
  }
  checkNames(lanes);
  return lanes;
}

function openAnswers(
  folder: string,
  mode: EvalConfig['cache'],
  { cache: isOn, public: isPublic }: Suite['definition'],
  { name }: Dataset,
): AnswerCache {
  return new AnswerCache(folder, mode, isOn, isPrivate({ dataset: name, public: isPublic }));
}

/** Only code of the user can wrap tools; that of a command runs in a process of its own. */
function adaptTools(
  agent: Agent,
  { written, spec }: ChosenAgent,
  { config, ...setting }: Omit<ToolsSetting, 'mode'> & Pick<AskingRun, 'config'>,
): Pick<AgentLane, 'agent' | 'tools'> {
  const isOfUser =
    written !== undefined || spec.kind === 'module' || kindOf(spec).own !== undefined;
  if (!isOfUser)
    return { agent: spec.kind === 'replay' ? agent : noteUnreached(agent, config.tools) };
  const tools = new AgentTools({ ...setting, mode: config.tools });
  return { agent: tools.adapt(agent), tools };
}

/** The prompt of predictions is not known. */
const NO_PROMPT: Prompt = { text: '', hash: '', name: null };

/** The agents of a spec, each with its queue and the budget of the run. */
async function openLanes(
  spec: AgentSpec,
  run: AskingRun,
  make: (onRateLimit: () => void) => Promise<readonly Agent[]>,
): Promise<readonly OpenLane[]> {
  const { config, secrets } = run;
  const limits = limitsOfRun(run);
  const { budget } = limits;
  let queue: ProviderQueue | null = null;
  const agents = await make(() => queue?.slowDown());
  return agents.map((created) => {
    // A module chooses its agent's name, which all files and titles show.
    const agent = withName(created, redact(created.name, secrets));
    queue = queueOf(agent, limits, config.concurrency);
    checkPrice(agent, spec, budget);
    return { agent, spec, queue, budget, secrets };
  });
}

/** The lane of a model that a suite asks besides its agents: a judge, or a simulated user. */
export async function openModel(
  spec: AgentSpec,
  suite: string,
  run: AskingRun,
  { format, adapt = (agent) => agent }: ModelOptions = {},
): Promise<OpenLane> {
  const { config, load, sources } = run;
  const problem = findSpecProblem(spec, process.cwd());
  if (problem !== null) throw new Error(problem);
  const nothing = { suite, predictions: '', ids: [], prices: config.prices };
  const [lane] = await openLanes(spec, run, async (onRateLimit) => {
    const options = { ...nothing, onRateLimit, load, sources, format };
    return (await createAgents(spec, options)).map(adapt);
  });
  if (lane === undefined) throw new Error(`${spec.text} is not a model.`);
  return lane;
}

type ModelOptions = Readonly<{ format?: ReplyFormat; adapt?: (agent: Agent) => Agent }>;

/** Refuses prompts of EVAL_PROMPT for recorded answers, which were given to another prompt. */
export function checkPrompted(lanes: readonly AgentLane[], isPrompted: boolean): void {
  const recorded = listAgents(lanes).find(({ fingerprint }) => fingerprint === undefined);
  if (recorded === undefined || !isPrompted) return;
  const remedy = 'Name another agent in EVAL_AGENT, or leave EVAL_PROMPT out.';
  throw new Error(
    `EVAL_PROMPT: ${escapeLine(recorded.name, 1_000)} repeats recorded answers and is not asked. ${remedy}`,
  );
}

/** The agents of lanes, each once. */
export function listAgents(lanes: readonly Pick<AgentLane, 'agent'>[]): readonly Agent[] {
  return [...new Set(lanes.map(({ agent }) => agent))];
}

/** Refuses an agent that will be asked but cannot answer, such as one without its key. */
export function checkReady(
  lanes: readonly Pick<AgentLane, 'agent' | 'spec'>[],
  plans: readonly Pick<AgentPlan, 'to_ask'>[],
  { dryRun }: Pick<EvalConfig, 'dryRun'>,
): void {
  if (dryRun === true) return;
  for (const [index, { agent, spec }] of lanes.entries()) {
    if (agent.notReadyReason === undefined || plans[index]?.to_ask === 0) continue;
    throw new Error(refuseSpec(spec, agent.notReadyReason));
  }
}

/** What the suites of a run share: a key that is refused in one suite is refused in the next. */
type RunLimits = Readonly<{
  folder: string;
  budget: Budget | null;
  queues: Map<string, ProviderQueue>;
}>;

let latest: RunLimits | null = null;

/** Each watch run gets new ones. */
function limitsOfRun({ folder, spentUsd, config: { maxCost } }: AskingRun): RunLimits {
  if (latest?.folder === folder) return latest;
  const budget =
    maxCost === null
      ? null
      : new Budget(maxCost, spentUsd + computeSpent(readRunFiles(folder, {})));
  latest = { folder, budget, queues: new Map() };
  return latest;
}

/** The file of servers may need variables that only models need. */
function checkMcp(agents: readonly ChosenAgent[], { mcpProblem }: AskingRun): void {
  if (mcpProblem === undefined || !agents.some(({ spec }) => usesMcp(spec))) return;
  throw new Error(mcpProblem);
}

function queueOf(
  { provider, name, fingerprint }: Agent,
  { budget, queues }: RunLimits,
  concurrency: number,
): ProviderQueue {
  // Only a provider can refuse a key, and a budget needs a first cost to estimate others.
  const pilot = provider !== undefined || budget !== null;
  // Suites share the queue of a provider, but a suite that wants fewer calls has its own. Agents of
  // two suites may have one name.
  const key = JSON.stringify([provider ?? [name, fingerprint], concurrency]);
  const queue = queues.get(key) ?? new ProviderQueue({ concurrency, budget, pilot });
  queues.set(key, queue);
  return queue;
}

function checkPrice(
  { name, fingerprint, priced, provider }: Agent,
  spec: AgentSpec,
  budget: Budget | null,
): void {
  if (budget === null || fingerprint === undefined || priced === true) return;
  // The setting of an agent in an eval file is its place, which its name shows already.
  const { setting = '' } = spec;
  const role = /^(EVAL_|")/.test(setting) ? ` (${setting})` : '';
  const server = provider === undefined ? '' : ` at ${maskKeys(provider)}`;
  throw new Error(
    `EVAL_MAX_COST is set, but the price of ${name}${role}${server} is not known, so viva cannot enforce the budget. ` +
      `${kindOf(spec).priceRemedy ?? explainPrice(spec)}, or unset EVAL_MAX_COST.`,
  );
}

/** How to give the price of a model, by the name that its server has for it. */
function explainPrice({ kind, target }: AgentSpec): string {
  const model = kind === 'ai' ? target.replace(/^(?:@[^/]*\/)?[^/]*\//, '') : target;
  const price = `'${escapeLine(model)}': { input: 1, output: 4 }`;
  return `In vitest.config.ts write viva({ defaults: { prices: { ${price} } } }), in dollars per million tokens`;
}

/** Throws if a recording lacks some trials of a sample: they would count as wrong. */
export function checkTrials(
  lanes: readonly AgentLane[],
  samples: readonly Sample[],
  trials: number,
): void {
  for (const { name, lacksTrial } of listAgents(lanes)) {
    for (let trial = 1; trial <= trials; trial++) {
      const lacking = samples.filter(({ id }) => lacksTrial?.(id, trial) === true);
      if (lacking.length === 0) continue;
      const shown = lacking.slice(0, 3).map(({ id }) => quote(id));
      const remedy = trial === 1 ? 'Number its trials from 1 up' : `Set EVAL_TRIALS=${trial - 1}`;
      throw new Error(
        `${name} does not have trial ${trial} of ${plural(lacking.length, 'question')}: ${shown.join(', ')}${lacking.length > 3 ? ', ...' : ''}. ${remedy}, or add what is missing.`,
      );
    }
  }
}

function checkNames(lanes: readonly AgentLane[]): void {
  const names = listAgents(lanes).map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated === undefined) return;
  throw new Error(
    `EVAL_AGENT names an agent twice: ${quote(repeated)}. Name it once; EVAL_TRIALS repeats it.`,
  );
}

/**
 * The agents under the names that their suite gives them: a run that is replayed may have had
 * several.
 */
function nameAgents(agents: readonly Agent[], { name, spec }: ChosenAgent): readonly Agent[] {
  if (name === null) return agents;
  return agents.map((agent) =>
    withName(agent, agents.length === 1 ? name : agent.name.replace(spec.text, () => name)),
  );
}

function withName(agent: Agent, name: string): Agent {
  return name === agent.name
    ? agent
    : Object.create(agent, { name: { value: name, enumerable: true } });
}
