import type { Reading } from '../reading.ts';
import type { Claim } from './claim.ts';
import { sentenceEnd } from './sentence.ts';

const VERB =
  '(?:seem|look|appear|sound|are|remain|were|could be|may be|might be|can be|would be|seem to be|appear to be)';
const ADVERBS = '(?:\\s(?:both|all|each|equally|also|still|the|two|most|more|very|quite|strong|main|only))*';
/** "Both seem plausible", "are the most likely candidates". */
const WEIGHED = new RegExp(
  `^[)"'\\]]?${ADVERBS}\\s${VERB}${ADVERBS}\\s(?:plausible|possible|conceivable|reasonable|viable|tempting|(?:likely |plausible |possible )?(?:candidates|contenders|possibilities)|in the running)(?!\\p{L})`,
  'u',
);
/** "..., but I need more context." */
const UNDECIDED =
  /(?<!\p{L})(?:but|however|though|although|yet)\s[^.!?\n]{0,40}(?:need(?:s|ed)? (?:\p{L}+ )?more|more (?:context|information|details?|data)|not (?:\p{L}+ )?(?:sure|certain)|unsure|uncertain|cannot (?:decide|say|tell)|can't (?:decide|say|tell))/u;

/** Whether a set of options is only weighed: words for a guess follow it, or the sentence ends without a choice. */
export function isTentative({ lower }: Reading, { value, end }: Claim): boolean {
  if (value.kind !== 'labels' || value.labels.length < 2) return false;
  const rest = lower.slice(end, sentenceEnd(lower, end, 160));
  return WEIGHED.test(rest) || UNDECIDED.test(rest);
}
