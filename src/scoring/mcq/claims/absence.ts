import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import { lastPart } from './last-part.ts';
import { sentenceStart } from './sentence.ts';

const REFUSED = pattern(anyOf('unsure', 'declined'));
const NAMES_OPTIONS = pattern(anyOf('option'));
const ANSWER = pattern(anyOf('answer', 'option'));
const RIGHT = pattern(anyOf('answer', 'option', 'right'));
/** The options themselves are missing, and not the answer among them. */
const OPTIONS_ARE =
  /(?:options|choices|answers|alternatives|statements|question|image|figure|passage)\s(?:is|are|was|were|have been|has been)\s$/u;
const CLAUSE = /\s(?:because|since|as|when|if|so|but|and|although|though|while)\s/u;
const NEEDED = /(?<!\p{L})(?:depend|requir|need|without)/u;
const IN_QUESTION =
  / (?:(?:in|by|with|from) )?(?:\p{L}{1,16} ){0,2}(?:text|passage|question|problem|prompt|image|picture|figure|context|case|vignette|scenario|table|data|message|description)/uy;

/**
 * Whether "not given", "not listed" and their like say at [start, end) that the right option is missing: "the correct
 * answer is not given" does, "the mass is not given, so I cannot answer" misses what the question should tell.
 */
export function isAnswerAbsent({ lower }: Reading, start: number, end: number): boolean {
  const said = lower.slice(start, end);
  if (!said.startsWith('not ') || NAMES_OPTIONS.test(said)) return true;
  const before = lastPart(lower.slice(sentenceStart(lower, start), start), CLAUSE);
  if (NEEDED.test(before)) return false;
  if (OPTIONS_ARE.test(before) || matchEnd(IN_QUESTION, lower, end) !== null) return false;
  if (REFUSED.test(lower)) return ANSWER.test(before);
  return /listed|offered|among|one of|any of/u.test(said) || RIGHT.test(before);
}
