import { isAllStatement, isNoneStatement, onlyLabel } from './all-none.ts';
import type { TrackedText } from './clean/tracked-text.ts';
import type { ChoiceQuestion } from './extraction.ts';
import { type Labels, toLabels } from './labels.ts';
import { once } from './once.ts';
import { type OptionTexts, toOptionTexts } from './option-texts.ts';
import { pattern } from './pattern.ts';
import { toShortTexts } from './short-texts.ts';
import { anyOf } from './words/any-of.ts';

/** A question prepared for reading answers to it. */
export type KnownQuestion = {
  readonly labels: Labels;
  readonly texts: OptionTexts;
  /** What tells options apart whose texts share words. */
  readonly shortTexts: OptionTexts;
  readonly multiple: boolean | undefined;
  /** The option that says so, where exactly one does. */
  readonly allLabel: string | null;
  readonly noneLabel: string | null;
  readonly unsureLabel: string | null;
  readonly declinedLabel: string | null;
};

/** An output prepared for the steps. */
export type Reading = {
  readonly question: KnownQuestion;
  /** The output without thinking, otherwise as it was written. */
  readonly said: TrackedText;
  /** The output cleaned of markup and of the echoed option list: what most steps read. */
  readonly cleaned: TrackedText;
  readonly text: string;
  /** `text` in lower case, of the same length. */
  readonly lower: string;
};

const UNSURE = pattern(
  `^(?:${anyOf('unsure')}|undetermined|unknown$|not known|(?:i )?(?:don't|do not) know|uncertain|unsure|indeterminate|more information)`,
);
const DECLINED = pattern(`^(?:refus|declin|${anyOf('declined')})`);

export function toKnownQuestion({ choices, multiple }: ChoiceQuestion): KnownQuestion {
  return { ...toKnownChoices(choices ?? ANY_LETTER), multiple };
}

/** A question is answered as often as it is repeated. */
const toKnownChoices = once(prepare);
const ANY_LETTER: Readonly<Record<string, string>> = {};

function prepare(choices: Readonly<Record<string, string>>): Omit<KnownQuestion, 'multiple'> {
  return {
    labels: toLabels(choices),
    texts: toOptionTexts(choices),
    shortTexts: toShortTexts(choices),
    allLabel: onlyLabel(choices, isAllStatement),
    noneLabel: onlyLabel(choices, isNoneStatement),
    unsureLabel: onlyLabel(choices, (text) => UNSURE.test(text.toLowerCase())),
    declinedLabel: onlyLabel(choices, (text) => DECLINED.test(text.toLowerCase())),
  };
}

export function toReading(question: KnownQuestion, said: TrackedText, cleaned: TrackedText): Reading {
  return { question, said, cleaned, text: cleaned.text, lower: toLowerSameLength(cleaned.text) };
}

/** One letter grows when it is lowered; it stays as it is, so that positions hold. */
function toLowerSameLength(text: string): string {
  const parts = text.split('İ');
  return parts.map((part) => part.toLowerCase()).join('İ');
}
