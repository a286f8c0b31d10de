import type { Claim } from '../claims/claim.ts';
import { markBefore } from '../claims/confirmed.ts';
import { mentionClaim } from '../claims/mention-claim.ts';
import type { Mention } from '../claims/mentions.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isContrasted, isDenied, isDeniedAfter, isDoubted } from '../claims/negation.ts';
import { sentenceStart } from '../claims/sentence.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const RIGHT_ONE = pattern(
  `${anyOf('is')}\\s(?:[\\p{L}']+\\s){0,2}?(?:the|la|le|die|el)\\s(?:[\\p{L}']+\\s){0,2}?${anyOf('right')}`,
);

const WRONG_OPTION = pattern(`${anyOf('wrong')}\\s(?:${anyOf('answer', 'option')})\\s?(?:${anyOf('is')})?\\s?:?\\s?$`);
/** "Grade: B" names a grade. */
const CLASSIFIER =
  /(?:grade|group|type|class|category|stage|level|figure|table|section|part|plan|point|team|phase|vitamin|hepatitis|schedule|appendix): ?["']?$/u;
/** "By elimination, D." */
const AFTER_COMMA = /^[\s"'(]{0,3}(?:[\p{L}'-]{2,16}\s){0,4}[\p{L}'-]{2,16}, ?(?:the |la |le |die |der |a )?["'(]?$/u;
const NAMES = pattern(`${anyOf('is')}\\s{0,2}$`);

/** "(X) ... is the correct one", "in the beginning of the list (G).", "so we get: B". */
export const pointer: Step = {
  name: 'closing mention',
  claims: (reading) =>
    mentionsOf(reading).flatMap((mention, i) => pointed(reading, mention, mentionsOf(reading)[i + 1])),
};

function pointed(reading: Reading, mention: Mention, next: Mention | undefined): readonly Claim[] {
  const points = closes(reading, mention) || isNamedAs(reading, mention) || isRightOne(reading, mention, next);
  if (!points || markBefore(reading, mention) === '✗' || isDeniedAfter(reading, mention.end)) return [];
  if (WRONG_OPTION.test(textBefore(reading.lower, mention.from, 40))) return [];
  const claim = mentionClaim(reading, mention);
  return claim === null || isDenied(reading, mention.from, claim) || isDoubted(reading, mention.from) ? [] : [claim];
}

/** The last thing said, in brackets, after a colon or on a line of its own. */
function closes(reading: Reading, mention: Mention): boolean {
  if (!/^[\s.!"')\]]{0,6}$/u.test(textAfter(reading.text, mention.end, 7))) return false;
  const isSentence = /(?:[.!?] |[。！？] ?)["'(]?$/u.test(textBefore(reading.text, mention.from, 3));
  // "... and fever. Option B" without its dot has been cut off.
  const isEnded = mention.tokens.some((token) => token.enclosed) || /[.!)]$/u.test(reading.text.trimEnd());
  if (isSentence && !mention.leadsLine) return isEnded || isBareAtEnd(reading, mention);
  if (AFTER_COMMA.test(reading.lower.slice(sentenceStart(reading.lower, mention.from), mention.from))) return isEnded;
  return (
    (mention.marked && isEnded) ||
    mention.leadsLine ||
    isContrasted(reading, mention) ||
    (/(?::|[-=]>|\p{L}{3} =) ?["']?$/u.test(textBefore(reading.text, mention.start, 8)) &&
      !CLASSIFIER.test(textBefore(reading.lower, mention.start, 16)))
  );
}

/** "It is from 1848. C": a letter that begins no word, in a text too short to have been cut off. */
function isBareAtEnd({ text }: Reading, { from, tokens }: Mention): boolean {
  const [only] = tokens;
  return tokens.length === 1 && only !== undefined && only.start === from && !only.wordLike && text.length <= 240;
}

/** "The capital is (B)." */
function isNamedAs(reading: Reading, mention: Mention): boolean {
  if (!mention.marked || !NAMES.test(textBefore(reading.lower, mention.from, 24))) return false;
  return /^\s?(?:[.!;。]|$|\n)/u.test(textAfter(reading.text, mention.end, 3));
}

function isRightOne(reading: Reading, mention: Mention, next: Mention | undefined): boolean {
  if (!mention.marked && !mention.leadsLine) return false;
  const clause =
    /^[^.!?\n]{0,140}/u.exec(
      reading.lower.slice(mention.end, Math.min(next?.start ?? Infinity, mention.end + 140)),
    )?.[0] ?? '';
  return RIGHT_ONE.test(clause) && !/(?<!\p{L})(?:not|no|never)(?!\p{L})|n't/u.test(clause);
}
