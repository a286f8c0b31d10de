/** The agents that EVAL_AGENT can name, by prefix; `index.ts` has the file of each. */
export const AGENT_KINDS = ['replay'] as const;

export type AgentKind = (typeof AGENT_KINDS)[number];

/** One agent as the user named it: `kind:target`. */
export type AgentSpec = {
  readonly kind: AgentKind;
  /** What stands behind the colon; empty when nothing does. */
  readonly target: string;
  /** The spec as written: the agent's name in reports and keys. */
  readonly text: string;
};

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
  return { kind, target: colon === -1 ? '' : text.slice(colon + 1).trim(), text };
}

/** A replay costs nothing; every other agent may, and runs only when the user asked for it by name. */
export function isPaid(spec: AgentSpec): boolean {
  return spec.kind !== 'replay';
}
