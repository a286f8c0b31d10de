import type { Claim } from '../claims/claim.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isDeniedAfter } from '../claims/negation.ts';
import { inOrder } from '../labels.ts';
import type { Step } from './step.ts';

/** Where several may be right: the options that have a line of their own, if some have none. */
export const selectedLines: Step = {
  name: 'options listed',
  claims: (reading) => {
    const { labels, multiple } = reading.question;
    if (multiple !== true) return [];
    const lines = mentionsOf(reading).filter((mention) => mention.leadsLine && mention.labels.length === 1);
    const chosen = inOrder(
      lines.filter((line) => !isDeniedAfter(reading, line.end)).flatMap((line) => line.labels),
      labels.ordered,
    );
    const first = lines[0];
    const last = lines.at(-1);
    if (first === undefined || last === undefined || chosen.length < 2 || chosen.length >= labels.ordered.length)
      return [];
    return [
      { value: { kind: 'labels', labels: chosen }, start: first.start, end: last.end, by: 'label' } satisfies Claim,
    ];
  },
};
