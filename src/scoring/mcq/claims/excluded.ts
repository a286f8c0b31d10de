import { lastMatches } from '../last-matches.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import type { Claim } from './claim.ts';
import { isSingle } from './claim.ts';
import { namedClaim } from './named-claim.ts';

const ITEM = '(?:not|nor|neither|nicht|pas|no)\\s(?:option\\s)?[("\']?(?:\\p{L}|\\d{1,2})[)"\']?';
/** "Not A, not B, not D - C." */
const EXCLUDED = pattern(
  `(?<=^|[.!?\\n]\\s?)${ITEM}(?:[,;]?\\s(?:and\\s|or\\s)?${ITEM}){0,12}\\s?(?:[,;:-]{1,2}|->)\\s(?:(?:so|but|just|only|hence|therefore)\\s)?(?=\\S)`,
  'g',
);

/** "AでもBでもなく、" */
const EXCLUDED_JAPANESE = /でもなくて?、?\s?/gu;
const ENDS = /^(?:です|だ|である)?[.!。]?(?:$|\n)/u;

/** The label that is left at the end of a sentence which names the others with "not". */
export function leftClaims(reading: Reading): readonly Claim[] {
  const excluded = [EXCLUDED, EXCLUDED_JAPANESE].flatMap((pattern) => lastMatches(reading.lower, pattern));
  return excluded.flatMap((found) => {
    const claim = namedClaim(reading, found.index + found[0].length);
    if (claim === null || !isSingle(claim)) return [];
    return ENDS.test(textAfter(reading.text, claim.end, 6)) ? [claim] : [];
  });
}
