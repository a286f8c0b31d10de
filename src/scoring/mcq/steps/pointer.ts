import type { Claim } from '../claims/claim.ts';
import { mentionClaim } from '../claims/mention-claim.ts';
import type { Mention } from '../claims/mentions.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isContrasted, isDenied, isDeniedAfter, isDoubted } from '../claims/negation.ts';
import { isRanking } from '../claims/ranking.ts';
import { sentenceEnd, sentenceStart } from '../claims/sentence.ts';
import { isCutOff } from '../decide.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const RIGHT_ONE = pattern(
  `${anyOf('is')}\\s(?:[\\p{L}']+\\s){0,2}?(?:the|la|le|die|el)\\s(?:[\\p{L}']+\\s){0,2}?${anyOf('right')}`,
);
const NEGATED = pattern(anyOf('not', 'no'));
/** "So we get: B"; "Grade: B" names a grade. */
const LED =
  /(?:(?<!grade|group|type|class|category|stage|level|figure|table|section|part|plan|point|team|phase|vitamin|hepatitis|schedule|appendix):|[-=]>|\p{L}{3} =) ?$/u;
const SENTENCE_END = /[.!?] |[。！？] ?$/u;
/** "By elimination, D." */
const AFTER_COMMA = /^[\s"'(]{0,3}(?:[\p{L}'-]{2,16}\s){0,4}[\p{L}'-]{2,16}, (?:the |la |le |die |der |a )?$/u;
const NAMES = pattern(`${anyOf('is')}\\s{0,2}$`);

/** "(X) ... is the correct one", "in the beginning of the list (G).", "so we get: B". */
export const pointer: Step = {
  name: 'closing mention',
  claims: (reading) =>
    mentionsOf(reading).flatMap((mention, i) => pointed(reading, mention, mentionsOf(reading)[i + 1])),
};

function pointed(reading: Reading, mention: Mention, next: Mention | undefined): readonly Claim[] {
  const points = closes(reading, mention) || isNamedAs(reading, mention) || isRightOne(reading, mention, next);
  if (!points || isDeniedAfter(reading, mention.end)) return [];
  const claim = mentionClaim(mention);
  return claim === null || isDenied(reading, mention.from, claim) || isDoubted(reading, mention.from) ? [] : [claim];
}

/** The last thing said, as a sentence of its own, after a colon or after the words that lead to it. */
function closes(reading: Reading, mention: Mention): boolean {
  const { text, lower } = reading;
  if (!/^[\s.!"')\]]{0,6}$/u.test(textAfter(text, mention.end, 7))) return false;
  if (isRanking(reading, mention)) return false;
  if (isContrasted(reading, mention) || LED.test(textBefore(lower, mention.start, 16))) return true;
  // "... and fever. Option B" without its dot has been cut off; "It is from 1848. C" begins no word.
  const isWhole = /[.!)\]"']$/u.test(text.trimEnd()) || (mention.start === mention.from && !isCutOff(text));
  const before = lower.slice(sentenceStart(lower, mention.from), mention.from);
  return isWhole && (SENTENCE_END.test(textBefore(text, mention.from, 2)) || AFTER_COMMA.test(before));
}

/** "The capital is (B)." */
function isNamedAs(reading: Reading, mention: Mention): boolean {
  if (!mention.marked || !NAMES.test(textBefore(reading.lower, mention.from, 24))) return false;
  return /^(?:[.!;。\n]|$)/u.test(textAfter(reading.text, mention.end, 1));
}

/** "Option B, with its many castles, is the right one." */
function isRightOne({ lower }: Reading, mention: Mention, next: Mention | undefined): boolean {
  if (!mention.marked && !mention.leadsLine) return false;
  const end = Math.min(sentenceEnd(lower, mention.end, 140), next?.start ?? Infinity);
  const clause = lower.slice(mention.end, end);
  return RIGHT_ONE.test(clause) && !NEGATED.test(clause);
}
