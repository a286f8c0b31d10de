import type { Claim } from '../claims/claim.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isDeniedAfter } from '../claims/negation.ts';
import { sentenceEnd } from '../claims/sentence.ts';
import type { TextMatch } from '../option-texts.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const DENIED_BEFORE =
  /(?<!\p{L})(?:not|no|never|neither|nor|isn't|rather than|instead of|unlike|than|without|nicht|pas|非|不是)\s(?:\p{L}+\s){0,2}$/u;

const RESULT_BEFORE = new RegExp(`(?:=|≈|${anyOf('is')})\\s?(?:about |approximately |around )?$`, 'u');

/** Exactly one option's text is told: in the whole output, else in its last or its first sentence. */
export const onlyOptionText: Step = {
  name: 'only option text',
  weak: true,
  claims: (reading) => {
    const lines = mentionsOf(reading).filter((mention) => mention.leadsLine);
    // Options told one line after the other are a list; the last of them is no answer.
    const isListed = (match: TextMatch): boolean =>
      lines.length > 1 && lines.some((line) => match.start >= line.start && match.end <= line.end);
    const told = reading.question.texts
      .all(reading.lower)
      .filter((match) => !isDenied(reading, match) && !isListed(match));
    const spoken = told.filter((match) => !isSmall(reading, match));
    const last = within(told, lastSentence(reading));
    return (
      onlyOne(told.slice(-1).filter((match) => isClosing(reading, match))) ??
      onlyOne(spoken) ??
      onlyOne(told.filter((match) => isNamed(reading, match))) ??
      onlyOne(last) ??
      onlyOne(last.filter((match) => isResult(reading, match)).slice(-1)) ??
      onlyOne(firstTold(reading, spoken, told)) ??
      []
    );
  },
};

/** The first sentence, where it tells one text; a short text counts where it is all that the sentence starts with. */
function firstTold(reading: Reading, spoken: readonly TextMatch[], told: readonly TextMatch[]): readonly TextMatch[] {
  const first: readonly [number, number] = [0, sentenceEnd(reading.text, 0, 300)];
  const opening = told[0];
  const opens =
    opening !== undefined &&
    opening.start < 3 &&
    /^ ?[.,!:;\n-]/u.test(reading.text.slice(opening.end, opening.end + 2));
  return within(opens ? told : spoken, first);
}

/** "So: Up", at the end of the output. */
function isClosing(reading: Reading, match: TextMatch): boolean {
  return (
    /^[\s.!]{0,4}$/u.test(reading.text.slice(match.end, match.end + 5)) &&
    /: ?$/u.test(reading.text.slice(Math.max(0, match.start - 2), match.start))
  );
}

/** "The system is feudalism." */
function isNamed(reading: Reading, match: TextMatch): boolean {
  return isResult(reading, match) && /^(?:[.!;\n。]|$)/u.test(reading.text.slice(match.end, match.end + 1));
}

/** "... = 3", "the result is 3". */
function isResult(reading: Reading, match: TextMatch): boolean {
  return RESULT_BEFORE.test(reading.lower.slice(Math.max(0, match.start - 16), match.start));
}

function isDenied(reading: Reading, match: TextMatch): boolean {
  return (
    DENIED_BEFORE.test(reading.lower.slice(Math.max(0, match.start - 40), match.start)) ||
    isDeniedAfter(reading, match.end)
  );
}

/** Numbers and very short words turn up in any explanation. */
function isSmall(reading: Reading, match: TextMatch): boolean {
  const text = reading.text.slice(match.start, match.end);
  return text.length < 3 || !/\p{L}{3}|\p{Script=Han}/u.test(text);
}

function lastSentence({ text }: Reading): readonly [number, number] {
  const end = text.trimEnd().length;
  for (let at = end - 2; at > Math.max(0, end - 300); at -= 1) {
    if (sentenceEnd(text, at, 1) === at && sentenceEnd(text, at, 2) === at) return [at, end];
  }
  return [Math.max(0, end - 300), end];
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
