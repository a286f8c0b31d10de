import type { Claim } from './claim.ts';

/** The labels that a claim is about: what it chooses, weighs or contradicts. */
export function labelsOf({ value }: Claim): readonly string[] {
  return 'labels' in value ? value.labels : [];
}
