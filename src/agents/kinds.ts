import { resolve } from 'node:path';
import { isFile } from '../records/files.ts';
import { maskKeys } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import {
  describeMissingCommand,
  describeMissingFile,
  findNamedFiles,
  withImports,
} from './source-files.ts';

/** One agent of EVAL_AGENT: `kind:target`. */
export type AgentSpec = {
  readonly kind: AgentKindName;
  readonly target: string;
  /**
   * The spec without credentials. It is the agent's name in reports and in the name of the run
   * folder.
   */
  readonly text: string;
  /** The setting that names it, for messages. Default EVAL_AGENT. */
  readonly setting?: string;
  /** The parameters after "?", not yet checked. */
  readonly params?: readonly (readonly [name: string, value: string])[];
};

/** The description of a kind of agent. The rest of viva knows nothing else about it. */
type AgentKind = {
  /** How EVAL_AGENT names an agent of this kind, for messages. */
  readonly form: string;
  /** Whether it may cost money. Such an agent runs only if the user names it. */
  readonly isPaid: boolean;
  /**
   * The environment variables of its SDK, if viva itself asks a model. Only such agents get tools
   * and parameters.
   */
  readonly model: { readonly key: string; readonly baseUrl: string } | null;
  /** The absolute paths of its files. An edit of one changes the fingerprint. */
  listFiles(target: string, root: string): readonly string[];
  /** Why it cannot start, if this is known before it is made. */
  findProblem?(target: string, root: string): string | null;
  /**
   * What to do if a budget is set and its price is unknown. The default is to add a price in
   * vitest.config.ts.
   */
  readonly priceRemedy?: string;
};

const OPENAI = {
  isPaid: true,
  model: { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
  listFiles: () => [],
};
const ANTHROPIC = { ...OPENAI, model: { key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' } };

/**
 * The kinds by their prefix in EVAL_AGENT. A new kind is a file, an entry here, and the line in
 * index.ts that the compiler then asks for: Vite bundles what vitest.config.ts imports, so the SDKs
 * are imported there.
 */
const KINDS = {
  replay: {
    form: 'replay or replay:FILE_OR_FOLDER',
    isPaid: false,
    model: null,
    listFiles: listTarget,
  },
  openai: { form: 'openai:MODEL', ...OPENAI },
  'openai-chat': { form: 'openai-chat:MODEL', ...OPENAI },
  anthropic: { form: 'anthropic:MODEL', ...ANTHROPIC },
  module: {
    form: 'module:FILE',
    isPaid: true,
    model: null,
    listFiles: listTarget,
    findProblem: (target, root) =>
      target !== '' && isFile(resolve(root, target)) ? null : describeMissingFile(target),
    priceRemedy:
      'Make the agent {answer, priced: true} and return "cost" in US dollars with each answer',
  },
  command: {
    form: 'command:LINE',
    isPaid: true,
    model: null,
    listFiles: (target, root) => withImports(findNamedFiles(target, root)),
    findProblem: describeMissingCommand,
    priceRemedy:
      'A command cannot promise costs. Start it from a module that exports {answer, priced: true} and returns "cost"',
  },
} as const satisfies Record<string, AgentKind>;

export type AgentKindName = keyof typeof KINDS;

const names = Object.keys(KINDS) as AgentKindName[];

/**
 * The forms that EVAL_AGENT accepts, and those of EVAL_JUDGE, for messages: a recording judges
 * nothing.
 */
export const AGENT_FORMS = listForms(names);
export const JUDGE_FORMS = listForms(names.filter((name) => name !== 'replay'));

function listForms(kinds: readonly AgentKindName[]): string {
  const forms = kinds.map((kind) => KINDS[kind].form).join(', ');
  return forms.replace(/, ([^,]*)$/, ' or $1');
}

/** A suite without EVAL_AGENT replays its own predictions. */
export const DEFAULT_AGENT: AgentSpec = { kind: 'replay', target: '', text: 'replay' };

/** The description of an agent's kind. */
export function kindOf({ kind }: Pick<AgentSpec, 'kind'>): AgentKind {
  return KINDS[kind];
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
  const separator = new RegExp(`,(?=\\s*(?:${names.join('|')})\\s*(?:[:,]|$))`);
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

function parseAgentSpec(text: string): AgentSpec | null {
  const [, prefix = '', target = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  const kind = names.find((name) => name === prefix);
  if (kind === undefined) return null;
  if (kindOf({ kind }).model === null) return { kind, target: target.trim(), text: maskKeys(text) };
  const [, model = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(target) ?? [];
  const params = query === undefined ? {} : { params: [...new URLSearchParams(query)] };
  const spec = { kind, target: model.trim(), ...params };
  return { ...spec, text: showSpec(text, spec) };
}

/**
 * The spec as written, unless a parameter holds a credential. Credentials are searched in parsed
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
