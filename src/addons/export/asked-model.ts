import type { Subject } from '../../../reporters/quotation.ts';

type Agent = Subject['agent'];

/**
 * An agent as Inspect names models, "provider/model", which converters of its logs read. An agent
 * of code keeps its name.
 */
export function toModelPath({ name, asked, server }: Agent): string {
  if (asked === null) return name;
  const { kind, model } = asked;
  // The provider is part of the model's name: "ai:google/gemini-x".
  if (kind === 'ai') return model;
  const isOther = server !== null && kind !== 'anthropic';
  return `${isOther ? 'openai-api' : toProvider(kind)}/${model}`;
}

function toProvider(kind: string): string {
  return kind.replace(/-chat$/, '');
}

/**
 * A model as every_eval_ever names it, "developer/model", by the version that its provider names;
 * "unknown" stands for a developer that is not known.
 */
export function toModelId({
  asked,
  server,
  models,
  name,
}: Agent): Readonly<{ developer: string; model: string }> {
  const [reported] = models.length === 1 ? models : [];
  if (asked === null && reported === undefined) return { developer: 'unknown', model: name };
  const meant = asked === null ? null : splitAsked(asked);
  const full = reported ?? meant?.model ?? name;
  const [first = '', ...rest] = full.split('/');
  if (rest.length > 0) return { developer: first, model: rest.join('_') };
  const isOwn = meant !== null && server === null;
  return { developer: isOwn ? meant.developer : 'unknown', model: full };
}

/** The platform that answers for a model of its own, and the rest of the name: "ai:google/gemini-x". */
export function splitAsked({ kind, model }: NonNullable<Agent['asked']>) {
  if (kind !== 'ai') return { developer: toProvider(kind), model };
  const [developer = '', ...rest] = model.split('/');
  return { developer, model: rest.join('/') || model };
}

/**
 * The parameters of a model by Inspect's names of them (GenerateConfig in model/_generate_config.py),
 * and all others as they are, except for the address of the server.
 */
export function toParameters({ asked }: Agent): Readonly<{
  config: Readonly<Record<string, number | string>>;
  others: Readonly<Record<string, string>>;
}> {
  const params = (asked?.params ?? []).filter(([name]) => name !== 'base_url');
  const named = params.map(([name, value]) => [ALSO[name] ?? name, value] as const);
  const config = named.filter(([name, value]) => FORMS[name]?.test(value));
  const others = named.filter(([name, value]) => !FORMS[name]?.test(value));
  return {
    config: Object.fromEntries(
      config.map(([name, value]) => [name, name.endsWith('effort') ? value : Number(value)]),
    ),
    others: Object.fromEntries(others),
  };
}

const ALSO: Readonly<Record<string, string>> = {
  max_output_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
};

const DECIMAL = /^\d+(?:\.\d+)?$/;
const WHOLE = /^\d{1,15}$/;

/** Inspect refuses a log with another value. */
const FORMS: Readonly<Record<string, RegExp>> = {
  temperature: DECIMAL,
  top_p: DECIMAL,
  top_k: WHOLE,
  max_tokens: WHOLE,
  seed: WHOLE,
  reasoning_effort: /^(?:none|minimal|low|medium|high|xhigh)$/,
};

/** The tools that viva gave to an agent; null where it gives none. */
export function listTools({ tools }: Agent) {
  if (tools === null) return null;
  return [
    ...tools.own.map((name) => ({ name, description: "viva's own" })),
    ...tools.hosted.map((name) => ({ name, description: "the provider's own" })),
    ...tools.mcp.flatMap(({ server, version, tools: names }) =>
      names.map((name) => ({ name, description: `of the MCP server ${server} ${version}` })),
    ),
  ];
}
