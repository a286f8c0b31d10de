import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';

const ONE_OF =
  /(?<!\p{L})(?:(?:one|either|neither|none|which|any) of|eine[rs]? von|un[aeo] (?:de|di|tra|fra|entre)|uma? de)\s(?:the\s)?$/u;

/** "Only one of B and D is right", "neither of B and D": what is said of a list is not said of each option in it. */
export function isOneOf({ lower }: Reading, from: number): boolean {
  return ONE_OF.test(textBefore(lower, from, 20));
}
