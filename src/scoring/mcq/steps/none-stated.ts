import { isAnswerAbsent } from '../claims/absence.ts';
import { isAfterRefusal } from '../claims/refusals.ts';
import { sentenceEnd } from '../claims/sentence.ts';
import { lastMatches } from '../last-matches.ts';
import { pattern } from '../pattern.ts';
import { anyOf } from '../words/any-of.ts';
import { found } from './found.ts';
import type { Step } from './step.ts';

/** "None of the options can be ruled out" leaves the answer open. */
const STILL_OPEN =
  '(?:\\p{L}+ly )?(?:determined|decided|chosen|selected|verified|evaluated|identified|confirmed|ruled out|excluded|eliminated)';
const NONE = pattern(
  `${anyOf('none')}(?!\\s{1,2}(?:other|remaining|rest|except|questions?|requests?|topics?|can be (?:${STILL_OPEN})))`,
  'g',
);
const ALL = pattern(`${anyOf('all')}(?!\\s{1,2}(?:except|but|other|save|listed|have|has|can|could|may|in|of))`, 'g');
const RIGHT = pattern(anyOf('right', 'applies'));

/** "None of the options is correct", "all of the above are true", without the word "answer". */
export const noneStated: Step = {
  name: 'none or all stated',
  weak: true,
  claims: (reading) => {
    const none = lastMatches(reading.lower, NONE)
      .map((none) => found({ kind: 'none' }, none.index, none.index + none[0].length))
      .filter(({ start, end }) => isAnswerAbsent(reading, start, end) && !isAfterRefusal(reading, start));
    const all = lastMatches(reading.lower, ALL)
      .map((all) => found({ kind: 'all' }, all.index, all.index + all[0].length))
      .filter(({ start, end }) => {
        const rest = reading.lower.slice(end, sentenceEnd(reading.lower, end, 60));
        return (rest === '' || RIGHT.test(rest)) && !isAfterRefusal(reading, start);
      });
    return [...none, ...all].toSorted((a, b) => a.start - b.start);
  },
};
