import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { type Claim, isSingle } from './claim.ts';
import { contrastEnd } from './contrast.ts';
import { labelListAt } from './label-list.ts';
import { mentionClaim } from './mention-claim.ts';
import { type Mention, mentionsOf } from './mentions.ts';
import { isConditional, isDenied } from './negation.ts';
import { isOneOf } from './one-of.ts';

/** A label that the words after it confirm. Firm: "is the correct answer", "are correct"; else "is correct". */
export type ConfirmedClaim = Claim & { readonly firm: boolean };

const ADVERBS = "(?:(?!not )[\\p{L}'-]{1,16}\\s{1,2}){0,4}?";
const VERB = `(?:${anyOf('is')}|seems?|appears?|looks?|remains?|wins|fits|matches|makes|does|holds|trifft|treffen|stimmt|stimmen|convient|conviennent)`;
const THE_ANSWER = pattern(
  `[\\s,)"'\\]]{0,3}(?:it\\s{1,2}is(?=\\s{0,2}(?:[.,!]|$))|${VERB}\\s{1,2}${ADVERBS}(?:${anyOf('right')}\\s{1,2}${ADVERBS}(?:${anyOf('answer', 'option')}|one|match|fit|explanation|description)|the\\s{1,2}only\\s{1,2}(?:\\p{L}{1,16}\\s{1,2}){0,2}?(?:${anyOf('answer', 'option')}|one)|what\\s{1,2}(?:you|we|i)|the\\s{1,2}(?:stronger|better|likelier|more\\s{1,2}\\p{L}{1,16})\\s{1,2}(?:one|${anyOf('answer', 'option')})|(?:the|my|our|la|die|meine|ma|mi)\\s{1,2}(?:\\p{L}{1,16}\\s{1,2}){0,2}?${anyOf('answer')}))`,
  'y',
);
const CORRECT = pattern(
  `(?:[\\s,)"'\\]:(-]{0,4}${VERB}\\s{1,2}${ADVERBS}(?:${anyOf('right')}|最)|\\s{0,2}(?:选项|選項|项|項)?[,:(]?\\s?(?:的?(?:说法|描述|叙述|表述))?(?:是|为|為)?(?:最)?(?:正确|正確|对的|符合|成立|最佳|合适)|\\s${anyOf('applies')}(?=\\s{0,2}(?:[.!,;]|$))|[ )."':(-]{0,4}(?:✓|(?:correct|yes|true|right)(?=[\\s.!,)]|$)))`,
  'y',
);
/** "(so is) D the right answer", verb first. */
const INVERTED = pattern(
  `[)"'\\]]{0,2}\\s{1,2}(?:the|la|le|die|der|el|a|o|il)\\s{1,2}${ADVERBS}${anyOf('right')}\\s{1,2}(?:${anyOf('answer', 'option')}|one)`,
  'y',
);
const VERB_BEFORE = pattern(
  `(?:${anyOf('is')}|(?<!\\p{L})(?:makes?|made))\\s(?:${anyOf('option', 'answer')}\\s)?["'([]{0,2}$`,
);
const ONLY_WRONG = pattern(`only\\s(?:\\p{L}{1,16}\\s){0,1}?${anyOf('wrong')}`);
const SO_IS = pattern(`[.,;]?\\s(?:and\\s)?(?:so|as)\\s(?:is|are|does|do)\\s(?:${anyOf('option')}\\s)?`, 'y');
const UNLESS = /\s(?:if|only if|when|except|but|as far as|insofar|in saying|about|in that)/uy;
const OR_BEFORE = pattern(`${anyOf('or')}\\s(?:${anyOf('option')}\\s)?$`);
const NOT =
  /(?<!\p{L})(?:not|no|nicht|pas|non|não|nao|less|least|second|third|next|almost|nearly|partly|partially|half)(?!\p{L})|n't|不/u;

/** Labels whose own words confirm them; "B is not correct" and "B is correct only if" do not. */
export const confirmedClaims = once((reading: Reading): readonly ConfirmedClaim[] => {
  const claims: ConfirmedClaim[] = [];
  for (const mention of mentionsOf(reading)) {
    const named = mentionClaim(mention);
    if (named === null || isAlternative(reading, mention.from)) continue;
    if (markBefore(reading, mention) === '✓') claims.push({ ...named, firm: false });
    const start = contrastEnd(reading, mention.end);
    const announced = matchEnd(THE_ANSWER, reading.lower, start) ?? invertedEnd(reading, mention);
    const end = announced ?? matchEnd(CORRECT, reading.lower, start);
    if (end === null || (announced === null && matchEnd(UNLESS, reading.lower, end) !== null)) continue;
    const words = reading.lower.slice(start, end);
    const said = { ...named, end };
    if (NOT.test(words) || isDenied(reading, mention.from, said) || isConditional(reading, mention.from, said))
      continue;
    const claim = withSecond(reading, named, end);
    claims.push({ ...claim, firm: isFirm(claim, announced !== null, words) });
  }
  return claims;
});

/** "Either A or B is correct", "one of A and B is correct". */
function isAlternative(reading: Reading, from: number): boolean {
  return OR_BEFORE.test(textBefore(reading.lower, from, 24)) || isOneOf(reading, from);
}

function invertedEnd(reading: Reading, mention: Mention): number | null {
  const before = textBefore(reading.lower, mention.start, 24);
  return VERB_BEFORE.test(before) ? matchEnd(INVERTED, reading.lower, mention.end) : null;
}

/** "A is correct. So is D.", where several may be right. */
function withSecond(reading: Reading, claim: Claim, end: number): Claim {
  if (claim.value.kind !== 'labels' || reading.question.multiple === false) return claim;
  const next = matchEnd(SO_IS, reading.lower, end);
  const second = next === null ? null : labelListAt(reading, next);
  if (second === null || second.hedged) return claim;
  return { ...claim, end: second.end, value: { kind: 'labels', labels: [...claim.value.labels, ...second.labels] } };
}

/**
 * "A, B and D are true statements" tells what is true of them, and "D is the only false one" what is false of it, and
 * not that they are the answer.
 */
function isFirm(claim: Claim, announced: boolean, words: string): boolean {
  return isSingle(claim) ? announced && !ONLY_WRONG.test(words) : !/true|valid|accurate|statement|fact/u.test(words);
}

/** The tick or cross in front of an option that leads its line. */
export function markBefore(reading: Reading, mention: Mention): string | null {
  if (!mention.leadsLine) return null;
  return /([✓✗])[ "'(]{0,3}$/u.exec(textBefore(reading.text, mention.from, 5))?.[1] ?? null;
}
