import { ledClaims } from '../claims/answer-leads.ts';
import { chosenClaims } from '../claims/chosen.ts';
import { confirmedClaims } from '../claims/confirmed.ts';
import { exceptionClaims } from '../claims/exceptions.ts';
import type { Step } from './step.ts';

/** "The answer is B", "I would choose B", "B is the correct option", "A and C are correct". */
export const statement: Step = {
  name: 'statement',
  claims: (reading) => {
    const led = ledClaims(reading).filter(
      (claim) => !claim.conditional && (claim.by === 'label' || claim.value.kind !== 'labels'),
    );
    const confirmed = confirmedClaims(reading).filter((claim) => claim.firm);
    return [
      ...exceptionClaims(reading),
      ...led,
      ...chosenClaims(reading).filter((claim) => claim.by === 'label'),
      ...confirmed,
    ].toSorted((a, b) => a.start - b.start);
  },
};
