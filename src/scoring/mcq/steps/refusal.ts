import type { Claim } from '../claims/claim.ts';
import { lastMatches } from '../last-matches.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const UNSURE = new RegExp(anyOf('unsure'), 'gu');
const DECLINED = new RegExp(anyOf('declined', 'refused'), 'gu');

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
