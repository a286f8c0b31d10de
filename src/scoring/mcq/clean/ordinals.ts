import { pattern } from '../pattern.ts';
import type { KnownQuestion } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import { languages } from '../words/index.ts';
import { replaceTracked, type TrackedText } from './tracked-text.ts';

/** "First choice" is a rank and no place; letters, items and statements are counted for other reasons. */
const NOUN = `(?!${anyOf('statement')}|(?:letters?|items?|picks?|selections?|choice|letras?|lettres?|choix|buchstaben?)(?!\\p{L}))${anyOf('option')}`;
const ORDINAL = anyOf('ordinals', 'last');
const ORDINALS = pattern(
  `${ORDINAL}(?:(?:\\s?,\\s?|\\s${anyOf('and')}\\s)(?:\\p{L}{2,3}\\s)?${ORDINAL}){0,4}\\s{0,2}(?:listed\\s|answer\\s|given\\s|[个個])?${NOUN}`,
  'gi',
);
const EACH = pattern(ORDINAL, 'gi');
const LAST = pattern(`^${anyOf('last')}$`, 'i');
const NUMBERED = pattern(`(${NOUN})\\s(?:number\\s|no\\.\\s?|#)?(\\d{1,2})(?![\\p{L}\\p{N}%]|[.,]\\d)`, 'gi');
const PLACES = Array.from({ length: 10 }, (_, i) =>
  pattern(`^(?:${languages.flatMap(({ ordinals }) => ordinals[i] ?? []).join('|')})$`, 'i'),
);

/** Puts the label for its place: "the second option" becomes "the option B", "option 2" too where labels are letters. */
export function labelOrdinals(source: TrackedText, { labels }: KnownQuestion): TrackedText {
  if (labels.open) return source;
  const counted = replaceTracked(source, ORDINALS, ([said]) => {
    const places = [...said.matchAll(EACH)].map(([ordinal]) => placeOf(ordinal, labels.ordered.length));
    const named = places.map((place) => labels.ordered[place]);
    return named.includes(undefined) ? said : `option ${named.join(' and ')}`;
  });
  if (labels.ordered.some((label) => /\d/u.test(label))) return counted;
  return replaceTracked(counted, NUMBERED, ([said, noun, number]) => {
    const label = labels.ordered[Number(number) - 1];
    return label === undefined ? said : `${noun} ${label}`;
  });
}

function placeOf(ordinal: string, count: number): number {
  return LAST.test(ordinal) ? count - 1 : PLACES.findIndex((place) => place.test(ordinal));
}
