import { ledClaims } from '../claims/answer-leads.ts';
import { boxedClaims } from '../claims/boxed.ts';
import { correctedClaims } from '../claims/corrections.ts';
import type { Step } from './step.ts';

/** "Answer: B" on a line of its own, a boxed answer, a correction of what was said before. */
export const answerLine: Step = {
  name: 'answer line',
  claims: (reading) => {
    const led = ledClaims(reading).filter((claim) => !claim.conditional);
    const lines = led.filter((claim) => claim.onLine && (claim.by === 'label' || claim.value.kind !== 'labels'));
    return [...lines, ...boxedClaims(reading), ...correctedClaims(reading, led)].toSorted((a, b) => a.start - b.start);
  },
};
