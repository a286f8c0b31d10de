import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { claimAt } from './claim-at.ts';
import { mentionsOf } from './mentions.ts';
import { isDenied } from './negation.ts';

const GUESS = pattern(anyOf('guess'), 'g');
const GAP = pattern(
  `[\\s,:]{0,3}(?:(?:that|dass|que|che|что)\\s)?(?:${anyOf('therefore')}\\s?|(?:${anyOf('this')}\\s?)?(?:${anyOf('is')}\\s?)?)`,
  'y',
);
const ENDS = /^[)"'\]]?(?:[.,;!。，、\n]|$|です|だと|입니다|\s(?:sein|then|because|since|as|but)(?!\p{L}))/u;

/** What follows "maybe", "I think", "vielleicht" and ends its clause. */
export function guessedClaims(reading: Reading): readonly Claim[] {
  return lastMatches(reading.lower, GUESS).flatMap((word) => {
    const at = word.index + word[0].length;
    const claim = claimAt(reading, matchEnd(GAP, reading.lower, at) ?? at);
    if (claim === null || !('labels' in claim.value) || isDenied(reading, word.index, claim)) return [];
    return ENDS.test(textAfter(reading.text, claim.end, 12)) ? [claim] : [];
  });
}

/** Whether an option with none of these labels is spoken of after a place. */
export function isOtherNamedAfter(reading: Reading, at: number, labels: readonly string[]): boolean {
  const named = [...mentionsOf(reading), ...reading.question.texts.all(reading.lower)];
  return named.some((each) => each.start >= at && !each.labels.some((label) => labels.includes(label)));
}
