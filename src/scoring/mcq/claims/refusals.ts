import { lastMatches } from '../last-matches.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import { sentenceStart } from './sentence.ts';

const REFUSED = pattern(anyOf('refused'), 'g');

const firstRefusal = once((reading: Reading): number => lastMatches(reading.lower, REFUSED)[0]?.index ?? Infinity);

/**
 * Whether the agent has refused in an earlier sentence: in "I can't help with that. None of the above." the second
 * sentence says of the question what the first says, and not that every option is wrong.
 */
export function isAfterRefusal(reading: Reading, at: number): boolean {
  return firstRefusal(reading) < sentenceStart(reading.lower, at);
}
