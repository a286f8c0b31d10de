import { toCutShort } from '../cut-short.ts';
import type { SampleResult } from '../types.ts';

/** What viva's own agents say; all other reasons of an answer without a text are an agent's words. */
const KNOWN: readonly string[] = ['missing', 'empty', 'refusal'];

/**
 * A result whose reason may be printed where records are gated: an agent that words why it has no answer may quote its
 * question. The row's explanation, which is not printed there, keeps the words.
 */
export function hideReason(result: SampleResult): SampleResult {
  const { state, output, reason } = result;
  if (state !== 'no_answer' || output !== null || KNOWN.includes(reason) || toCutShort(reason) !== null) return result;
  return { ...result, reason: 'in its own words' };
}
