import { BOX_START } from '../clean/markup.ts';
import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { isAnswerAbsent } from './absence.ts';
import type { Claim } from './claim.ts';
import { exceptionAt } from './exceptions.ts';
import { namedClaim } from './named-claim.ts';
import { toldAt } from './told-at.ts';

const OPENERS = pattern(`[\\s"'([{:=>~≈${BOX_START}-]{0,200}`, 'y');
const BETWEEN = pattern(`${anyOf('between', 'option')}[\\s:]{0,2}`, 'y');
const NONE = pattern(`${anyOf('none')}(?!\\s{1,2}(?:other|remaining|rest))`, 'y');
const ALONE = `[)"'\\]]?(?=\\s*(?:[.,;!\\n)]|$))`;
const BARE_NONE = pattern(`[("']?${anyOf('noneAlone')}${ALONE}`, 'y');
const BARE_ALL = pattern(`[("']?${anyOf('allAlone')}${ALONE}`, 'y');
const ALL = pattern(`${anyOf('all')}(?!\\s{1,2}(?:except|but|other|remaining|save))`, 'y');
/** "not listed, but closest to (G)": what follows answers. */
const CLOSEST = /[^.!?\n]{0,60}?(?:close|near)/uy;

/** Reads what is claimed here, after words such as "the answer is"; null when nothing is. */
export function claimAt(reading: Reading, at: number): Claim | null {
  const { text, lower } = reading;
  for (let start = at; start < at + 200; ) {
    let position = matchEnd(OPENERS, text, start) ?? start;
    // The line before a number may be its sign, a brace may begin a set.
    if (toldAt(reading, position - 1) !== null) position -= 1;
    if (/^[aoi] \p{Lu}(?!\p{L})/u.test(textAfter(text, position, 4))) position += 2;
    const claim = wordedClaim(reading, position) ?? namedClaim(reading, position);
    if (claim !== null) return claim;
    const next = matchEnd(BETWEEN, lower, position);
    if (next === null) return null;
    start = next;
  }
  return null;
}

function wordedClaim(reading: Reading, at: number): Claim | null {
  const { lower, question } = reading;
  if (question.texts.at(lower, at) !== null) return null;
  const except = exceptionAt(reading, at);
  if (except !== null) return except;
  const place = { start: at, by: 'text' } as const;
  const all = matchEnd(ALL, lower, at) ?? matchEnd(BARE_ALL, lower, at);
  if (all !== null) return { ...place, value: { kind: 'all' }, end: all };
  const none = matchEnd(NONE, lower, at) ?? matchEnd(BARE_NONE, lower, at);
  if (none === null || matchEnd(CLOSEST, lower, none) !== null || !isAnswerAbsent(reading, at, none)) return null;
  return { ...place, value: { kind: 'none' }, end: none };
}
