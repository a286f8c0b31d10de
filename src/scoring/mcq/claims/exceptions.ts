import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { type LabelList, labelListAt } from './label-list.ts';
import { mentionsOf } from './mentions.ts';
import { isDenied, isDeniedAfter } from './negation.ts';

const SOURCE = `(?:${anyOf('all', 'allAlone')})\\s{1,2}(?:\\p{L}{2,12}\\s{1,2}){0,3}?${anyOf('except')}\\s{1,2}(?:(?:${anyOf('option', 'between')})\\s{1,2}){0,3}`;
const EXCEPT = pattern(SOURCE, 'y');
const ARE_RIGHT = pattern(`${anyOf('is')}\\s(?:all\\s|alle\\s)?${anyOf('right')}`, 'y');
const EXCEPT_ANYWHERE = pattern(SOURCE, 'g');

/** "All except C" chooses the others; "all but C are wrong" chooses C. Null where no exception stands here. */
export function exceptionAt(reading: Reading, at: number): Claim | null {
  const end = matchEnd(EXCEPT, reading.lower, at);
  const list = end === null ? null : (labelListAt(reading, end) ?? toldAt(reading, end));
  if (list === null || list.hedged || list.mismatch) return null;
  const place = { start: at, end: list.end, by: 'label' } as const;
  if (isDeniedAfter(reading, list.end)) return { ...place, value: { kind: 'labels', labels: list.labels } };
  const { labels, allLabel, noneLabel, multiple } = reading.question;
  const others = labels.ordered.filter((label) => ![...list.labels, allLabel, noneLabel].includes(label));
  return labels.open || multiple === false || others.length === 0
    ? null
    : { ...place, value: { kind: 'labels', labels: others } };
}

/** "All but the flute." */
function toldAt(reading: Reading, at: number): LabelList | null {
  const told = reading.question.texts.at(reading.lower, at);
  return told?.labels.length === 1 ? { ...told, hedged: false, mismatch: false, tokens: [] } : null;
}

const REST =
  /(?<=[.;!,\n]\s?|\s(?:and|but)\s)(?:all )?(?:the (?:rest|others|other (?:options|ones|three|two|four))|(?:die anderen|die übrigen|los demás|les autres|le altre))\s/gu;

/** "Not D. The rest are correct.", where several may be right: what was named before is left out. */
function restClaims(reading: Reading): readonly Claim[] {
  const { labels, allLabel, noneLabel, multiple } = reading.question;
  if (multiple !== true || labels.open) return [];
  return lastMatches(reading.lower, REST).flatMap((found): Claim[] => {
    const end = found.index + found[0].length;
    if (matchEnd(ARE_RIGHT, reading.lower, end) === null) return [];
    const named = mentionsOf(reading)
      .filter((mention) => mention.start < found.index)
      .flatMap((each) => each.labels);
    const others = labels.ordered.filter((label) => ![...named, allLabel, noneLabel].includes(label));
    const value = { kind: 'labels', labels: others } as const;
    return named.length === 0 || others.length === 0 ? [] : [{ value, start: found.index, end, by: 'label' }];
  });
}

/** Every such statement in the text. */
export function exceptionClaims(reading: Reading): readonly Claim[] {
  return [...exceptions(reading), ...restClaims(reading)];
}

function exceptions(reading: Reading): readonly Claim[] {
  return lastMatches(reading.lower, EXCEPT_ANYWHERE).flatMap((found) => {
    const claim = exceptionAt(reading, found.index);
    return claim === null || isDenied(reading, found.index, { ...claim, start: found.index }) ? [] : [claim];
  });
}
