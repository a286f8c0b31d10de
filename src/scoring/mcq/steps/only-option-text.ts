import { type Claim, isSingle } from '../claims/claim.ts';
import { namedClaim } from '../claims/claim-at.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { afterTurn, isDeniedAfter } from '../claims/negation.ts';
import { lastSentence, sentenceEnd } from '../claims/sentence.ts';
import type { TextMatch } from '../option-texts.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { ruledOutLines } from './label-line.ts';
import type { Step } from './step.ts';

const DENIED_BEFORE =
  /(?<!\p{L})(?:not|no|never|neither|nor|isn't|rather than|instead of|unlike|than|except|excluding|apart from|other than|(?:all|everything|anything|nothing|none|every \p{L}{1,12}) but|without|nicht|pas|非|不是)\s(?:\p{L}+\s){0,2}$/u;

const ALL_BUT = /(?:all|everything|anything|nothing|none|every \p{L}{1,12}) but\s/u;
const CALLED =
  "called|known as|termed|se llaman?|s'appellent?|hei[ßs]en|hei[ßs]t|si chiama|chama-se|称为|稱為|叫做?|называется";
const RESULT_BEFORE = pattern(`(?:=|≈|${CALLED}|${anyOf('is')})\\s?(?:about |approximately |around )?$`);

/** The sentence ends, or goes on about the option: "is hepatitis E, with a fatality of 20 %". */
const NAMED_END = /^(?:[.!;\n。]|$|,\s(?:with|which|where|whose|who|because|since|given|due)(?!\p{L}))/u;

const OR_BETWEEN = pattern(`^,?\\s?${anyOf('or')}\\s?[^.!?;\\n]{0,10}$`);
const ARE_NEXT = pattern(`^\\s${anyOf('is')}`);

/** Exactly one option's text is told: in the whole output, else in its last or its first sentence. */
export const onlyOptionText: Step = {
  name: 'only option text',
  weak: true,
  claims: (reading) => {
    const lines = mentionsOf(reading).filter((mention) => mention.leadsLine);
    // Options told one line after the other are a list; the last of them is no answer.
    const isListed = (match: TextMatch): boolean =>
      lines.length > 1 && lines.some((line) => match.start >= line.start && match.end <= line.end);
    const ruledOut = new Set(ruledOutLines(reading));
    const told = reading.question.texts
      .all(reading.lower)
      .filter(
        (match) => !match.labels.some((label) => ruledOut.has(label)) && !isDenied(reading, match) && !isListed(match),
      )
      .filter((match, i, all) => !isOneOfTwo(reading, all[i - 1], match) && !isOneOfTwo(reading, match, all[i + 1]));
    const spoken = told.filter((match) => !isSmall(reading, match));
    const last = within(told, lastSentence(reading.text));
    return (
      openingList(reading) ??
      onlyOne(told.slice(-1).filter((match) => isClosing(reading, match))) ??
      onlyOne(spoken) ??
      listedResult(reading, last) ??
      onlyOne(told.filter((match) => isNamed(reading, match))) ??
      onlyOne(last) ??
      onlyOne(last.filter((match) => isResult(reading, match)).slice(-1)) ??
      onlyOne(firstTold(reading, spoken, told)) ??
      theOther(reading, told) ??
      []
    );
  },
};

/** "Cheese and milk are both rich in it.", where several may be right. */
function openingList(reading: Reading): readonly Claim[] | null {
  if (reading.question.multiple !== true) return null;
  const claim = namedClaim(reading, /^[\s"']{0,3}/u.exec(reading.text)?.[0].length ?? 0);
  if (claim?.by !== 'text' || isSingle(claim) || isDeniedAfter(reading, claim.end)) return null;
  return ARE_NEXT.test(textAfter(reading.lower, claim.end, 12)) ? [claim] : null;
}

/** "The gas giants are Jupiter and Saturn.", where several may be right. */
function listedResult(reading: Reading, told: readonly TextMatch[]): readonly Claim[] | null {
  const first = told.findLast((match) => isResult(reading, match) || isAfterColon(reading, match));
  if (reading.question.multiple !== true || first === undefined) return null;
  const claim = namedClaim(reading, first.start);
  return claim === null || claim.by !== 'text' || isSingle(claim) ? null : [claim];
}

function isAfterColon({ text }: Reading, match: TextMatch): boolean {
  return /: ?$/u.test(textBefore(text, match.start, 2));
}

/** The first sentence, where it tells one text; a short text counts where it is all that the sentence starts with. */
function firstTold(reading: Reading, spoken: readonly TextMatch[], told: readonly TextMatch[]): readonly TextMatch[] {
  const start = /^\s*/u.exec(reading.text)?.[0].length ?? 0;
  const first: readonly [number, number] = [start, sentenceEnd(reading.text, start, 300)];
  const opening = told[0];
  const opens =
    opening !== undefined &&
    opening.start < start + 3 &&
    /^ ?[.,!:;\n-]/u.test(textAfter(reading.text, opening.end, 2));
  return within(opens ? told : spoken, first);
}

/** "This is not true.", where the options are True and False. */
function theOther({ question, lower }: Reading, told: readonly TextMatch[]): readonly Claim[] | null {
  const { ordered } = question.labels;
  const denied = question.texts.all(lower);
  const names = new Set(denied.flatMap((match) => match.labels));
  if (question.labels.open || ordered.length !== 2 || told.length > 0 || names.size !== 1) return null;
  const [first] = denied;
  const others = ordered.filter((label) => !names.has(label));
  return first === undefined
    ? null
    : [{ value: { kind: 'labels', labels: others }, start: first.start, end: first.end, by: 'text' }];
}

/** "So: Up", at the end of the output. */
function isClosing(reading: Reading, match: TextMatch): boolean {
  return /^[\s.!]{0,4}$/u.test(textAfter(reading.text, match.end, 5)) && isAfterColon(reading, match);
}

/** "The system is feudalism." */
function isNamed(reading: Reading, match: TextMatch): boolean {
  return isResult(reading, match) && NAMED_END.test(textAfter(reading.text, match.end, 12));
}

/** "... = 3", "the result is 3". */
function isResult(reading: Reading, match: TextMatch): boolean {
  return RESULT_BEFORE.test(textBefore(reading.lower, match.start, 16));
}

function isDenied(reading: Reading, match: TextMatch): boolean {
  return isRuledOut(textBefore(reading.lower, match.start, 40)) || isDeniedAfter(reading, match.end);
}

/** In "not the violin but the cello" only the first is; in "everything but the cello" it is the cello. */
function isRuledOut(before: string): boolean {
  return DENIED_BEFORE.test(ALL_BUT.test(before) ? before : afterTurn(before));
}

/** "x = 15 or x = 18", "copper or zinc": neither is chosen. */
function isOneOfTwo({ lower }: Reading, first: TextMatch | undefined, second: TextMatch | undefined): boolean {
  if (first === undefined || second === undefined || second.start - first.end > 16) return false;
  return first.labels.join() !== second.labels.join() && OR_BETWEEN.test(lower.slice(first.end, second.start));
}

/** Numbers and very short words turn up in any explanation. */
function isSmall(reading: Reading, match: TextMatch): boolean {
  const text = reading.text.slice(match.start, match.end);
  return text.length < 3 || !/\p{L}{3}|\p{Script=Han}/u.test(text);
}

function within(matches: readonly TextMatch[], [start, end]: readonly [number, number]): readonly TextMatch[] {
  return matches.filter((match) => match.start >= start && match.end <= end + 1);
}

function onlyOne(matches: readonly TextMatch[]): readonly Claim[] | null {
  const first = matches[0];
  const labels = new Set(matches.flatMap((match) => match.labels));
  if (first === undefined || labels.size !== 1) return null;
  return [{ value: { kind: 'labels', labels: [...labels] }, start: first.start, end: first.end, by: 'text' }];
}
