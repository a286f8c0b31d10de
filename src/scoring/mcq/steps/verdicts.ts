import type { Claim } from '../claims/claim.ts';
import { confirmedClaims, markBefore } from '../claims/confirmed.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isDeniedAfter } from '../claims/negation.ts';
import { inOrder } from '../labels.ts';
import type { Reading } from '../reading.ts';
import type { Step } from './step.ts';

/** Every option judged in turn: "A is incorrect. B: correct. C ✗ ...". What is called correct is the answer. */
export const verdicts: Step = {
  name: 'verdict on each option',
  claims: (reading) => {
    const { labels, multiple } = reading.question;
    const right = confirmedClaims(reading).filter((claim) => claim.value.kind === 'labels');
    const chosen = inOrder(
      right.flatMap((claim) => ('labels' in claim.value ? claim.value.labels : [])),
      labels.ordered,
    );
    const judged = new Set([...chosen, ...deniedLabels(reading)]);
    const whole = judged.size >= Math.max(2, Math.min(3, labels.ordered.length));
    const last = right.at(-1);
    const accepted =
      chosen.length === 1
        ? whole
        : chosen.length > 1 &&
          (multiple === true || (multiple === undefined && whole && judged.size > chosen.length + 1));
    if (!accepted || last === undefined) return [];
    return [
      { value: { kind: 'labels', labels: chosen }, start: last.start, end: last.end, by: 'label' } satisfies Claim,
    ];
  },
};

function deniedLabels(reading: Reading): readonly string[] {
  return mentionsOf(reading).flatMap((mention) =>
    isDeniedAfter(reading, mention.end) || markBefore(reading, mention) === '✗' ? mention.labels : [],
  );
}
