import type { CutShort, SampleResult } from '../types.ts';

/** Settings as a run has them, or as a manifest tells them. */
export type GateSettings = { readonly ci?: unknown; readonly showGated?: unknown };

/**
 * Whether questions, expected answers, answers and what agents word themselves must not be shown: in CI,
 * unless EVAL_SHOW_GATED is set.
 */
export function hidesRecords({ ci, showGated }: GateSettings): boolean {
  return ci === true && showGated !== true;
}

/** The rows of a run as figures and reports may use them. */
export function hideWhereGated(rows: readonly SampleResult[], settings: GateSettings): readonly SampleResult[] {
  return hidesRecords(settings) ? rows.map(hideOwnWords) : rows;
}

/**
 * A result as it may be shown where records are hidden: without a reason or the name of a model that the agent made up,
 * since it may have written its question there. The row in samples.jsonl keeps both.
 */
export function hideOwnWords(result: SampleResult): SampleResult {
  if (result.dataset === 'sample') return result;
  const shown = { ...result, model: findAskedModel(result) };
  if (shown.state !== 'no_answer' || shown.output !== null || isOurReason(shown.reason)) return shown;
  return { ...shown, reason: 'in its own words' };
}

/** What viva's own agents say; all other reasons of an answer without a text are an agent's words. */
const OUR_REASONS: readonly string[] = ['missing', 'empty', 'refusal'];

function isOurReason(reason: string): boolean {
  return OUR_REASONS.includes(reason) || toCutShort(reason) !== null;
}

/** The model that EVAL_AGENT asked for, or a version of it; null for any other name. */
function findAskedModel({ agent, model }: SampleResult): string | null {
  if (model === null || agent.includes(model)) return model;
  const asked = /^(?:openai|openai-chat|anthropic):([^?]+)/.exec(agent)?.[1];
  return asked !== undefined && model.startsWith(asked) && VERSION.test(model.slice(asked.length)) ? model : null;
}

/** What a provider puts behind the name of a model: "-2026-08-07", "-latest", ":free". */
const VERSION = /^[-:@.][\w.:@-]{1,40}$/;

const LIMITS: readonly CutShort[] = ['max_tokens', 'context_window', 'incomplete'];

/** The reason of a row as the limit at which its output was cut short; null for every other reason. */
export function toCutShort(reason: string | null): CutShort | null {
  return LIMITS.find((limit) => limit === reason) ?? null;
}
