import type { Agent } from '../words/answer.ts';
import type { ModelSetting } from './model-agent.ts';
import type { ModuleSetting } from './module.ts';
import type { ReplayedSuite } from './replay.ts';
import type { AgentSpec } from './spec.ts';

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

export type AgentSetting = ReplayedSuite & ModelSetting & ModuleSetting;

type CreateAgents = (
  spec: AgentSpec,
  setting: AgentSetting,
) => Agent | readonly Agent[] | Promise<Agent | readonly Agent[]>;

/** The kinds that viva has. A user's own kinds have other names. */
export const BUILT_IN = [
  'replay',
  'openai',
  'openai-chat',
  'anthropic',
  'ai',
  'module',
  'command',
] as const;

declare global {
  /** The kinds of this process: Vite bundles a copy of this file into vitest.config.ts. */
  var vivaKinds: Map<string, AgentKind> | undefined;
  /** What the `viva()` that ran last refuses of its `agents`. */
  var vivaKindProblems: readonly string[] | undefined;
}

const registry = globalThis.vivaKinds ?? new Map<string, AgentKind>();
globalThis.vivaKinds = registry;

export const kindsByName: ReadonlyMap<string, AgentKind> = registry;

/** Makes kinds known to this process, by their prefix in EVAL_AGENT. */
export function registerKinds(kinds: Readonly<Record<string, AgentKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) registry.set(name, kind);
}

/** How `viva()` is given a kind: its factory, and `free` if its agents cost nothing. */
export type OwnKind<Factory> = Factory | Readonly<{ create: Factory; free?: boolean }>;

/** Registers the `agents` of `viva()`. Returns what is wrong with those that it cannot register. */
export function registerOwnKinds(kinds: Readonly<Record<string, unknown>>): readonly string[] {
  const problems = Object.entries(kinds).flatMap(([name, kind]) => {
    const { create = kind, free = false } = { ...Object(kind) };
    const problem = findKindProblem(name, create, free);
    if (problem !== null)
      return [`"agents" of viva(): the kind ${JSON.stringify(name)} ${problem}`];
    registerKinds({ [name]: toOwnKind(name, free, { create }) });
    return [];
  });
  globalThis.vivaKindProblems = problems;
  return problems;
}

/** A user's own kind, by its factory or by the configuration file that registers it. */
export function toOwnKind(name: string, isFree: boolean, own: AgentKind['own'] = {}): AgentKind {
  return {
    form: `${name}:TARGET`,
    isPaid: !isFree,
    isModel: false,
    listFiles: () => [],
    own,
    priceRemedy: 'Let its factory return {answer, priced: true} and "costUsd" with each answer',
  };
}

function findKindProblem(name: string, create: unknown, free: unknown): string | null {
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    return 'needs another name: small letters, digits and "-", which begins with a letter.';
  if (BUILT_IN.some((each) => each === name)) return 'is built in. Choose another name.';
  return typeof create === 'function' && typeof free === 'boolean'
    ? null
    : 'must be a function (target, setting) => agent, or {create, free: true} with one.';
}
