import { matchEnd } from '../match-end.ts';
import type { TextMatch } from '../option-texts.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { type LabelList, labelListAt } from './label-list.ts';
import { mentionClaim } from './mention-claim.ts';
import { toldAt } from './told-at.ts';

const AND = pattern(`\\s{0,2}(?:[,;&+、]|${anyOf('and')}){1,2}\\s{0,2}(?:${anyOf('and')}\\s{0,2})?(?:the\\s)?`, 'y');
const COMPLETE = pattern(`\\s{0,2}(?:[.,;!)\\n]|$|${anyOf('and')}|(?:are|were|sind|sont|son|sono)\\s)`, 'y');

/** Labels, or the text of an option, whichever is longer here. */
export function namedClaim(reading: Reading, at: number): Claim | null {
  const told = toldAt(reading, at);
  const list = labelListAt(reading, at);
  if (told === null || (list !== null && !isOption(told, list))) return list === null ? null : mentionClaim(list);
  const { labels, end } = textListFrom(reading, told);
  return { value: { kind: 'labels', labels }, start: at, end, by: 'text' };
}

/** A text that says more than the labels here, or just as much: "A and B" is what an option says. */
function isOption(told: TextMatch, { end, labels }: LabelList): boolean {
  return told.end > end || (told.end === end && labels.length > 1);
}

/** "cheese and milk", where several may be right. */
function textListFrom(reading: Reading, first: TextMatch): Pick<TextMatch, 'labels' | 'end'> {
  const labels = [...first.labels];
  let { end } = first;
  for (let next = nextText(reading, end); next !== null; next = nextText(reading, end)) {
    labels.push(...next.labels);
    end = next.end;
  }
  return { labels, end };
}

function nextText(reading: Reading, end: number): TextMatch | null {
  const next = toldAt(reading, matchEnd(AND, reading.lower, end) ?? end);
  // In "cheese, rice has no lactose" the rice starts the next clause.
  return next !== null && matchEnd(COMPLETE, reading.lower, next.end) !== null ? next : null;
}
