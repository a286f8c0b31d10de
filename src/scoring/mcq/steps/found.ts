import type { Claim, ClaimValue } from '../claims/claim.ts';

/** What a step has found from one place to another. */
export function found(value: ClaimValue, start: number, end: number): Claim {
  return { value, start, end, by: 'text' };
}
