import { BOX_START } from '../clean/markup.ts';
import { matchEnd } from '../match-end.ts';
import type { TextMatch } from '../option-texts.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { isAnswerAbsent } from './absence.ts';
import type { Claim } from './claim.ts';
import { exceptionAt } from './exceptions.ts';
import { type LabelList, labelListAt } from './label-list.ts';

const OPENERS = pattern(`[\\s"'([{:=>~≈${BOX_START}-]`);
const BETWEEN = pattern(`${anyOf('between', 'option')}[\\s:]{0,2}`, 'y');
const NONE = pattern(`${anyOf('none')}(?!\\s{1,2}(?:other|remaining|rest))`, 'y');
const ALONE = `[)"'\\]]?(?=\\s*(?:[.,;!\\n)]|$))`;
const BARE_NONE = pattern(`[("']?${anyOf('noneAlone')}${ALONE}`, 'y');
const BARE_ALL = pattern(`[("']?${anyOf('allAlone')}${ALONE}`, 'y');
const ALL = pattern(`${anyOf('all')}(?!\\s{1,2}(?:except|but|other|remaining|save))`, 'y');
const AND = pattern(`\\s{0,2}(?:[,;&+、]|${anyOf('and')}){1,2}\\s{0,2}(?:${anyOf('and')}\\s{0,2})?(?:the\\s)?`, 'y');
const COMPLETE = pattern(`\\s{0,2}(?:[.,;!)\\n]|$|${anyOf('and', 'is')})`, 'y');
const CLOSEST =
  /[^.!?\n]{0,60}?(?:close|near|approximat|best|choose|select|pick|would be|is)[a-z]{0,8}(?:\s(?:to|is|one|option|choice|answer|match|available|would|be|the|with|value|given|by|as|approximation)){0,6}[\s:,]{1,3}/uy;

/** Reads what is claimed here, after words such as "the answer is"; null when nothing is. */
export function claimAt(reading: Reading, at: number): Claim | null {
  const { text, lower } = reading;
  let position = at;
  for (let words = 0; words < 9; words += 1) {
    while (position < at + 200 && OPENERS.test(text[position] ?? '')) position += 1;
    if (/^[aoi] \p{Lu}(?!\p{L})/u.test(textAfter(text, position, 4))) position += 2;
    const claim = wordedClaim(reading, position) ?? namedClaim(reading, position);
    if (claim !== null) return claim;
    const enclosed = position > 0 ? namedClaim(reading, position - 1) : null;
    if (enclosed !== null && enclosed.start >= at) return enclosed;
    BETWEEN.lastIndex = position;
    if (!BETWEEN.test(lower)) return null;
    position = BETWEEN.lastIndex;
  }
  return null;
}

/** Labels, or the text of an option, whichever is longer here. */
export function namedClaim(reading: Reading, at: number): Claim | null {
  const found = reading.question.texts.at(reading.lower, at);
  // Two options with one text: the text does not tell them apart.
  const told = found?.labels.length === 1 ? found : null;
  const list = labelListAt(reading, at);
  if (told !== null && (list === null || told.end > list.end || isConjunctionText(reading, told.end, list))) {
    const texts = textListFrom(reading, told);
    return { value: { kind: 'labels', labels: texts.labels }, start: at, end: texts.end, by: 'text' };
  }
  return list === null ? null : toClaim(reading, list);
}

/** "cheese and milk", where several may be right. */
function textListFrom(
  reading: Reading,
  first: TextMatch,
): { readonly labels: readonly string[]; readonly end: number } {
  let { labels, end } = first;
  const { multiple, labels: known } = reading.question;
  for (let more = multiple !== false; more && labels.length < known.ordered.length; ) {
    const next = matchEnd(AND, reading.lower, end);
    const told = next === null ? null : reading.question.texts.at(reading.lower, next);
    more = told?.labels.length === 1 && matchEnd(COMPLETE, reading.lower, told.end) !== null;
    if (more && told !== null) ({ labels, end } = { labels: [...labels, ...told.labels], end: told.end });
  }
  return { labels, end };
}

/** "A and B" is what an option says, unless several may be chosen. */
function isConjunctionText(reading: Reading, end: number, list: LabelList): boolean {
  return end === list.end && list.labels.length > 1 && reading.question.multiple !== true;
}

function toClaim(reading: Reading, list: LabelList): Claim | null {
  const { labels, start, end } = list;
  const place = { start, end, by: 'label' } as const;
  if (list.mismatch) return { ...place, value: { kind: 'mismatch', labels } };
  if (!list.hedged) return { ...place, value: { kind: 'labels', labels } };
  // "A, B, C or D" names the question and not an answer.
  const few = labels.length < 3 || labels.length < reading.question.labels.ordered.length;
  return few ? { ...place, value: { kind: 'hedge', labels } } : null;
}

function wordedClaim(reading: Reading, at: number): Claim | null {
  const { lower, question } = reading;
  if (question.texts.at(lower, at) !== null) return null;
  const except = exceptionAt(reading, at);
  if (except !== null) return except;
  const all = matchEnd(ALL, lower, at) ?? matchEnd(BARE_ALL, lower, at);
  if (all !== null) return { value: { kind: 'all' }, start: at, end: all, by: 'text' };
  const none = matchEnd(NONE, lower, at) ?? matchEnd(BARE_NONE, lower, at);
  if (none === null || !isAnswerAbsent(reading, at, none)) return null;
  const closest = matchEnd(CLOSEST, lower, none);
  const named = closest === null ? null : claimAfterNone(reading, closest);
  return named ?? { value: { kind: 'none' }, start: at, end: none, by: 'text' };
}

/** "not listed, but closest to (G)" answers G. */
function claimAfterNone(reading: Reading, at: number): Claim | null {
  const named = namedClaim(reading, at);
  return named?.value.kind === 'labels' && named.by === 'label' ? named : null;
}
