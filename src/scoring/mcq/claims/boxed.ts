import { BOX_START } from '../clean/markup.ts';
import { lastMatches } from '../last-matches.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import type { Claim } from './claim.ts';
import { claimAt } from './claim-at.ts';

const BOX = pattern(`${BOX_START}|\\[\\[|<<`, 'g');

/** Labels in `\boxed{}`, and in double brackets, the form that judging prompts ask for. */
export function boxedClaims(reading: Reading): readonly Claim[] {
  return lastMatches(reading.lower, BOX).flatMap((box) => claimAt(reading, box.index + box[0].length) ?? []);
}
