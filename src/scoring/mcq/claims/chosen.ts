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
const REFUSED_BEFORE =
  /(?:not|n't|never|to|please|he|she|they|who|which|everyone|everybody|people|most|many|some|cannot|不(?:应该|應該|应|该|能|会|會|可以|可|要)?|别|请) ?$|please (?:\p{L}+ )?$/u;
const DENIED_CHOICE =
  /(?<!\p{L})(?:not|never|n't|cannot|nunca|no|ne|n'|jamais|nicht|nie)\s(?:\p{L}+\s){0,1}$|n't\s(?:\p{L}+\s){0,1}$/u;
const OWN_WORDS = /(?:^|[\s,])(?:i|we|i'd|i'll|let's|me|us|therefore|thus|so|hence)\s(?:\p{L}+\s){0,3}$/u;

/** What follows "I choose", "I would go with", "故选". */
export const chosenClaims = once((reading: Reading): readonly Claim[] => {
  const claims: Claim[] = [];
  for (const verb of lastMatches(reading.lower, CHOOSE)) {
    const before = textBefore(reading.lower, verb.index, 40);
    if (DENIED_CHOICE.test(before) || (REFUSED_BEFORE.test(before) && !OWN_WORDS.test(before))) continue;
    const claim = claimAt(reading, verb.index + verb[0].length);
    if (claim === null || isDenied(reading, verb.index, claim) || isDeniedAfter(reading, claim.end)) continue;
    claims.push(claim);
  }
  return claims;
});
