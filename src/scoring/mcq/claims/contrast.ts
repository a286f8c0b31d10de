import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import { labelListAt } from './label-list.ts';

const CONTRAST = pattern(`,?\\s\\(?(?:and\\s|but\\s)?${anyOf('reject')}\\s(?:${anyOf('option')}\\s)?`, 'y');

/** Where a sentence goes on about the option that ends at `at`: in "C, unlike A and B, is right" after the B. */
export function contrastEnd(reading: Reading, at: number): number {
  const contrast = matchEnd(CONTRAST, reading.lower, at) ?? reading.text.length;
  return labelListAt(reading, contrast, true)?.end ?? at;
}
