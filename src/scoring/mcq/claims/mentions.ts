import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { type LabelList, labelListAt } from './label-list.ts';
import { sentenceStart } from './sentence.ts';

/** A label, or a list of labels, somewhere in the text. */
export type Mention = LabelList & {
  /** Written in a way no ordinary word is: in brackets, or after "option". */
  readonly marked: boolean;
  /** First on its line, but for a bullet or a number. */
  readonly leadsLine: boolean;
  /** Where the mention starts, "option" included. */
  readonly from: number;
};

/** More than any honest output has; beyond it the work on hostile text is bounded. */
const FIRST = 100;
const LAST = 300;

const OPTION_BEFORE = pattern(`(?:${anyOf('option')}|${anyOf('answer')}|[^\\p{L}]no\\.)\\s?[:"'(]{0,2}$`);
/** Nothing of its sentence stands before a list, or nothing of its clause. */
const STARTS_CLAUSE = /^[\s\p{P}]*$|;\s$|[\s,](?:but|while|whereas|pero|mientras|mais|tandis que|aber|während)\s$/u;
const LINE_LEAD = /(?:^|\n)[\s\-•+>#"'(]{0,6}(?:\d{1,2}[.)] )?(?:[✓✗☐☑]|\[[ x✓]\])?[\s"'(]{0,3}$/u;

/** Every mention of labels, in order; those inside a list are part of it. */
export const mentionsOf = once((reading: Reading): readonly Mention[] => {
  const mentions: Mention[] = [];
  let done = 0;
  for (const place of placesRead(reading)) {
    if (place < done) continue;
    const mention = mentionAt(reading, place, done);
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

/** The first tell how an output starts, the last how it ends. */
function placesRead(reading: Reading): readonly number[] {
  const places = labelPlaces(reading);
  return places.length <= FIRST + LAST ? places : [...places.slice(0, FIRST), ...places.slice(-LAST)];
}

function mentionAt(reading: Reading, at: number, done: number): Mention | null {
  const { text, lower } = reading;
  const opened = at > done && /[([{"'\u{E000}]/u.test(text[at - 1] ?? '') ? at - 1 : at;
  const before = textBefore(lower, at, 40);
  const option = OPTION_BEFORE.exec(before);
  if (
    /^\p{Ll}/u.test(textAfter(text, at, 2)) &&
    option === null &&
    opened === at &&
    !/^.{1,2}\)/u.test(textAfter(text, at, 3))
  )
    return null;
  if (opened < at && /[\p{Script=Latin}\p{N}_]$/u.test(textBefore(text, opened, 1))) return null;
  const first = option === null ? opened : at - (before.length - option.index);
  const subject = STARTS_CLAUSE.test(lower.slice(sentenceStart(lower, first), first));
  const list = labelListAt(reading, opened, subject) ?? (opened < at ? labelListAt(reading, at, subject) : null);
  if (list === null) return null;
  const marked = option !== null || list.tokens.some((token) => token.enclosed);
  const from = option === null ? list.start : first;
  return {
    ...list,
    marked,
    from,
    leadsLine: LINE_LEAD.test(`${from < 40 ? '\n' : ''}${textBefore(lower, from, 40)}`),
  };
}
