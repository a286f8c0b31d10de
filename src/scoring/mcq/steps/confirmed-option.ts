import { concludedClaims } from '../claims/concluded.ts';
import { confirmedClaims } from '../claims/confirmed.ts';
import { leftClaims } from '../claims/excluded.ts';
import type { Step } from './step.ts';

/** "Option B is correct", "it's B", "closest to (G)", "leaving D". */
export const confirmedOption: Step = {
  name: 'confirmed option',
  claims: (reading) =>
    [...confirmedClaims(reading), ...concludedClaims(reading), ...leftClaims(reading)].toSorted(
      (a, b) => a.start - b.start,
    ),
};
