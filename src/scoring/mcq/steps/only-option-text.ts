import { type Claim, isSingle } from '../claims/claim.ts';
import { namedClaim } from '../claims/named-claim.ts';
import { afterTurn, isDeniedAfter } from '../claims/negation.ts';
import { lastSentence, sentenceEnd } from '../claims/sentence.ts';
import { matchEnd } from '../match-end.ts';
import type { TextMatch } from '../option-texts.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { found, startOf } from './found.ts';
import { ruledOutLines } from './label-line.ts';
import { isListed } from './listed-lines.ts';
import { isResult, isTextNamed } from './named-text.ts';
import type { Step } from './step.ts';

const DENIED_BEFORE =
  /(?<!\p{L})(?:not|no|never|neither|nor|isn't|rather than|instead of|unlike|than|except|excluding|apart from|other than|(?:all|everything|anything|nothing|none|every \p{L}{1,12}) but|without|nicht|pas|非|不是)\s(?:\p{L}+\s){0,2}$/u;

const ALL_BUT = /(?:all|everything|anything|nothing|none|every \p{L}{1,12}) but\s/u;
const OR_BETWEEN = pattern(`^,?\\s?${anyOf('or')}\\s?[^.!?;\\n]{0,10}$`);
const AND_BETWEEN = pattern(`^,?\\s?${anyOf('and')}\\s[^.!?;\\n]{0,4}$`);
const ARE = /\s(?:are|were|have|do|can|sind|son|sont)(?!\p{L})/uy;
const OPENS = / ?[.,!:;\n-]/uy;
const ARE_NEXT = pattern(`^\\s${anyOf('is')}`);

/** Exactly one option's text is told: in the whole output, else in its last or its first sentence. */
export const onlyOptionText: Step = {
  name: 'only option text',
  weak: true,
  claims: (reading) => {
    const { lower, text } = reading;
    const ruledOut = new Set(ruledOutLines(reading));
    const told = reading.question.texts
      .all(lower)
      .filter(
        (match, i, all) =>
          !match.labels.some((label) => ruledOut.has(label)) &&
          !isDenied(reading, match, all[i + 1]) &&
          !isListed(reading, match),
      )
      .filter((match, i, all) => !isOr(reading, all[i - 1], match) && !isOr(reading, match, all[i + 1]));
    const spoken = told.filter((match) => !isSmall(reading, match));
    const last = within(told, lastSentence(text));
    const claim =
      openingList(reading) ??
      onlyOne(told.filter((match) => isClosing(reading, match))) ??
      onlyOne(spoken) ??
      listedResult(reading, last) ??
      onlyOne(told.filter((match) => isTextNamed(reading, match))) ??
      (reading.question.multiple === true ? null : toldInOneSentence(reading, last, spoken, told)) ??
      theOther(reading, told);
    return claim === null ? [] : [claim];
  },
};

/** "Cheese and milk are both rich in it.", where several may be right. */
function openingList(reading: Reading): Claim | null {
  const claim = listAt(reading, startOf(reading));
  if (claim === null || isDeniedAfter(reading, claim.end)) return null;
  const rest = textAfter(reading.lower, claim.end, 12);
  return ARE_NEXT.test(rest) || /^[.!]?\s/u.test(rest) ? claim : null;
}

/** The one text of the last or of the first sentence: where several may be right, what the others tell counts as well. */
function toldInOneSentence(
  reading: Reading,
  last: readonly TextMatch[],
  spoken: readonly TextMatch[],
  told: readonly TextMatch[],
): Claim | null {
  return (
    onlyOne(last) ??
    onlyOne(last.filter((match) => isResult(reading, match)).slice(-1)) ??
    onlyOne(firstTold(reading, spoken, told))
  );
}

/** "The gas giants are Jupiter and Saturn.", where several may be right. */
function listedResult(reading: Reading, told: readonly TextMatch[]): Claim | null {
  const first = told.findLast((match) => isResult(reading, match) || isAfterColon(reading, match));
  return first === undefined ? null : listAt(reading, first.start);
}

/** The texts of several options that are told in a row, where several may be right. */
function listAt(reading: Reading, start: number): Claim | null {
  const claim = reading.question.multiple === true ? namedClaim(reading, start) : null;
  return claim?.by === 'text' && !isSingle(claim) ? claim : null;
}

function isAfterColon({ text }: Reading, match: TextMatch): boolean {
  return text.slice(0, match.start).trimEnd().endsWith(':');
}

/** The first sentence, where it tells one text; a short text counts where it is all that the sentence starts with. */
function firstTold(reading: Reading, spoken: readonly TextMatch[], told: readonly TextMatch[]): readonly TextMatch[] {
  const start = startOf(reading);
  const opens = told.some((match) => match.start === start && matchEnd(OPENS, reading.text, match.end) !== null);
  return within(opens ? told : spoken, [start, sentenceEnd(reading.text, start, 300)]);
}

/** "This is not true.", where the options are True and False. */
function theOther({ question, lower }: Reading, told: readonly TextMatch[]): Claim | null {
  const { ordered } = question.labels;
  const denied = ordered.length === 2 && told.length === 0 ? onlyOne(question.texts.all(lower)) : null;
  if (denied?.value.kind !== 'labels') return null;
  const [label] = denied.value.labels;
  return { ...denied, value: { kind: 'labels', labels: ordered.filter((other) => other !== label) } };
}

/** "So: Up", at the end of the output. */
function isClosing(reading: Reading, match: TextMatch): boolean {
  return /^[\s.!]*$/u.test(reading.text.slice(match.end)) && isAfterColon(reading, match);
}

function isDenied(reading: Reading, match: TextMatch, next: TextMatch | undefined): boolean {
  if (isRuledOut(textBefore(reading.lower, match.start, 40)) || isDeniedAfter(reading, match.end)) return true;
  // "Iron and zinc are not meant."
  const isBoth = next !== undefined && AND_BETWEEN.test(reading.lower.slice(match.end, next.start));
  return isBoth && matchEnd(ARE, reading.lower, next.end) !== null && isDeniedAfter(reading, next.end);
}

/** In "not the violin but the cello" only the first is; in "everything but the cello" it is the cello. */
function isRuledOut(before: string): boolean {
  return DENIED_BEFORE.test(ALL_BUT.test(before) ? before : afterTurn(before));
}

/** "x = 15 or x = 18", "copper or zinc": neither is chosen. */
function isOr({ lower }: Reading, first: TextMatch | undefined, second: TextMatch | undefined): boolean {
  return first !== undefined && second !== undefined && OR_BETWEEN.test(lower.slice(first.end, second.start));
}

/** Numbers and very short words turn up in any explanation. */
function isSmall(reading: Reading, match: TextMatch): boolean {
  return !/\p{L}{3}|\p{Script=Han}{2}/u.test(reading.text.slice(match.start, match.end));
}

function within(matches: readonly TextMatch[], [start, end]: readonly [number, number]): readonly TextMatch[] {
  return matches.filter((match) => match.start >= start && match.end <= end);
}

function onlyOne(matches: readonly TextMatch[]): Claim | null {
  const first = matches[0];
  const labels = [...new Set(matches.flatMap((match) => match.labels))];
  return first === undefined || labels.length > 1 ? null : found({ kind: 'labels', labels }, first.start, first.end);
}
