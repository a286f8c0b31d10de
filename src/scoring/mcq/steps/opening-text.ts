import { isDenied, isDeniedAfter } from '../claims/negation.ts';
import { sentenceEnd } from '../claims/sentence.ts';
import { matchEnd } from '../match-end.ts';
import type { TextMatch } from '../option-texts.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { found, startOf } from './found.ts';
import { isListed } from './listed-lines.ts';
import type { Step } from './step.ts';

const ARTICLE = "(?:(?:the|an?|der|die|das|den|dem|le|la|les|el|los|las|il|lo|gli|o|os|as)\\s|l')?";
const IT_IS = pattern(
  `[\\s"'(]{0,3}(?:(?:${anyOf('this')}(?:\\s${anyOf('is')}|'s)|c'est|es ist|das ist|es|è|é)\\s)?["'(]{0,2}`,
  'y',
);
const ARTICLE_HERE = pattern(ARTICLE, 'y');
const ONLY = pattern(
  `(?:only|nur|seul|seule|solo|sólo|solamente|soltanto|apenas|somente)\\s(?:\\p{L}{2,5}\\s)?${ARTICLE}$`,
);
const CORRECTION = pattern(anyOf('correction'));
const ENDS = /^[)"'\]]{0,2}(?:[.!。！]|\n|$|,\s(?:because|since|as|weil|da|denn|car|puisque|porque|perché)(?!\p{L}))/u;

/** The output starts with the text of an option: "Zinc. Iron (A) causes ...", "It is zinc. Option C ...". */
export const openingText: Step = {
  name: 'opening option text',
  weak: true,
  claims: (reading) => {
    const told = opened(reading) ?? onlyTold(reading);
    if (told === null || reading.question.multiple === true) return [];
    const claim = found({ kind: 'labels', labels: told.labels }, told.start, told.end);
    const isTakenBack =
      isDenied(reading, told.start, claim) ||
      isDeniedAfter(reading, told.end) ||
      CORRECTION.test(reading.lower.slice(told.end));
    return isTakenBack || isListed(reading, told) ? [] : [claim];
  },
};

/** The text of one option, and its sentence or its line ends there. */
function opened(reading: Reading): TextMatch | null {
  const at = matchEnd(IT_IS, reading.lower, 0) ?? 0;
  const { texts, shortTexts } = reading.question;
  // An article may be part of the option's text, and a word such as "it" its beginning.
  const places = [matchEnd(ARTICLE_HERE, reading.lower, at) ?? at, at, startOf(reading)];
  return firstEnding(
    reading,
    places.flatMap((place) => texts.at(reading.lower, place) ?? shortTexts.at(reading.lower, place) ?? []),
  );
}

/** "That can only be zinc." */
function onlyTold(reading: Reading): TextMatch | null {
  const first = reading.lower.slice(0, sentenceEnd(reading.lower, 0, 120));
  const told = reading.question.texts.all(first);
  return firstEnding(
    reading,
    told.filter(({ start }) => ONLY.test(first.slice(0, start))),
  );
}

function firstEnding({ text }: Reading, told: readonly TextMatch[]): TextMatch | null {
  return told.find(({ labels, end }) => labels.length === 1 && ENDS.test(textAfter(text, end, 14))) ?? null;
}
