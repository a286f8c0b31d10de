import { hasRun } from '../states.ts';
import type { SampleResult } from '../types.ts';
import { type ComparedSide, compareSides, type SuiteComparison } from './compare-runs.ts';

/** What the watch runs of one Vitest process have left so far. */
export type Turns = {
  readonly count: number;
  /** Rows of samples.jsonl at the end of the last turn: what follows them is new. */
  readonly rows: number;
  /** What ran in which turn, the latest last. A side is dropped when all of its questions ran again. */
  readonly sides: readonly ComparedSide[];
};

export const NO_TURNS: Turns = { count: 0, rows: 0, sides: [] };

/**
 * Compares this turn with the latest earlier turn that had all of its questions, or else with the turn before. Answers of
 * different turns are never pooled: no comparison mixes two prompts.
 */
export function compareTurn(
  earlier: Turns,
  sides: readonly ComparedSide[],
  rows: number,
): { readonly turns: Turns; readonly comparisons: readonly SuiteComparison[] } {
  const count = earlier.count + 1;
  const ran = sides.map((side) => ({ ...side, run: `turn ${count}` })).filter((side) => idsOf(side).size > 0);
  const comparisons = ran.flatMap((side) => {
    const own = earlier.sides.filter((old) => isSameSubject(old, side));
    const reference = own.findLast((old) => covers(old, side)) ?? own.at(-1);
    return reference === undefined ? [] : [compareSides(reference, side)];
  });
  const kept = earlier.sides.filter((old) => !ran.some((side) => isSameSubject(old, side) && covers(side, old)));
  return { turns: { count, rows, sides: [...kept, ...ran] }, comparisons };
}

/** The results whose row was written in this turn: others are left from earlier ones. */
export function selectNew(
  results: readonly SampleResult[],
  rows: readonly SampleResult[],
  { rows: known }: Turns,
): readonly SampleResult[] {
  const written = new Set(rows.slice(known));
  return results.filter((result) => written.has(result));
}

function isSameSubject(a: ComparedSide, b: ComparedSide): boolean {
  return a.suite === b.suite && a.dataset === b.dataset && a.agent === b.agent;
}

function covers(whole: ComparedSide, part: ComparedSide): boolean {
  return idsOf(part).isSubsetOf(idsOf(whole));
}

function idsOf({ results }: ComparedSide): ReadonlySet<string> {
  return new Set(results.filter(hasRun).map(({ id }) => id));
}
