import { lastMatches } from '../last-matches.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { claimAt } from './claim-at.ts';
import { isDenied, isDeniedAfter } from './negation.ts';

const CHOOSE = pattern(anyOf('choose'), 'g');
/** "They choose B", "please select B", "请选择". */
const OTHERS_CHOOSE =
  /(?:please|please \p{L}+|he|she|they|who|which|everyone|everybody|people|most|many|some) $|(?:不(?:应该|應該|应|该|能|会|會|可以|可|要)?|别|请)$/u;
const DENIED_CHOICE = /(?:(?<!\p{L})(?:not|never|cannot|nunca|no|ne|jamais|nicht|nie)|n't)\s(?:\p{L}+\s)?$/u;
/** "To choose B" is no choice; "I have to choose B" is. */
const OWN_WORDS = /(?<!\p{L})(?:i|we|i'd|i'll|let's|me|us|therefore|thus|so|hence)\s(?:\p{L}+\s){0,2}to\s$/u;

/** What follows "I choose", "I would go with", "故选". */
export const chosenClaims = once((reading: Reading): readonly Claim[] =>
  lastMatches(reading.lower, CHOOSE).flatMap((verb): readonly Claim[] => {
    if (!isOwn(textBefore(reading.lower, verb.index, 40))) return [];
    const claim = claimAt(reading, verb.index + verb[0].length);
    return claim === null || isDenied(reading, verb.index, claim) || isDeniedAfter(reading, claim.end) ? [] : [claim];
  }),
);

function isOwn(before: string): boolean {
  if (DENIED_CHOICE.test(before) || OTHERS_CHOOSE.test(before)) return false;
  return !before.endsWith('to ') || OWN_WORDS.test(before);
}
