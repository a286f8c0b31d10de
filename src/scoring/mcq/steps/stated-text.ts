import { ledClaims } from '../claims/answer-leads.ts';
import { chosenClaims } from '../claims/chosen.ts';
import type { Step } from './step.ts';

/** "The answer is" followed by the text of an option, without its label. */
export const statedText: Step = {
  name: 'stated option text',
  claims: (reading) =>
    [...ledClaims(reading), ...chosenClaims(reading)]
      .filter((claim) => claim.by === 'text')
      .toSorted((a, b) => a.start - b.start),
};
