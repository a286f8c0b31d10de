import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { sentenceEnd } from './sentence.ts';

const FEW_WORDS = `(?:\\s(?!${anyOf('right')})\\p{L}{1,10}){0,3}?`;
/** "Both seem plausible", "are the most likely candidates". */
const WEIGHED = pattern(
  `^[)"'\\]]?${FEW_WORDS}\\s?${anyOf('is', 'seem')}(?:${FEW_WORDS}\\s(?:most|very|likely)){0,2}${FEW_WORDS}\\s?${anyOf('plausible')}`,
);
/** "..., but I need more context." */
const UNDECIDED = pattern(
  `(?<!\\p{L})(?:but|however|though|although|yet|pero|aunque|mais|aber|doch|jedoch|mas|ma|но|однако)(?!\\p{L})[^.!?\\n]{0,40}(?:need(?:s|ed)? (?:\\p{L}+ )?more|more (?:context|information|details?|data)|not (?:\\p{L}+ )?(?:sure|certain)|unsure|uncertain|cannot (?:decide|say|tell)|can't (?:decide|say|tell)|${anyOf('unsure')})|(?:但|但是|不过)[^。！？\\n]{0,20}${anyOf('unsure')}`,
);

/** Whether a set of options is only weighed: words for a guess follow it, or the sentence ends without a choice. */
export function isTentative(reading: Reading, { value, end }: Claim): boolean {
  return value.kind === 'labels' && value.labels.length > 1 && isWeighedAt(reading, end);
}

/** Whether what follows here only weighs the options before it. */
export function isWeighedAt({ lower }: Reading, end: number): boolean {
  const rest = lower.slice(end, sentenceEnd(lower, end, 160));
  return WEIGHED.test(rest) || UNDECIDED.test(rest);
}
