import { resolve } from 'node:path';
import { DOCS } from '../package.ts';
import type { Agent } from '../words/answer.ts';
import { maskKeys } from '../words/secrets.ts';
import { quote } from '../words/show.ts';
import {
  type AgentKind,
  type AgentSetting,
  type BUILT_IN,
  kindsByName,
  registerKinds,
} from './register-kinds.ts';
import {
  describeMissingCommand,
  describeMissingFile,
  findNamedFiles,
  withImports,
} from './source-files.ts';
import { type AgentSpec, refuseSpec } from './spec.ts';

const MODEL = { isPaid: true, isModel: true, listFiles: () => [] };

/** The kinds by their prefix in EVAL_AGENT. A new kind is a file and an entry here. */
const KINDS = {
  replay: {
    form: 'replay or replay:FILE_OR_FOLDER',
    load: async () => (await import('./create-replay.ts')).createReplay,
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
    findProblem: describeMissingFile,
    priceRemedy:
      'Write it as {answer, priced: true}, which returns "costUsd" in US dollars with each answer',
  },
  command: {
    form: 'command:LINE',
    load: async () => (await import('./command.ts')).createCommandAgent,
    isPaid: true,
    isModel: false,
    listFiles: (target, root) => withImports(findNamedFiles(target, root)),
    findProblem: describeMissingCommand,
    priceRemedy:
      'A command cannot promise costs. Start it from a module that exports {answer, priced: true} and returns "costUsd"',
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

/** Throws an Error that lists the kinds if there is no such kind. */
export function kindOf({ kind }: Pick<AgentSpec, 'kind'>): AgentKind {
  const found = kindsByName.get(kind);
  if (found !== undefined) return found;
  throw new Error(
    `${quote(kind)} is not a kind of agent. Known: ${listAgentForms()}. See ${DOCS}/agents.md.`,
  );
}

/** Whether an agent gets the tools of MCP servers: where none does, their file is not read. */
export function usesMcp(spec: AgentSpec): boolean {
  const isOff = ([name, value]: readonly [string, string]) =>
    (name === 'tools' || name === 'mcp') && value === 'off';
  return kindOf(spec).isModel && spec.params?.some(isOff) !== true;
}

/** Why the agent of a spec cannot start; null if no reason is known. */
export function findSpecProblem(spec: AgentSpec, root: string): string | null {
  const problem = kindOf(spec).findProblem?.(spec.target, root);
  return problem ? refuseSpec(spec, problem) : null;
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
  const { isModel, own } = kindsByName.get(kind) ?? {};
  if (isModel === undefined) return null;
  if (!isModel && own === undefined) return { kind, target: target.trim(), text: maskKeys(text) };
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
