import type { Claim } from '../claims/claim.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const REFUSAL = new RegExp(anyOf('unsure', 'declined'), 'gu');

/** The agent declines to answer or says that it does not know. */
export const refusal: Step = {
  name: 'refusal',
  claims: (reading) =>
    [...reading.lower.matchAll(REFUSAL)].map(
      (found): Claim => ({
        value: { kind: 'refusal' },
        start: found.index,
        end: found.index + found[0].length,
        by: 'text',
      }),
    ),
};
