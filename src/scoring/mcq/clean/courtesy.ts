import { labelTokenAt } from '../claims/label-token.ts';
import { labelPlaces } from '../claims/mentions.ts';
import { lastMatches } from '../last-matches.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import { applyEdits, type TrackedText } from './tracked-text.ts';

const COURTESY = pattern(`(?<=[.!?:)\\]\\n。！]\\s{0,3}|[\\n.!?] ?\\p{P}{0,3})${anyOf('courtesy')}`, 'g');
/** A closing sentence or two. */
const LONGEST = 300;

/** Removes "Let me know if you need more detail!" from the end of an output that has said something before. */
export function removeCourtesy(reading: Reading): TrackedText {
  const { text, lower, cleaned } = reading;
  const found = lastMatches(lower, COURTESY, 3).find(({ index }) => index > text.length - LONGEST);
  if (found === undefined || text.slice(0, found.index).trim() === '') return cleaned;
  const names = labelPlaces(reading).some((at) => at > found.index && labelTokenAt(reading, at) !== null);
  return names ? cleaned : applyEdits(cleaned, [{ start: found.index, end: text.length, text: '' }]);
}
