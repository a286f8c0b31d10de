import type { SuiteComparison } from '../src/figures/compare-runs.ts';
import type { Preference } from '../src/figures/preference.ts';
import { formatDollars } from '../src/words/amounts.js';
import { findModel } from '../src/words/audience.ts';
import type { PairVerdicts } from '../src/words/row.ts';
import { cut, lineIf, listUp, partOf, plural } from '../src/words/show.ts';
import { nameVariant } from '../src/words/variant.ts';
import { describeP, formatPoints, formatPointsInterval } from './comparison.ts';
import { type Table, toTable } from './tables.ts';

/** A comparison as the tables name it: "large against small". */
export type NamedPair = Readonly<{
  name: string;
  a: string;
  b: string;
  comparison: SuiteComparison;
}>;

/** Whose answers judges prefer, a row for each pair of agents or prompts; null where none were judged. */
export function toPreferenceTable(pairs: readonly NamedPair[]): Table | null {
  const rows = pairs.flatMap(({ name, comparison: { preference } }) => {
    if (preference === undefined) return [];
    const { wins, ties, losses, difference, ci95, p_value } = preference;
    return [
      [
        name,
        ...[wins, ties, losses].map(String),
        formatPoints(difference),
        formatPointsInterval(ci95),
        p_value === null ? '-' : describeP(p_value, preference),
      ],
    ];
  });
  return rows.length === 0 ? null : toTable(HEAD, rows, ['preferred', 'test']);
}

const HEAD = ['preferred', 'wins', 'ties', 'losses', 'wins - losses', '95 % interval', 'test'];

/** What else is known of these pairs: who judged, and which ties are no judge's own. */
export function toPreferenceLines(pairs: readonly NamedPair[]): readonly string[] {
  const judged = pairs.flatMap(({ comparison: { preference } }) => preference ?? []);
  const models = [...new Set(judged.flatMap((each) => each.models))];
  const who = `preferred by ${listUp(models)}, asked about each pair in both orders${describeCost(judged)}`;
  return [
    ...lineIf(models.length > 0, who),
    ...pairs.flatMap(describeTies),
    ...new Set(pairs.flatMap(describeOwnModels)),
  ];
}

/** ", which cost $1.24 ($0.94 of it new)"; '' if none of it is known, or nothing was paid. */
function describeCost(judged: readonly Preference[]): string {
  const add = (costs: readonly number[]) => costs.reduce((sum, each) => sum + each, 0);
  const isWhole = judged.every(({ cost_usd }) => cost_usd !== null);
  const cost = add(
    judged.map(({ cost_usd, cost_at_least_usd = 0 }) => cost_usd ?? cost_at_least_usd),
  );
  if (cost === 0) return '';
  const added = judged.flatMap(({ cost_usd, new_cost_usd }) => new_cost_usd ?? cost_usd ?? []);
  const [all, fresh] = [cost, add(added)].map(formatDollars);
  const isPart = added.length === judged.length && fresh !== all;
  return `, which cost ${isWhole ? '' : 'at least '}${all}${isPart ? ` (${fresh} of it new)` : ''}`;
}

function describeTies({ name, comparison: { preference } }: NamedPair): readonly string[] {
  const { ties = 0, turned = 0, equal = 0 } = preference ?? {};
  const odd = [
    ...lineIf(turned > 0, `${turned} turned with the order`),
    ...lineIf(equal > 0, `${equal} of equal answers`),
  ];
  return lineIf(odd.length > 0, `${name}: of ${plural(ties, 'tie')} ${odd.join(', ')}`);
}

/** A judge of an answer of its own model is no stranger to both. */
function describeOwnModels({ a, b, comparison }: NamedPair): readonly string[] {
  const sides = [
    { name: a, models: comparison.a.models },
    { name: b, models: comparison.b.models },
  ];
  return (comparison.preference?.models ?? []).flatMap((judge) =>
    sides
      .filter(({ models }) => models.includes(findModel(judge) ?? judge))
      .map(({ name }) => `${judge} judges answers of ${name}, its own model, which it may prefer`),
  );
}

/** How many pairs were not judged, and why. */
export function describeNotJudged({
  name,
  a,
  b,
  comparison: { preference },
}: NamedPair): readonly string[] {
  if (preference === undefined) return [];
  const { pairs, missing, missing_a, missing_b, no_verdict, not_asked, why = '' } = preference;
  const both = missing_a + missing_b - missing;
  const open = [
    ...lineIf(missing_a > both, `${missing_a - both} without an answer of ${a}`),
    ...lineIf(missing_b > both, `${missing_b - both} without an answer of ${b}`),
    ...lineIf(both > 0, `${both} without any answer`),
    ...lineIf(no_verdict > 0, `${no_verdict} without a verdict`),
    ...lineIf(not_asked > 0, `${not_asked} whose judges were not asked`),
  ];
  const left = missing + no_verdict + not_asked;
  const first = why === '' ? '' : ` (first: ${cut(why.replaceAll(/\s+/g, ' ').trim(), 160)})`;
  const text = `${name}: ${partOf(left, pairs, 'pair', 'is', 'are')} not judged: ${open.join(', ')}${first}`;
  return lineIf(left > 0, text);
}

/**
 * What judges said of an answer beside another one: the head, and of each judge in each order its name
 * with that order, what it said and why.
 */
export function describePair({ other, outcome, tie, models, verdicts, reasons }: PairVerdicts) {
  const run = other.run === undefined ? '' : ` of ${other.run}`;
  const orders = [{ first: 'this', second: 'other' } as const, { first: 'other', second: 'this' }];
  const said = models.flatMap((name, judge) =>
    orders.map((places, order) => {
      const verdict = verdicts[judge]?.[order] ?? '';
      const better = verdict === 'first' || verdict === 'second' ? `${places[verdict]} answer` : '';
      const shown = `${name}, with ${order === 0 ? 'this' : 'the other'} answer first`;
      return [shown, better || verdict, reasons[judge]?.[order] ?? ''] as const;
    }),
  );
  const why = tie === 'equal' ? ', equal answers' : tie === 'turned' ? ', turned' : '';
  const head = `this answer beside that of ${nameVariant(other)}${run}: ${outcome ?? 'no verdict'}${why}`;
  return { head, said };
}
