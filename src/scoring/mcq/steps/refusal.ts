import type { Claim } from '../claims/claim.ts';
import { lastMatches } from '../last-matches.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const UNSURE = pattern(anyOf('unsure'), 'g');
const DECLINED = pattern(anyOf('declined', 'refused'), 'g');

/** The agent says that it does not know, or declines to answer. */
export const refusal: Step = {
  name: 'refusal',
  claims: (reading) => [...refusals(reading, DECLINED, 'declined'), ...refusals(reading, UNSURE, 'unsure')],
};

function refusals(reading: Reading, pattern: RegExp, sort: 'unsure' | 'declined'): readonly Claim[] {
  return lastMatches(reading.lower, pattern).map((found) => ({
    value: { kind: 'refusal', sort },
    start: found.index,
    end: found.index + found[0].length,
    by: 'text',
  }));
}
