import { isOtherNamedAfter } from '../claims/guesses.ts';
import { type Mention, mentionsOf } from '../claims/mentions.ts';
import { isDeniedAfter } from '../claims/negation.ts';
import { isWeighedAt } from '../claims/tentative.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { found } from './found.ts';
import type { Step } from './step.ts';

const TORN_BEFORE = pattern(`${anyOf('torn')}\\s?(?:${anyOf('between', 'option')}\\s?){0,2}["'(]?$`);

/** "I am torn between A and C", "A und B scheinen plausibel": options are weighed, and none is chosen after that. */
export const weighed: Step = {
  name: 'options only weighed',
  weak: true,
  claims: (reading) => {
    const sets = mentionsOf(reading).filter((mention) => isWeighed(reading, mention));
    const last = sets.at(-1);
    if (last === undefined || isOtherNamedAfter(reading, last.end, last.labels)) return [];
    return [found({ kind: 'hedge', labels: last.labels }, last.start, last.end)];
  },
};

/** "A, B, C or D" names the question. */
function isWeighed(reading: Reading, { labels, hedged, from, end }: Mention): boolean {
  const all = reading.question.labels.ordered.length;
  if (labels.length < 2 || (labels.length > 2 && labels.length === all) || isDeniedAfter(reading, end)) return false;
  const before = textBefore(reading.lower, from, 40);
  return hedged || TORN_BEFORE.test(before) || isWeighedAt(reading, end);
}
