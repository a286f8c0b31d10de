import { plural } from '../text/plural.ts';
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
      ...describeRows('A', a),
      ...describeRows('B', b),
    ],
  };
}

function describeRows(name: string, { unreadable, repeated }: ComparedRun): readonly string[] {
  const torn = `${name} has torn lines in samples.jsonl (${unreadable}): their trials count as not run.`;
  const several = `${name} has several rows of ${plural(repeated, 'trial')} in samples.jsonl: the last row counts.`;
  return [...(unreadable > 0 ? [torn] : []), ...(repeated > 0 ? [several] : [])];
}
