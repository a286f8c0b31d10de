import { maskKeyForms, maskKeys } from '../text/secrets.ts';
import type { ValueParser } from '../text/setting-values.ts';
import { escapeLine, quote } from '../text/show.ts';
import { nearest } from '../text/wording.ts';

/** The agents that EVAL_AGENT can name, by prefix; `index.ts` has the file of each. */
const AGENT_KINDS = ['replay', 'openai', 'openai-chat', 'anthropic', 'module', 'command'] as const;

export type AgentKind = (typeof AGENT_KINDS)[number];

/** One agent as the user named it: `kind:target`. */
export type AgentSpec = {
  readonly kind: AgentKind;
  /** What stands behind the colon; empty when nothing does. */
  readonly target: string;
  /** The spec as written, credentials aside: the agent's name in reports and in the run folder's name. */
  readonly text: string;
  /** What stands behind "?", for the kinds that take parameters: pairs in their order, not yet checked. */
  readonly params?: readonly (readonly [name: string, value: string])[];
};

/** The kinds whose target is a model: "?" cannot be part of it, as it can of a path or a command line. */
const WITH_PARAMETERS: readonly AgentKind[] = ['openai', 'openai-chat', 'anthropic'];

/**
 * Parses the value of EVAL_AGENT: one or several specs, separated by commas. A comma separates only where a known
 * prefix follows, so that a command line may contain commas. Returns null when a spec has no known prefix.
 */
export function parseAgentSpecs(value: string): readonly AgentSpec[] | null {
  const separator = new RegExp(`,(?=\\s*(?:${AGENT_KINDS.join('|')})\\s*(?:[:,]|$))`);
  const specs = value.split(separator).map((text) => parseAgentSpec(text.trim()));
  return specs.every((spec) => spec !== null) ? specs : null;
}

function parseAgentSpec(text: string): AgentSpec | null {
  const colon = text.indexOf(':');
  const prefix = colon === -1 ? text : text.slice(0, colon);
  const kind = AGENT_KINDS.find((known) => known === prefix);
  if (kind === undefined) return null;
  const target = colon === -1 ? '' : text.slice(colon + 1).trim();
  if (!WITH_PARAMETERS.includes(kind)) return { kind, target, text: maskKeys(text) };
  const parts = splitParameters(target);
  return { kind, ...parts, text: showSpec(kind, text, parts) };
}

/** As written where that shows no credential: an escaped one is found only in the parameter's value. */
function showSpec(kind: AgentKind, text: string, { target, params = [] }: Omit<AgentSpec, 'kind' | 'text'>): string {
  const shown = params.map(([name, value]) => maskKeys(`?${name}=${value}`).slice(1));
  const isPlain = params.every(([name, value], index) => shown[index] === `${name}=${value}`);
  return maskKeys(isPlain ? text : `${kind}:${target}?${shown.join('&')}`);
}

function splitParameters(target: string): Omit<AgentSpec, 'kind' | 'text'> {
  const mark = target.indexOf('?');
  if (mark === -1) return { target };
  return { target: target.slice(0, mark).trim(), params: [...new URLSearchParams(target.slice(mark + 1))] };
}

/** Whether viva asks a model itself, and so gives it tools. */
export function asksModel({ kind }: AgentSpec): boolean {
  return WITH_PARAMETERS.includes(kind);
}

/** A replay costs nothing; every other agent may, and runs only when the user asked for it by name. */
export function isPaid(spec: AgentSpec): boolean {
  return spec.kind !== 'replay';
}

type Values<Table> = { readonly [K in keyof Table]?: Table[K] extends ValueParser<infer T> ? T : never };

/** Checks the parameters of a spec, as in `openai:MODEL?temperature=0`, against a kind's table; absent ones stay absent. */
export function readParameters<const Table extends Readonly<Record<string, ValueParser<unknown>>>>(
  { text, kind, target, params = [] }: AgentSpec,
  table: Table,
): Values<Table> {
  const fail = (problem: string) => new Error(`EVAL_AGENT=${escapeLine(text, 1_000)}: ${problem}`);
  if (target === '') throw fail(`no model is named. Write it behind the colon, as in ${kind}:MODEL.`);
  if (maskKeyForms(target) !== target)
    throw fail('a key stands where a model is named. Put keys into the environment.');
  const values = new Map<string, unknown>();
  for (const [name, value] of params) {
    const shown = quote(maskKeys(`?${name}=${value}`).slice(name.length + 2));
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (parameter === undefined) throw fail(describeUnknown(name, shown, kind, Object.keys(table)));
    if (values.has(name)) throw fail(`parameter ${name} is given twice, the second time as ${shown}. Keep one.`);
    const parsed = parameter.parse(value);
    if (parsed === undefined) throw fail(`parameter ${name} must be ${parameter.allowed}, got ${shown}.`);
    values.set(name, parsed);
  }
  return Object.fromEntries(values) as Values<Table>;
}

function describeUnknown(name: string, shown: string, kind: string, known: readonly string[]): string {
  const meant = ELSEWHERE.get(name) ?? `Did you mean ${nearest(name, known)}?`;
  return `${quote(name)} (${shown}) is not a parameter of ${kind}. ${meant} Known: ${known.join(', ')}.`;
}

/** Tools of other providers, to which no parameter here comes near. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['web_fetch', 'Only anthropic: models have it; fetch_page, which reads pages for all models, is on by itself.'],
  ['web_search', 'Models of openai: and anthropic: have it.'],
  ['code_execution', 'Models of openai: and anthropic: have it.'],
]);
