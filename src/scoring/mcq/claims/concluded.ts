import { lastMatches } from '../last-matches.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { claimAt } from './claim-at.ts';
import { mentionsOf } from './mentions.ts';
import { isConditional, isDenied, isDeniedAfter, isDoubted } from './negation.ts';

const THEREFORE = pattern(anyOf('therefore'), 'g');
const NOT_BEFORE = /(?:not|n't|no|never|neither|whether|if|unless|than|anything|nothing|all|everything) $|不$/u;
const ENDS = pattern(
  `^[)"'\\]]?\\s?(?:[.,;!。，\\n]|$|-\\s|\\((?!\\p{L}\\))|\\s(?:(?:as|because|since|which|due|given|for|here|instead|then|to me)(?!\\p{L})|${anyOf('applies')}))`,
);

/** "Only D has the mass." */
const ONLY_DOES = /^\s(?:have|can|\p{L}+s)(?!\p{L})/u;

/** A label that follows "therefore", "it must be", "closest to", "leaving" and ends its clause or is marked as one. */
export function concludedClaims(reading: Reading): readonly Claim[] {
  const claims: Claim[] = [];
  for (const word of lastMatches(reading.lower, THEREFORE)) {
    if (NOT_BEFORE.test(textBefore(reading.lower, word.index, 10))) continue;
    const at = word.index + word[0].length;
    const claim = claimAt(reading, reading.lower[at] === ',' ? at + 1 : at);
    if (claim === null || claim.by === 'text' || !('labels' in claim.value)) continue;
    const only = word[0] === 'only' && ONLY_DOES.test(textAfter(reading.lower, claim.end, 16));
    if (!only && !isMarked(reading, claim) && !ENDS.test(textAfter(reading.text, claim.end, 12))) continue;
    if (isDenied(reading, word.index, claim) || isDeniedAfter(reading, claim.end)) continue;
    if (isDoubted(reading, claim.start) || isConditional(reading, word.index, claim)) continue;
    claims.push(claim);
  }
  return claims;
}

function isMarked(reading: Reading, { end }: Claim): boolean {
  return mentionsOf(reading).some((mention) => mention.marked && mention.end === end);
}
