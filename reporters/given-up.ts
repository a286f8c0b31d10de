import type { Exit } from '../src/metrics/exit-code.ts';

/** The end of a run of which no whole report can be made; what was answered until then is in the cache. */
export function toGivenUp(problem: string, remedy: string): Exit {
  const reason = `exit 1: ${problem}. ${remedy}, and run again: answers that were kept are not asked again.`;
  return { code: 1, reason };
}
