import type { SampleResult } from '../types.ts';
import { hasTarget, isGraded } from './states.ts';
import { sumAnyOrder } from './sum.ts';

/**
 * Mean partial credit by its name over the graded results, 0 for one that has none (an error, a time-out). Null when no
 * result has any, and while anything graded is not run.
 */
export function averagePartial(results: readonly SampleResult[]): Readonly<Record<string, number>> | null {
  const graded = results.filter(isGraded);
  const given = graded.map(({ partial }) => partial).filter((partial) => partial !== undefined);
  if (given.length === 0 || results.some((result) => hasTarget(result) && !isGraded(result))) return null;
  const credits = Map.groupBy(
    given.flatMap((partial) => Object.entries(partial)),
    ([name]) => name,
  );
  return Object.fromEntries(
    [...credits].map(([name, entries]) => [name, sumAnyOrder(entries.map(([, credit]) => credit)) / graded.length]),
  );
}
