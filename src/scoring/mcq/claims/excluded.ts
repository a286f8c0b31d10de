import { lastMatches } from '../last-matches.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import type { Claim } from './claim.ts';
import { isSingle } from './claim.ts';
import { namedClaim } from './claim-at.ts';

const ITEM = '(?:not|nor|neither|nicht|pas|no)\\s(?:option\\s)?[("\']?(?:\\p{L}|\\d{1,2})[)"\']?';
/** "Not A, not B, not D - C." */
const EXCLUDED = pattern(
  `(?<=^|[.!?\\n]\\s?)${ITEM}(?:[,;]?\\s(?:and\\s|or\\s)?${ITEM}){0,12}\\s?(?:[,;:-]{1,2}|->)\\s(?:(?:so|but|just|only|hence|therefore)\\s)?(?=\\S)`,
  'g',
);

/** "AでもBでもなく、" */
const EXCLUDED_JAPANESE = /(?:(?:\p{Script=Latin}|\d{1,2})でも){1,12}な(?:く|くて)、?\s?/gu;

/** The label that is left at the end of a sentence which names the others with "not". */
export function leftClaims(reading: Reading): readonly Claim[] {
  const excluded = [EXCLUDED, EXCLUDED_JAPANESE].flatMap((pattern) => lastMatches(reading.lower, pattern));
  return excluded.flatMap((found) => {
    const at = found.index + found[0].length;
    const claim = namedClaim(reading, at);
    const ends =
      claim !== null && /^[)"'\]]?(?:です|だ|である)?[.!。]?\s*(?:$|\n)/u.test(textAfter(reading.text, claim.end, 6));
    return claim !== null && ends && isSingle(claim) && claim.by === 'label' ? [claim] : [];
  });
}
