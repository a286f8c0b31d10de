import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { KnownQuestion, Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { mentionsOf } from './mentions.ts';
import { namedClaim } from './named-claim.ts';
import { isDenied, isDeniedAfter } from './negation.ts';

const EXCEPT = pattern(
  `(?:${anyOf('all', 'allAlone')})\\s{1,2}(?:\\p{L}{2,12}\\s{1,2}){0,3}?${anyOf('except')}\\s{1,2}(?:(?:${anyOf('option', 'between')})\\s{1,2}){0,3}`,
  'g',
);
const ARE_RIGHT = pattern(`${anyOf('is')}\\s(?:all\\s|alle\\s)?${anyOf('right')}`, 'y');

/** "All except C" chooses the others; "all but C are wrong" chooses C. */
const exceptions = once((reading: Reading): readonly Claim[] =>
  lastMatches(reading.lower, EXCEPT).flatMap(({ 0: words, index }) => {
    const named = namedClaim(reading, index + words.length);
    if (named?.value.kind !== 'labels') return [];
    const { value, end } = named;
    if (isDeniedAfter(reading, end)) return [toClaim(value.labels, index, end)];
    const labels = othersThan(reading.question, value.labels);
    return reading.question.multiple === false || labels.length === 0 ? [] : [toClaim(labels, index, end)];
  }),
);

/** The exception that stands here; null where none does. */
export function exceptionAt(reading: Reading, at: number): Claim | null {
  return exceptions(reading).find((claim) => claim.start === at) ?? null;
}

function toClaim(labels: readonly string[], start: number, end: number): Claim {
  return { value: { kind: 'labels', labels }, start, end, by: 'label' };
}

/** The options that are left beside some, but for "all of the above"; none where the options are not known. */
function othersThan({ labels, allLabel, noneLabel }: KnownQuestion, named: readonly string[]): readonly string[] {
  return labels.open ? [] : labels.ordered.filter((label) => ![...named, allLabel, noneLabel].includes(label));
}

const REST =
  /(?<=[.;!,\n]\s?|\s(?:and|but)\s)(?:all )?(?:the (?:rest|others|other (?:options|ones|three|two|four))|(?:die anderen|die übrigen|los demás|les autres|le altre))\s/gu;

/** "Not D. The rest are correct.", where several may be right: what was named before is left out. */
function restClaims(reading: Reading): readonly Claim[] {
  if (reading.question.multiple !== true) return [];
  return lastMatches(reading.lower, REST).flatMap((found): Claim[] => {
    const end = found.index + found[0].length;
    if (matchEnd(ARE_RIGHT, reading.lower, end) === null) return [];
    const named = mentionsOf(reading)
      .filter((mention) => mention.start < found.index)
      .flatMap((each) => each.labels);
    const labels = othersThan(reading.question, named);
    return named.length === 0 || labels.length === 0 ? [] : [toClaim(labels, found.index, end)];
  });
}

/** Every such statement in the text. */
export function exceptionClaims(reading: Reading): readonly Claim[] {
  return [...exceptions(reading).filter((claim) => !isDenied(reading, claim.start, claim)), ...restClaims(reading)];
}
