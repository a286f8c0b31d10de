import { compareSides } from './compare-sides.ts';
import type { RunComparison } from './comparison.ts';
import { findPartner, nameSide } from './find-partner.ts';
import type { ComparedRun } from './read-run.ts';

/** Compares run b with baseline a, suite by suite and agent by agent; what has no counterpart is named. */
export function compareRuns(a: ComparedRun, b: ComparedRun): RunComparison {
  const matches = b.sides.map((side) => ({ side, partner: findPartner(side, a.sides, b.sides) }));
  const partners = new Set(matches.map(({ partner }) => partner));
  const alone = a.sides.filter((side) => !partners.has(side));
  return {
    version: 1,
    a: a.name,
    b: b.name,
    suites: matches.flatMap(({ side, partner }) => (typeof partner === 'string' ? [] : [compareSides(partner, side)])),
    not_compared: [
      ...(a.folder === b.folder ? ['A and B are the same run.'] : []),
      ...matches.flatMap(({ partner }) => (typeof partner === 'string' ? [partner] : [])),
      ...alone.map((side) => `${nameSide(side)} of A is not compared: B has no counterpart.`),
      ...describeTorn('A', a),
      ...describeTorn('B', b),
    ],
  };
}

function describeTorn(name: string, { unreadable }: ComparedRun): readonly string[] {
  if (unreadable === 0) return [];
  return [`${name} has torn lines in samples.jsonl (${unreadable}): their trials count as not run.`];
}
