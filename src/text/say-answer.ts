import { STATES } from '../states.ts';
import type { SampleResult } from '../types.ts';

const LONGEST = 60;

/** What a result answered, in a few words: "42", "no answer (refusal)", "timed out", "errored (network)". */
export function sayAnswer({ state, reason, answer, output }: SampleResult): string {
  const text = answer ?? (state === 'no_answer' ? null : output);
  if (text !== null) return cutMiddle(text);
  const { label } = STATES[state];
  return reason === null || reason === state ? label : `${label} (${cutMiddle(reason)})`;
}

/** A text of at most so many characters: its start and its end. An answer that ends in another number must not look equal. */
export function cutMiddle(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text;
  const half = longest / 2;
  return `${text.slice(0, half - 1).toWellFormed()}…${text.slice(-half).toWellFormed()}`;
}
