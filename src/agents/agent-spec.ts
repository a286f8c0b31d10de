import { maskKeys } from '../secrets/mask-keys.ts';

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
