import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { claimAt } from './claim-at.ts';
import { isConditional, isDenied, isDeniedAfter } from './negation.ts';
import { sentenceEnd, sentenceStart } from './sentence.ts';

/** A claim and how firmly it is introduced: on a line of its own ("Answer: B") or in a sentence. */
export type LedClaim = Claim & { readonly onLine: boolean; readonly conditional: boolean; readonly leadStart: number };

const LEAD = pattern(`${anyOf('answer')}|${anyOf('right')}`, 'g');
const ANSWER = pattern(`^${anyOf('answer')}$`);
const COLON = /[)\]"']?\s?(?:[:|=\n]|(?<=[\])])|-{1,2}>|- )[\s:=-]{0,4}/uy;
const NOUN = pattern(
  `\\s{0,2}(?:(?:${anyOf('option', 'answer')}|\\(s\\)|one|[(\\[][^()\\[\\]\\n]{0,24}[)\\]])\\s?){1,2}`,
  'y',
);
const COPULA = pattern(`(?:${anyOf('is')}|'s(?![\\p{L}']))\\s{0,2}:?`, 'g');
const WRONG_LEAD = pattern(
  `(?:${anyOf('wrong')}|(?<!\\p{L})(?:not an?|not the|no|previous|initial|another|other|each|every|any|possible|sample|example|student's|user's|your|in|least|less|cannot|can't|can not|couldn't|could not|unable to|able to|won't|don't|will not))\\s$|(?:不|错误|非|有)$`,
);
const TRUE_LEAD = pattern(`^${anyOf('right')}`);
const FALSE_LEAD = pattern(`^${anyOf('wrong')}`);
const PREFIX_WORDS = pattern(
  `${anyOf('right', 'therefore', 'is', 'option')}|(?<!\\p{L})(?:the|my|a|so|la|le|les|die|der|l|and)(?!\\p{L})|最|的`,
  'g',
);
/** "A is correct, and so is D" says it of both. */
const BLOCKED = /(?<!\p{L})(?:not|no|never|cannot|neither|pas|nicht|if|unless)(?!\p{L})|n't|不|(?:so|as) $/u;
const TO_COLON = /[^:]{1,120}:/uy;

/** What follows "the answer is", "Answer:", "the correct option is", "答案：" and their like. */
export const ledClaims = once((reading: Reading): readonly LedClaim[] => {
  const claims: LedClaim[] = [];
  for (const lead of lastMatches(reading.lower, LEAD)) {
    const claim = ledClaim(reading, lead.index, lead[0]);
    if (claim === null || isDenied(reading, lead.index, claim)) continue;
    claims.push({ ...claim, conditional: isConditional(reading, lead.index, claim) });
  }
  return withoutOpposites(reading, claims);
});

function ledClaim(reading: Reading, start: number, lead: string): Omit<LedClaim, 'conditional'> | null {
  const { lower } = reading;
  if (WRONG_LEAD.test(textBefore(lower, start, 24))) return null;
  const alone = isLinePrefix(lower.slice(sentenceStart(lower, start), start));
  const end = start + lead.length;
  const isAnswer = ANSWER.test(lead);
  const direct = afterColon(reading, end, isAnswer || alone);
  if (direct !== null) return { ...direct, onLine: alone, leadStart: start };
  const stated = afterCopula(reading, end, isAnswer) ?? (isAnswer ? adjacent(reading, end) : null);
  if (stated === null || (!isAnswer && stated.value.kind !== 'labels')) return null;
  return { ...stated, onLine: false, leadStart: start };
}

/** Beside "true statements: A, D" no "false statements: B, C" are asked for. */
function withoutOpposites({ lower }: Reading, claims: readonly LedClaim[]): readonly LedClaim[] {
  const leadOf = ({ leadStart }: LedClaim) => textAfter(lower, leadStart, 24);
  return claims.some((claim) => claim.onLine && TRUE_LEAD.test(leadOf(claim)))
    ? claims.filter((claim) => !FALSE_LEAD.test(leadOf(claim)))
    : claims;
}

/** "So, the correct" may stand before "answer:" on an answer line; a clause may not. */
function isLinePrefix(prefix: string): boolean {
  return !/\p{L}/u.test(prefix.replace(PREFIX_WORDS, ''));
}

function afterColon(reading: Reading, at: number, trusted: boolean): Claim | null {
  const noun = matchEnd(NOUN, reading.lower, at) ?? at;
  if (!trusted && noun === at) return null;
  const colon = matchEnd(COLON, reading.lower, noun);
  return colon === null ? null : claimAt(reading, colon);
}

/** The first verb of the sentence, at most 120 characters on, that is followed by a claim. */
function afterCopula(reading: Reading, at: number, isAnswer: boolean): Claim | null {
  const end = sentenceEnd(reading.lower, at, 120);
  const rest = reading.lower.slice(at, end);
  for (const verb of rest.matchAll(COPULA)) {
    if (BLOCKED.test(rest.slice(0, verb.index))) return null;
    const claim = claimAt(reading, at + verb.index + verb[0].length);
    if (claim !== null) return claim;
  }
  const colon = isAnswer ? matchEnd(TO_COLON, rest, 0) : null;
  return colon === null || BLOCKED.test(rest.slice(0, colon)) ? null : claimAt(reading, at + colon);
}

/** "Answer B.", "answer (B)". */
function adjacent(reading: Reading, at: number): Claim | null {
  const claim = claimAt(reading, at);
  if (claim === null || claim.by === 'text' || isDeniedAfter(reading, claim.end)) return null;
  return /^[,)]?(?:[.!;\n]|$)/u.test(textAfter(reading.text, claim.end, 4)) ? claim : null;
}
