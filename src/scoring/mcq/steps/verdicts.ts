import type { Claim } from '../claims/claim.ts';
import { confirmedClaims } from '../claims/confirmed.ts';
import { labelsOf } from '../claims/labels-of.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isDeniedAfter } from '../claims/negation.ts';
import { inOrder } from '../labels.ts';
import type { Step } from './step.ts';

/** "A is right, and D is right too." Where only one option is right, a later step decides between them. */
export const verdicts: Step = {
  name: 'several confirmed',
  claims: (reading) => {
    const { labels, multiple } = reading.question;
    const right = confirmedClaims(reading).filter(({ value }) => value.kind === 'labels');
    const chosen = inOrder(right.flatMap(labelsOf), labels.ordered);
    const denied = mentionsOf(reading).filter((mention) => isDeniedAfter(reading, mention.end));
    const wrong = new Set(denied.flatMap((mention) => mention.labels));
    const isTold = chosen.length > 1 && (multiple === true || (multiple === undefined && wrong.size > 1));
    return isTold ? right.map((each): Claim => ({ ...each, value: { kind: 'labels', labels: chosen } })) : [];
  },
};
