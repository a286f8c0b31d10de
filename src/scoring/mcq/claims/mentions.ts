import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { type LabelList, labelListAt } from './label-list.ts';
import { isOneOf } from './one-of.ts';
import { sentenceStart } from './sentence.ts';

/** A label, or a list of labels, somewhere in the text. */
export type Mention = LabelList & {
  /** Written in a way no ordinary word is: in brackets, or after "option". */
  readonly marked: boolean;
  /** First on its line, but for a bullet, a number or a mark. */
  readonly leadsLine: boolean;
  /** Where the mention starts, "option" included. */
  readonly from: number;
};

/** More than any honest output has; beyond it the work on hostile text is bounded. */
const FIRST = 100;
const LAST = 300;

const OPTION_BEFORE = pattern(`(?:${anyOf('option')}|${anyOf('answer')}|(?<!\\p{L})no\\.)\\s?[:"'(]{0,2}$`);
const OPENED = /[([{"'\u{E000}]/u;
const IN_WORD = /[\p{Script=Latin}\p{N}_]/u;
/** "b" is a mention in "(b)", "b)" and "option b" only. */
const BARE_LOWER_CASE = /\p{Ll}(?!.?\))/uy;
/** Nothing of its sentence stands before a list, or nothing of its clause. */
const STARTS_CLAUSE = /^[\s\p{P}]*$|;\s$|[\s,](?:but|while|whereas|pero|mientras|mais|tandis que|aber|während)\s$/u;
const LINE_LEAD = /(?:^|\n)[\s•+>#"'(-]{0,6}(?:\d{1,2}[.)] )?[\s✓✗"'(]{0,4}$/u;

/** Every mention of labels, in order; those inside a list are part of it. */
export const mentionsOf = once((reading: Reading): readonly Mention[] => {
  const mentions: Mention[] = [];
  let done = 0;
  for (const place of placesRead(reading)) {
    if (place < done) continue;
    const mention = mentionAt(reading, place);
    if (mention === null) continue;
    mentions.push(mention);
    done = mention.end;
  }
  return mentions;
});

/** Every position at which a label stands between real edges, a word that is spelt like one included. */
export const labelPlaces = once((reading: Reading): readonly number[] =>
  [...reading.lower.matchAll(reading.question.labels.places)].map((found) => found.index),
);

/** The first tell how an output starts, the last how it ends; a place that is among both is read once. */
function placesRead(reading: Reading): readonly number[] {
  const places = labelPlaces(reading);
  return [...places.slice(0, FIRST), ...places.slice(-LAST)];
}

function mentionAt(reading: Reading, at: number): Mention | null {
  const { text, lower } = reading;
  const isOpened = OPENED.test(textBefore(text, at, 1));
  const start = isOpened ? at - 1 : at;
  const option = OPTION_BEFORE.exec(textBefore(lower, at, 40));
  if (option === null && !isOpened && matchEnd(BARE_LOWER_CASE, text, at) !== null) return null;
  // "f(A)", "P(B)".
  if (isOpened && IN_WORD.test(textBefore(text, start, 1))) return null;
  const from = option === null ? start : at - option[0].length;
  const subject = STARTS_CLAUSE.test(lower.slice(sentenceStart(lower, from), from)) || isOneOf(reading, from);
  const list = labelListAt(reading, start, subject);
  if (list === null) return null;
  const marked = option !== null || list.tokens.some((token) => token.enclosed);
  return { ...list, marked, from, leadsLine: LINE_LEAD.test(textBefore(lower, from, 40)) };
}
