import { resolve } from 'node:path';
import { isFile } from '../records/record.ts';
import { maskKeyForms, maskKeys } from '../text/secrets.ts';
import { oneOf, type ValueParser } from '../text/setting-values.ts';
import { escapeLine, quote } from '../text/show.ts';
import { suggest } from '../text/wording.ts';
import type { Agent } from '../types.ts';
import type { ModelSetting } from './model-agent.ts';
import type { ModuleSetting } from './module.ts';
import { type BUILT_IN, kindsByName, registerKinds } from './register-kinds.ts';
import type { ReplayedSuite } from './replay.ts';
import { describeMissingCommand, findNamedFiles, withImports } from './source-files.ts';

/** One agent of EVAL_AGENT: `kind:target`. */
export type AgentSpec = Readonly<{
  kind: string;
  target: string;
  /**
   * The spec without credentials. It is the agent's name in reports and in the name of the run
   * folder.
   */
  text: string;
  /** The setting that names it, for messages. Default EVAL_AGENT. */
  setting?: string;
  /** The parameters after "?", not yet checked. */
  params?: readonly (readonly [name: string, value: string])[];
}>;

/** The description of a kind of agent. The rest of viva knows nothing else about it. */
export type AgentKind = Readonly<{
  /** How EVAL_AGENT names an agent of this kind, for messages. */
  form: string;
  /** Whether it may cost money. Such an agent runs only if the user names it. */
  isPaid: boolean;
  /** Whether viva itself asks a model: such agents get tools and parameters. */
  isModel: boolean;
  /** The absolute paths of its files. An edit of one changes the fingerprint. */
  listFiles(target: string, root: string): readonly string[];
  /** Why it cannot start, if this is known before it is made. */
  findProblem?(target: string, root: string): string | null;
  /**
   * What to do if a budget is set and its price is unknown. The default is to add a price in
   * vitest.config.ts.
   */
  priceRemedy?: string;
  /** Its file and its SDK are loaded only for an agent of this kind. Absent for an own kind. */
  load?(): Promise<CreateAgents>;
  /** The factory of an own kind, or the configuration file whose `viva()` registers it. */
  own?: Readonly<{ create?: unknown; file?: string }>;
}>;

/** The settings for making agents. */
export type AgentSetting = ReplayedSuite & ModelSetting & ModuleSetting;

type CreateAgents = (
  spec: AgentSpec,
  setting: AgentSetting,
) => Agent | readonly Agent[] | Promise<Agent | readonly Agent[]>;

const MODEL = { isPaid: true, isModel: true, listFiles: () => [] };

/** The kinds by their prefix in EVAL_AGENT. A new kind is a file and an entry here. */
const KINDS = {
  replay: {
    form: 'replay or replay:FILE_OR_FOLDER',
    load: async () => (await import('./replay.ts')).createReplay,
    isPaid: false,
    isModel: false,
    listFiles: listTarget,
  },
  openai: {
    form: 'openai:MODEL',
    ...MODEL,
    load: async () => (await import('./openai-responses.ts')).createOpenAIResponses,
  },
  'openai-chat': {
    form: 'openai-chat:MODEL',
    ...MODEL,
    load: async () => (await import('./openai-chat.ts')).createOpenAIChat,
  },
  anthropic: {
    form: 'anthropic:MODEL',
    ...MODEL,
    load: async () => (await import('./anthropic.ts')).createAnthropic,
  },
  ai: {
    form: 'ai:PROVIDER/MODEL',
    ...MODEL,
    load: async () => (await import('./ai.ts')).createAi,
  },
  module: {
    form: 'module:FILE',
    load: async () => (await import('./module.ts')).createModuleAgent,
    isPaid: true,
    isModel: false,
    listFiles: listTarget,
    findProblem: (target, root) =>
      target !== '' && isFile(resolve(root, target)) ? null : describeMissingFile(target),
    priceRemedy:
      'Write it as {answer, priced: true}, which returns "cost" in US dollars with each answer',
  },
  command: {
    form: 'command:LINE',
    load: async () => (await import('./command.ts')).createCommandAgent,
    isPaid: true,
    isModel: false,
    listFiles: (target, root) => withImports(findNamedFiles(target, root)),
    findProblem: describeMissingCommand,
    priceRemedy:
      'A command cannot promise costs. Start it from a module that exports {answer, priced: true} and returns "cost"',
  },
} as const satisfies Record<(typeof BUILT_IN)[number], AgentKind>;

registerKinds(KINDS);

/**
 * The forms that EVAL_AGENT accepts, and those of EVAL_JUDGE, for messages: a recording judges
 * nothing.
 */
export const listAgentForms = () => listForms();

export const listJudgeForms = () => listForms('replay');

function listForms(without = ''): string {
  const named = [...kindsByName].flatMap(([name, kind]) => (name === without ? [] : kind));
  // vitest.config.ts registers its kinds first.
  return named
    .toSorted((a, b) => Number(a.own !== undefined) - Number(b.own !== undefined))
    .map(({ form }) => form)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
}

/** A suite without EVAL_AGENT replays its own predictions. */
export const DEFAULT_AGENT: AgentSpec = { kind: 'replay', target: '', text: 'replay' };

/** The description of an agent's kind. */
export function kindOf({ kind }: Pick<AgentSpec, 'kind'>): AgentKind {
  const known = kindsByName.get(kind);
  if (known !== undefined) return known;
  throw new Error(`${quote(kind)} is not a kind of agent. Known: ${listAgentForms()}.`);
}

/** Why the agent of a spec cannot start; null if no reason is known. */
export function findSpecProblem(spec: AgentSpec, root: string): string | null {
  const problem = kindOf(spec).findProblem?.(spec.target, root);
  return problem ? refuseSpec(spec, problem) : null;
}

export function refuseSpec(
  { text, setting = 'EVAL_AGENT' }: Pick<AgentSpec, 'text' | 'setting'>,
  problem: string,
): string {
  return `${setting}=${escapeLine(text, 1_000)}: ${escapeLine(problem, 3_000)}`;
}

/**
 * Parses EVAL_AGENT: specs between commas; undefined if a prefix is unknown. A comma separates only
 * before a known prefix, as command lines may contain commas.
 */
export function parseAgentSpecs(value: string): readonly AgentSpec[] | undefined {
  const names = [...kindsByName.keys()].join('|');
  const separator = new RegExp(`,(?=\\s*(?:${names})\\s*(?:[:,]|$))`);
  const specs = value.split(separator).map((text) => parseAgentSpec(text.trim()));
  return specs.every((spec) => spec !== null) ? specs : undefined;
}

/**
 * Parses EVAL_JUDGE, or the `judges` of a criterion; undefined if a spec is not known, or is a
 * replay.
 */
export function parseJudgeSpecs(
  value: string,
  setting = 'EVAL_JUDGE',
): readonly AgentSpec[] | undefined {
  const specs = parseAgentSpecs(value);
  return specs?.every(({ kind }) => kind !== 'replay')
    ? specs.map((spec) => ({ ...spec, setting }))
    : undefined;
}

/** Parses EVAL_USER, or the `user` of a simulation: one spec, as a judge's; null for any other text. */
export function parseUserSpec(value: string, setting: string): AgentSpec | null {
  const [spec = null, ...others] = parseJudgeSpecs(value, setting) ?? [];
  return others.length === 0 ? spec : null;
}

function parseAgentSpec(text: string): AgentSpec | null {
  const [, kind = '', target = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  const known = kindsByName.get(kind);
  if (known === undefined) return null;
  if (!known.isModel && known.own === undefined)
    return { kind, target: target.trim(), text: maskKeys(text) };
  const [, model = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(target) ?? [];
  const params = query === undefined ? {} : { params: [...new URLSearchParams(query)] };
  const spec = { kind, target: model.trim(), ...params };
  return { ...spec, text: showSpec(text, spec) };
}

/**
 * The spec as written, unless a parameter contains a credential. Credentials are searched in parsed
 * values, since the text may escape them.
 */
function showSpec(text: string, { kind, target, params = [] }: Omit<AgentSpec, 'text'>): string {
  const shown = params.map(([name, value]) => maskKeys(`?${name}=${value}`).slice(1));
  const isPlain = params.every(([name, value], index) => shown[index] === `${name}=${value}`);
  return maskKeys(isPlain ? text : `${kind}:${target}?${shown.join('&')}`);
}

function listTarget(target: string, root: string): readonly string[] {
  return target === '' ? [] : [resolve(root, target)];
}

/** The values of a table's parameters. Absent ones remain absent. */
export type ParameterValues<Table> = {
  readonly [K in keyof Table]?: Table[K] extends ValueParser<infer T> ? T : never;
};

/** Checks the parameters of a spec, as in `openai:MODEL?temperature=0`, against a kind's table. */
export function readParameters<const Table extends Readonly<Record<string, ValueParser<unknown>>>>(
  spec: AgentSpec,
  table: Table,
): ParameterValues<Table> {
  const { kind, target, params = [] } = spec;
  const fail = (problem: string) => new Error(refuseSpec(spec, problem));
  if (target === '')
    throw fail(`no model is named. Write it after the colon, as in ${kind}:MODEL.`);
  if (maskKeyForms(target) !== target)
    throw fail(
      'the name of the model is an API key. Name a model here, and put keys into the environment.',
    );
  const values = new Map<string, unknown>();
  for (const [name, value] of params) {
    const shown = quote(maskKeys(`?${name}=${value}`).slice(name.length + 2));
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (parameter === undefined) {
      const remedy = suggest(name, Object.keys(table));
      throw fail(`${quote(name)} (${shown}) is not a parameter of ${kind}.${remedy}`);
    }
    if (values.has(name))
      throw fail(`parameter ${name} is given twice, the second time as ${shown}. Keep one.`);
    const parsed = parameter.parse(value);
    if (parsed === undefined)
      throw fail(`parameter ${name} must be ${parameter.allowed}, got ${shown}.`);
    values.set(name, parsed);
  }
  return Object.fromEntries(values) as ParameterValues<Table>;
}

/** The tools that a provider runs itself. */
export type HostedName = 'web_search' | 'web_fetch' | 'code_execution';

/** The parameter of such a tool: "on", "off" or a version. */
export function hostedTool<const T extends string = never>(
  ...versions: readonly T[]
): ValueParser<'on' | 'off' | T> {
  return oneOf<'on' | 'off' | T>('on', 'off', ...versions);
}

/** The version of a tool to use, in a list; an empty list for none. "on" means the first. */
export function chooseHosted<T extends string>(
  name: HostedName,
  versions: readonly T[],
  values: { readonly [K in HostedName]?: string },
): readonly T[] {
  const chosen = values[name] === 'on' ? versions[0] : values[name];
  return versions.filter((version) => version === chosen);
}

/** How much a model thinks before it answers, by the words of OpenAI and of the AI SDK. */
export const REASONING_EFFORT = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max');

/**
 * Makes the agents of one spec of EVAL_AGENT. Only the replay of a run with several agents makes
 * more than one. Throws an Error for a wrong parameter, a missing file or a missing package. A
 * missing API key is not an error here: it is in the agent's `notReadyReason`.
 */
export async function createAgents(
  spec: AgentSpec,
  setting: AgentSetting,
): Promise<readonly Agent[]> {
  const create = (await kindOf(spec).load?.()) ?? (await import('./own-kind.ts')).createOfOwnKind;
  return [await create(spec, setting)].flat();
}

/** Says that a file which an agent's spec names does not exist. */
function describeMissingFile(path: string): string {
  return `no such file, got ${quote(path)}. Write its path relative to the project's root.`;
}
