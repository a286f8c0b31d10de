import { hash } from 'node:crypto';
import type { PairVerdicts, SampleResult } from '../words/row.ts';
import { toText } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import { isOfVariant, pickVariant, type Variant } from '../words/variant.ts';
import { groupBy, groupByCluster, sumAnyOrder } from './groups.ts';
import { computePairedInterval, type Interval } from './intervals.ts';
import { agree } from './paired-comparison.ts';
import { signFlipTest } from './paired-test.ts';

/** Whose answers judges prefer, in pairs of answers to one question, trial with trial. */
export type Preference = Readonly<{
  /** All pairs: the sum of wins, ties, losses, no_verdict, not_asked and missing. */
  pairs: number;
  /** Of b. */
  wins: number;
  ties: number;
  losses: number;
  /** Ties of which a judge named another answer when the order was reversed. */
  turned: number;
  /** Ties of answers that are equal: nobody was asked. */
  equal: number;
  /** Pairs on which judges failed or could not tell. */
  no_verdict: number;
  /** Pairs whose judges were not asked, as the run had stopped. */
  not_asked: number;
  /** Pairs of which an answer is missing, and on which side. */
  missing: number;
  missing_a: number;
  missing_b: number;
  /** Questions with a judged pair, and their clusters; absent where none has a cluster. */
  questions: number;
  clusters?: number;
  /** Mean over questions of (wins - losses) / judged trials: 1 if b always wins, -1 if a does. */
  difference: number | null;
  ci95: Interval | null;
  /** Two-sided sign-flip test over questions, or their clusters. */
  p_value: number | null;
  exact: boolean;
  /** Why the first of those without a verdict, or not asked, has none; absent where it is hidden. */
  why?: string | undefined;
  /** Who judged. */
  models: readonly string[];
  /**
   * Of all verdicts, in US dollars; null if the cost of some is not known. Of comparisons that stand
   * together, a verdict that several share counts in the first.
   */
  cost_usd: number | null;
  /** The sum of those that are known; present if others are not. */
  cost_at_least_usd?: number;
  /** What was paid by the run that asked last; present if it is known, and some verdicts were known before. */
  new_cost_usd?: number;
}>;

/** One side: its rows, and what those of the other side call it. */
type Side = Variant &
  Readonly<{ run: string; prefers?: boolean; results: readonly SampleResult[] }>;

/**
 * Null where no answers of these sides were judged in pairs. `paid` has the verdicts whose cost another
 * comparison has; these are added.
 */
export function computePreference(
  a: Side,
  b: Side,
  paid: Set<string> = new Set(),
): Preference | null {
  const isOfRun = a.run === b.run;
  const before = groupBy(a.results, toTrialKey);
  const pairs = b.results.flatMap((row) => {
    const [other] = before.get(toTrialKey(row)) ?? [];
    return other === undefined ? [] : [{ row, other, found: findVerdicts(row, other, isOfRun) }];
  });
  const isReplaced = ({ row, other }: (typeof pairs)[number]) =>
    !isOfRun && (metBaseline(row, a) || metBaseline(other, b));
  const hasPlan = isOfRun ? b.prefers === true : pairs.some(isReplaced);
  if (pairs.length === 0 || !(hasPlan || pairs.some(({ found }) => found !== null))) return null;
  const ends = pairs.map((pair) => ({ ...pair, end: toEnd(pair) }));
  const count = (keeps: (pair: (typeof ends)[number]) => boolean) => ends.filter(keeps).length;
  const all = pairs.flatMap(({ found }) => found ?? []);
  const why = pairs
    .flatMap((pair) => (pair.found ? listFaults(pair.found) : isReplaced(pair) ? [REPLACED] : []))
    .find(Boolean);
  return {
    pairs: pairs.length,
    wins: count(({ end }) => end === 'win'),
    ties: count(({ end }) => end === 'tie'),
    losses: count(({ end }) => end === 'loss'),
    turned: count(({ found }) => found?.tie === 'turned'),
    equal: count(({ found }) => found?.tie === 'equal'),
    no_verdict: count(({ end }) => end === 'no_verdict'),
    not_asked: count(({ end }) => end === 'not_asked'),
    missing: count(({ end }) => end === 'missing'),
    missing_a: count(({ end, other }) => end === 'missing' && isMissing(other)),
    missing_b: count(({ end, row }) => end === 'missing' && isMissing(row)),
    ...testQuestions(ends),
    ...(why === undefined ? {} : { why }),
    models: [...new Set(all.flatMap(({ models }) => models))],
    ...computeCost(all, paid),
  };
}

/** Equal answers share their verdicts: each is paid once. */
function computeCost(
  all: readonly PairVerdicts[],
  paid: Set<string>,
): Pick<Preference, 'cost_usd' | 'cost_at_least_usd' | 'new_cost_usd'> {
  const toKey = ({ models, asked_hashes }: PairVerdicts) =>
    JSON.stringify([models, asked_hashes.toSorted()]);
  const costs = [...groupBy(all, toKey)].flatMap(([key, same]) => {
    if (paid.has(key)) return [];
    paid.add(key);
    return same.find(({ cost_usd }) => cost_usd !== null)?.cost_usd ?? null;
  });
  const known = sumAnyOrder(costs.filter((cost) => cost !== null));
  const added = all.map(({ cost_usd, new_cost_usd = cost_usd }) => new_cost_usd);
  const fresh = added.filter((cost) => cost !== null);
  const isPart = all.some(({ new_cost_usd }) => new_cost_usd !== undefined);
  return {
    ...(costs.includes(null) ? { cost_usd: null, cost_at_least_usd: known } : { cost_usd: known }),
    ...(isPart && fresh.length === added.length ? { new_cost_usd: sumAnyOrder(fresh) } : {}),
  };
}

/** A question may have changed between two runs. */
function toTrialKey({
  id,
  trial,
  question_hash,
}: Pick<SampleResult, 'id' | 'trial' | 'question_hash'>): string {
  return JSON.stringify([id, trial, question_hash]);
}

/**
 * What judges said of two rows, as that of the first; it is in the row that came later. Of a baseline the
 * answer decides, not the name of its folder, which may be renamed or hold another run by now.
 */
function findVerdicts(row: SampleResult, other: SampleResult, isOfRun: boolean) {
  const find = ({ pairs = [] }: SampleResult, rival: SampleResult) =>
    pairs.find(
      (pair) =>
        isOfRun === (pair.other.run === undefined) &&
        isOfVariant(pair.other, rival) &&
        pair.other_hash === hashAnswer(rival),
    );
  const found = find(row, other);
  if (found !== undefined) return found;
  const reversed = find(other, row);
  return reversed === undefined ? null : reversePair(reversed, other);
}

/** Distinguishes the answers of an agent to a question in several runs. */
export function hashAnswer({ output }: Pick<SampleResult, 'output'>): string {
  return hash('sha256', JSON.stringify(output)).slice(0, 16);
}

const REPLACED = 'It was judged beside another answer, of another baseline.';

/** Whether an answer was judged beside that of a variant of a baseline, whichever run that was. */
function metBaseline({ pairs = [] }: SampleResult, of: Variant): boolean {
  return pairs.some(({ other: { run, ...other } }) => run !== undefined && isOfVariant(other, of));
}

/**
 * Finds what judges said of an answer of a run beside others, as that of this answer: it is in the row of
 * the one that came later.
 */
export function indexPairs(
  rows: readonly SampleResult[],
): (row: SampleResult) => readonly PairVerdicts[] {
  const toKey = ({ suite, ...row }: SampleResult) => JSON.stringify([suite, toTrialKey(row)]);
  const judged = groupBy(
    rows.filter(({ pairs }) => pairs !== undefined),
    toKey,
  );
  if (judged.size === 0) return () => [];
  return (row) => {
    const later = (judged.get(toKey(row)) ?? []).flatMap((other) =>
      (other.pairs ?? [])
        .filter((pair) => pair.other.run === undefined && isOfVariant(pair.other, row))
        .map((pair) => reversePair(pair, other)),
    );
    return [...(row.pairs ?? []), ...later];
  };
}

/** What judges said of two answers, as that of the other one. `row` has it. */
function reversePair(pair: PairVerdicts, row: SampleResult): PairVerdicts {
  const { outcome, verdicts, reasons } = pair;
  return {
    ...pair,
    other: pickVariant(row),
    other_hash: hashAnswer(row),
    outcome: outcome && REVERSED[outcome],
    verdicts: verdicts.map(([own, other]) => [other, own] as const),
    reasons: reasons.map(([own, other]) => [other, own] as const),
  };
}

const REVERSED = { win: 'loss', tie: 'tie', loss: 'win' } as const;

type Pair = Readonly<{
  row: SampleResult;
  other: SampleResult;
  found: Pick<PairVerdicts, 'outcome' | 'verdicts'> | null;
}>;

type End = 'win' | 'tie' | 'loss' | 'no_verdict' | 'not_asked' | 'missing';

function toEnd({ row, other, found }: Pair): End {
  if (found === null) return isMissing(row) || isMissing(other) ? 'missing' : 'not_asked';
  if (found.outcome !== null) return found.outcome;
  return found.verdicts.flat().includes('not_asked') ? 'not_asked' : 'no_verdict';
}

/** Why judges named no answer, in their order. */
function listFaults({ verdicts, reasons }: PairVerdicts): readonly string[] {
  return verdicts.flatMap((both, judge) =>
    both.flatMap((verdict, order) =>
      verdict === 'error' || verdict === 'not_asked' ? (reasons[judge]?.[order] ?? []) : [],
    ),
  );
}

/** Whether there is nothing that a judge could read. */
function isMissing({ output }: SampleResult): boolean {
  return output === null || withoutThoughts(toText(output)).trim() === '';
}

const POINTS = { win: 1, tie: 0, loss: -1 } as const;

function testQuestions(ends: readonly (Pair & { readonly end: End })[]) {
  const judged = ends.flatMap(({ row, end }) => {
    if (end === 'missing' || end === 'not_asked' || end === 'no_verdict') return [];
    return [{ id: row.id, cluster: row.cluster, points: POINTS[end] }];
  });
  const questions = [...groupBy(judged, ({ id }) => id).values()].map((trials) => {
    const numerator = trials.reduce<number>((sum, { points }) => sum + points, 0);
    const denominator = trials.length;
    return { numerator, denominator, value: numerator / denominator, cluster: trials[0].cluster };
  });
  const { length } = questions;
  if (length === 0)
    return { questions: 0, difference: null, ci95: null, p_value: null, exact: true };
  const isClustered = questions.some(({ cluster }) => cluster !== undefined);
  const difference = questions.reduce((sum, { value }) => sum + value, 0) / length;
  const test = signFlipTest(questions);
  return {
    questions: length,
    ...(isClustered ? { clusters: groupByCluster(questions).length } : {}),
    ...agree({ difference, ci95: computePairedInterval(questions) }, test.p_value),
    ...test,
  };
}
