import type { Claim } from '../claims/claim.ts';
import type { Reading } from '../reading.ts';

/** One way in which outputs tell their answer. */
export type Step = {
  /** What reports print as `how`. */
  readonly name: string;
  /** Whether the step needs no more than a guess; such a step is not tried on a text that was cut off. */
  readonly weak?: true;
  /** Every place that tells an answer in this way, in the order of the text; the last one counts. */
  claims(reading: Reading): readonly Claim[];
};
