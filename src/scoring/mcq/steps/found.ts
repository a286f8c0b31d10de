import type { Claim, ClaimValue } from '../claims/claim.ts';
import type { Reading } from '../reading.ts';

/** What a step has found from one place to another. */
export function found(value: ClaimValue, start: number, end: number): Claim {
  return { value, start, end, by: 'text' };
}

/** Where the words of an output start. */
export function startOf({ text }: Reading): number {
  return text.search(/[^\s"'(]/u);
}
