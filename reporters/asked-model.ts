import type { SampleResult } from '../src/types.ts';

/**
 * The model that a result names, where it is the one that EVAL_AGENT asked for, or a version of it; null for any other.
 * An agent may write what it likes there, its question too, and where texts are hidden none of that must show.
 */
export function findAskedModel({ agent, model }: Pick<SampleResult, 'agent' | 'model'>): string | null {
  if (model === null || agent.includes(model)) return model;
  const asked = /^(?:openai|openai-chat|anthropic):([^?]+)/.exec(agent)?.[1];
  return asked !== undefined && model.startsWith(asked) && VERSION.test(model.slice(asked.length)) ? model : null;
}

/** What a provider puts behind the name of a model: "-2026-08-07", "-latest", ":free". */
const VERSION = /^[-:@.][\w.:@-]{1,40}$/;
