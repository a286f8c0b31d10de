import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { LedClaim } from './answer-leads.ts';
import { chosenClaims } from './chosen.ts';
import type { Claim } from './claim.ts';
import { claimAt } from './claim-at.ts';
import { isDeniedAfter } from './negation.ts';

const MARKER = pattern(anyOf('correction'), 'g');
const REACH = 100;
const GAP =
  /[\s,.:;!-]{0,6}(?:(?:no|so|but|and|i think|i believe|it's|it is|that's|it should be|should be|make that|to|rather|let me|ist|es|c'est)(?![\p{L}'])[\s,.:;!-]{0,4}){0,4}/uy;
const IT_IS = /[.!]\s(?:so |hence |then )?(?:it's|it is|it must be)\s/u;
const DONE = pattern(
  `^[)"'\\]]?\\s*(?:[.,;!\\n]|$|- |(?:because|since|as|not)(?!\\p{L})|${anyOf('is')}\\s(?:the\\s)?${anyOf('right')})`,
);

/** What comes directly after "wait, actually", "correction:" and the like; it overrules what was said before. */
export function correctedClaims(reading: Reading, led: readonly LedClaim[]): readonly Claim[] {
  const stated = [...led, ...chosenClaims(reading)];
  return lastMatches(reading.lower, MARKER).flatMap((marker) => {
    const end = marker.index + marker[0].length;
    return [
      ...directClaims(reading, end),
      ...laterClaims(reading, end),
      ...stated.filter(({ start }) => start > marker.index && start < end + REACH),
    ];
  });
}

/** "Wait, no, that is the older one. It's C." */
function laterClaims(reading: Reading, at: number): readonly Claim[] {
  const found = IT_IS.exec(textAfter(reading.lower, at, REACH));
  return found === null ? [] : directClaims(reading, at + found.index + found[0].length);
}

function directClaims(reading: Reading, at: number): readonly Claim[] {
  const claim = claimAt(reading, matchEnd(GAP, reading.lower, at) ?? at);
  if (claim === null || claim.by === 'text' || claim.value.kind !== 'labels') return [];
  return isDeniedAfter(reading, claim.end) || !DONE.test(textAfter(reading.lower, claim.end, 40)) ? [] : [claim];
}
