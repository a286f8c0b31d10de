import { type Change, listChangedIds } from '../src/figures/changed-answers.ts';
import type { SuiteComparison } from '../src/figures/compare-runs.ts';
import { nameEdits } from '../src/figures/comparison-facts.ts';
import { MIN_CLUSTERS } from '../src/figures/detectable-drop.ts';
import {
  type Comparison,
  type ScoreDifference,
  SIGNIFICANT,
} from '../src/figures/paired-comparison.ts';
import { formatPercent } from '../src/words/amounts.js';
import type { SuiteSummary } from '../src/words/figures.ts';
import { formatMeans } from '../src/words/percent.ts';
import { lineIf, listIds, plural } from '../src/words/show.ts';
import { isOfVariant, nameVariant, type Variant } from '../src/words/variant.ts';
import { formatRate, formatScore } from './format-figures.ts';
import { nameColumns, type Table, toTable } from './tables.ts';
import { type Line, toLines } from './terminal.ts';

/**
 * Accuracy of both runs by group as text cells: a head row, the groups, then all questions
 * together, the groups of further groupings, and the named scores.
 */
export function toComparisonTable({ figures }: SuiteComparison): Table {
  const head = ['group', 'n', 'A', 'B', 'B - A', '95 % interval'];
  const { groups, slices = [] } = figures;
  const sliced = slices.flatMap(({ by, groups }) =>
    groups.map((row) => ({ ...row, group: `${by} ${row.group}` })),
  );
  const rows = [...groups, { group: 'all', ...figures }, ...sliced].map((row) => [
    row.group,
    ...toPairedCells({ ...row, mean_a: row.accuracy_a, mean_b: row.accuracy_b, kind: 'rate' }),
  ]);
  const scores = Object.entries(figures.scores ?? {}).map(([name, figures]) => [
    `score: ${name}`,
    ...toPairedCells(figures),
  ]);
  return toTable(head, [...rows, ...scores]);
}

/** The two runs that are compared: a line for A and a line for B. */
export function toLegend({ a, b }: SuiteComparison): readonly string[] {
  const nameSide = ({ run, models, ...variant }: SuiteComparison['a']) =>
    `${run}, ${nameVariant(variant)}${models.length === 0 ? '' : ` (${models.join(', ')})`}`;
  return [`A (baseline): ${nameSide(a)}`, `B: ${nameSide(b)}`];
}

/**
 * The lines below the table: changed verdicts, how certain the difference is, times, costs, caveats
 * and, unless `isBrief`, what else the runs differ in.
 */
export function toComparisonLines(comparison: SuiteComparison, isBrief = false): readonly Line[] {
  const { figures, facts } = comparison;
  const { questions, latency_ratio, cost_ratio } = figures;
  const flips = listFlips(comparison);
  const none = `no verdict changed on ${plural(questions, 'question')}`;
  const latency = `latency: ${formatRatio(latency_ratio ?? 0)} A's (median of the questions)`;
  const cost = `cost: ${formatRatio(cost_ratio ?? 0)} A's per trial`;
  return [
    ...toLines('note', lineIf(questions > 0 && flips.length === 0, none)),
    ...flips,
    ...toLines('note', [
      ...toTestLines(comparison),
      ...lineIf(latency_ratio !== null, latency),
      ...lineIf(cost_ratio !== null, cost),
      ...facts.filter(({ caveat }) => caveat || !isBrief).map(({ text }) => text),
    ]),
  ];
}

/** What changed since an earlier watch run, in a few lines; nothing if both share no question. */
export function toWatchLines(comparison: SuiteComparison): readonly Line[] {
  const { suite, a, b, facts, figures } = comparison;
  if (figures.p_value === null) return [];
  const edits = nameEdits(facts);
  const since = `compared with ${a.run}${edits === '' ? '' : ` (${edits})`}`;
  const subject = `${suite}, ${nameVariant(b)}: ${since}, on ${plural(figures.questions, 'question')}`;
  const flips = listFlips(comparison);
  const what = flips.length === 0 ? 'no verdict changed' : describeDifference(comparison);
  const first = `${subject}: ${[what, ...listMovedScores(figures)].join('; ')}`;
  return [...toLines('note', [first]), ...flips];
}

/** "+4.5 pp (95 % +0.5 to +8.4), p = 0.035 (0.105 for 3 pairs); 12 fixed, 3 broken". */
function describeDifference(comparison: SuiteComparison): string {
  const { figures } = comparison;
  const { difference, ci95, p_value, flips, shifts, unpaired } = figures;
  if (difference === null || ci95 === null || p_value === null) return 'none is finished in both';
  const [better, worse] = [shifts.improved.length, shifts.worsened.length];
  const { ungraded, unfinished } = unpaired;
  const interval = ci95.map(formatSigned).join(' to ');
  return [
    `${formatSigned(difference)} pp (95 % ${interval}), ${nameP(p_value, comparison)}`,
    `${flips.fixed.length} fixed, ${flips.broken.length} broken`,
    ...lineIf(better + worse > 0, `${better} better and ${worse} worse in some trials`),
    ...lineIf(
      unfinished.length > 0,
      `${plural(unfinished.length, 'question')} not finished in both`,
    ),
    ...lineIf(
      ungraded.length > 0,
      `${plural(ungraded.length, 'question')} without an expected answer`,
    ),
    ...lineIf(isTooFew(figures), `with ${nameUnits(figures)} p cannot be below ${SIGNIFICANT}`),
  ].join('; ');
}

/** "total 75.0 % to 100.0 %" for each named score whose mean changed, with digits that show it. */
function listMovedScores({ scores = {} }: Comparison): readonly string[] {
  return Object.entries(scores).flatMap(([name, { kind, mean_a: a, mean_b: b }]) => {
    // Sums of the same numbers in another order differ by less.
    if (a === null || b === null || Math.abs(a - b) < 1e-9) return [];
    return `${name} ${formatMeans(kind, a, b).join(' to ')}`;
  });
}

/** How one prompt differs from another one, as lines with "-" and "+". */
export type PromptDiff = Readonly<{ subject: string; diff: readonly string[] }>;

/** How the prompts of several comparisons differ, each pair of prompts once. */
export function listPromptDiffs(comparisons: readonly SuiteComparison[]): readonly PromptDiff[] {
  const diffs = comparisons.flatMap(({ suite, a, b, prompt_diff: diff = [] }) => {
    const [before, after] = [a, b].map(
      ({ prompt_hash, run }) => `${prompt_hash.slice(0, 8)} of ${run}`,
    );
    return diff.length === 0
      ? []
      : [{ subject: `${suite}, prompt ${before} (-) and ${after} (+):`, diff }];
  });
  return [...new Map(diffs.map((diff) => [diff.subject, diff])).values()];
}

export function toDiffLines({ subject, diff }: PromptDiff): readonly Line[] {
  const edits = diff.map((line): Line => {
    const level = line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'note';
    return { text: `  ${line}`, level };
  });
  return [...toLines('note', [subject]), ...edits];
}

/**
 * A difference of two rates in percentage points, "+6.7 pp". It gets enough digits not to look like
 * 0.
 */
export function formatPoints(difference: number | null): string {
  return difference === null ? '-' : `${formatSigned(difference)} pp`;
}

/** "-2.3 to +47.7 pp". */
export function formatPointsInterval(interval: readonly [number, number] | null): string {
  return interval === null ? '-' : `${interval.map(formatSigned).join(' to ')} pp`;
}

/**
 * A p-value, "p = 0.63", "p < 0.001" or "p = 0.035 (0.105 for 3 pairs)", and whether that is noise.
 * Rounding never moves it across 0.05.
 */
export function describeP(p: number, comparison: Pick<SuiteComparison, 'among_pairs'>): string {
  const decides = comparison.among_pairs?.p_value ?? p;
  return `${nameP(p, comparison)}: ${decides < SIGNIFICANT ? 'more than noise' : 'within noise'}`;
}

function nameP(p: number, { among_pairs: many }: Pick<SuiteComparison, 'among_pairs'>): string {
  if (many === undefined) return formatP(p);
  return `${formatP(p)} (${formatP(many.p_value).replace('p = ', '')} for ${many.pairs} pairs)`;
}

/** Whether so few signs may be flipped that each p is too large. */
function isTooFew({ questions, clusters = questions }: Comparison): boolean {
  return clusters < MIN_CLUSTERS;
}

/** "48 questions" or "12 clusters". */
function nameUnits({ questions, clusters }: Comparison): string {
  return clusters === undefined ? plural(questions, 'question') : plural(clusters, 'cluster');
}

/** "0.93 times". */
export function formatRatio(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)} times`;
}

const MOST_ANSWERS = 20;

const VERDICTS: Readonly<Record<Change, string>> = {
  broken: 'broken',
  worse: 'worse in some trials',
  fixed: 'fixed',
  better: 'better in some trials',
};

/** What changed, the bad changes first: the answers where they may be shown, then ids alone. */
export function listFlips({ figures, changed_answers = [] }: SuiteComparison): readonly Line[] {
  let room = MOST_ANSWERS;
  return listChangedIds(figures).flatMap(([change, ids]) => {
    const shown = changed_answers.filter((answer) => answer.change === change).slice(0, room);
    room -= shown.length;
    const subject = `${VERDICTS[change]} ${ids.length}:`;
    const rest = ids.slice(shown.length);
    const level = change === 'fixed' || change === 'better' ? 'good' : 'bad';
    if (shown.length === 0)
      return toLines(level, lineIf(ids.length > 0, `${subject} ${listIds(ids, 340)}`));
    return [
      ...toLines(level, [subject]),
      ...toLines(
        'note',
        shown.map(({ id, a, b, expected }) => {
          return `  ${id}: ${a} -> ${b}${expected === null ? '' : ` (expected ${expected})`}`;
        }),
      ),
      ...toLines(
        'note',
        lineIf(rest.length > 0, `  and ${rest.length} more: ${listIds(rest, 240)}`),
      ),
    ];
  });
}

/** Shares of true are compared in percentage points, means of numbers as they are. */
function toPairedCells({ questions, kind, mean_a, mean_b, difference, ci95 }: ScoreDifference) {
  const means = [mean_a, mean_b].map((mean) => formatScore({ kind, mean }));
  const isRate = kind === 'rate' || difference === null || ci95 === null;
  const cells = isRate
    ? [formatPoints(difference), formatPointsInterval(ci95)]
    : [formatChange(difference), ci95.map(formatChange).join(' to ')];
  return [String(questions), ...means, ...cells];
}

/** "+0.021". */
function formatChange(difference: number): string {
  return `${difference > 0 ? '+' : ''}${difference.toFixed(3)}`;
}

function toTestLines(comparison: SuiteComparison): readonly string[] {
  const { figures, clustered_by } = comparison;
  const { clusters, accuracy_a, p_value, exact, difference, detectable_drop } = figures;
  if (p_value === null)
    return lineIf(
      comparison.preference === undefined,
      'nothing is compared: no question is finished in both runs',
    );
  // A comparison that an older version stored names no test.
  const name = `${figures.test ?? 'sign-flip'} test`;
  const test = exact ? `exact ${name}` : `${name}, normal approximation`;
  const field = clustered_by === undefined ? '' : ` (${clustered_by})`;
  const over = clusters === undefined ? '' : ` over ${plural(clusters, 'cluster')}${field}`;
  const drop = formatPoints(-(detectable_drop ?? 0));
  const smallest = isTooFew(figures)
    ? `with ${nameUnits(figures)} p cannot be below ${SIGNIFICANT}, whatever changes: no drop would be detected`
    : detectable_drop === null
      ? `with ${nameUnits(figures)}, no drop from A's ${formatRate(accuracy_a)} would be detected`
      : `smallest drop that would be detected (80 % power): ${drop}`;
  return [
    `difference ${formatPoints(difference)}, ${describeP(p_value, comparison)} (${test}${over})`,
    smallest,
  ];
}

function formatSigned(difference: number): string {
  const sign = difference < 0 ? '-' : difference > 0 ? '+' : '';
  return `${sign}${formatPercent(Math.abs(difference)).replace(' %', '')}`;
}

function formatP(p: number): string {
  if (p < 0.001) return 'p < 0.001';
  let digits = 2;
  while (p !== SIGNIFICANT && digits < 12 && Number(p.toPrecision(digits)) === SIGNIFICANT)
    digits += 1;
  return `p = ${Number(p.toPrecision(digits))}`;
}

/** How the variants of a suite compare. */
export type SuitePairs = Readonly<{
  pairs: readonly Readonly<{
    /** "large against small", and its sides. */
    name: string;
    a: string;
    b: string;
    line: string;
    comparison: SuiteComparison;
  }>[];
  /** What to know of the pairs, a sentence each. */
  notes: readonly string[];
}>;

/**
 * The comparisons of one suite's variants, which have the names of their columns. With more than
 * `most` variants only the pairs of the first one are shown.
 */
export function listPairs(
  comparisons: readonly SuiteComparison[],
  { suite, dataset }: Pick<SuiteSummary, 'suite' | 'dataset'>,
  most = Number.POSITIVE_INFINITY,
): SuitePairs {
  const ofSuite = comparisons.filter((one) => one.suite === suite && one.dataset === dataset);
  const first = ofSuite[0]?.a;
  if (first === undefined) return { pairs: [], notes: [] };
  const ofFirst = ofSuite.filter(({ a }) => isOfVariant(a, first));
  const variants = [first, ...ofFirst.map(({ b }) => b)];
  const names = nameColumns(variants);
  const nameOf = (variant: Variant) =>
    names[variants.findIndex((other) => isOfVariant(other, variant))] ?? '';
  const shown = variants.length > most ? ofFirst : ofSuite;
  const all = (variants.length * ofFirst.length) / 2;
  const others = `${all - shown.length} more pairs: ${names[0]} is compared with each; viva compare RUN:NAME RUN:NAME compares any two.`;
  return {
    pairs: shown.map((comparison) => {
      const [a, b] = [nameOf(comparison.a), nameOf(comparison.b)];
      const name = `${b} against ${a}`;
      return { name, a, b, line: describePair(comparison, name), comparison };
    }),
    notes: lineIf(shown.length < all, others),
  };
}

/** Of more variants, the terminal and summary.md show the pairs of the first one. */
export const MOST_PAIRED = 3;

/**
 * The same as lines, with the ids of the questions whose verdicts differ; `isBrief` lists them only
 * where there is one pair.
 */
export function toPairLines(
  comparisons: readonly SuiteComparison[],
  suite: Pick<SuiteSummary, 'suite' | 'dataset'>,
  isBrief: boolean,
): readonly string[] {
  const { pairs, notes } = listPairs(comparisons, suite, MOST_PAIRED);
  const lines = pairs.flatMap(({ line, comparison }) => {
    // A suite may have its answers compared with each other alone.
    if (comparison.figures.questions === 0 && comparison.preference !== undefined) return [];
    const flips = listFlips({ ...comparison, changed_answers: [] });
    return [line, ...(isBrief && pairs.length > 1 ? [] : flips.map(({ text }) => `  ${text}`))];
  });
  return [...lines, ...notes];
}

/** "large against small, on 200 questions: ", and how they differ. */
function describePair(comparison: SuiteComparison, name: string): string {
  const { figures } = comparison;
  const inside = figures.clusters === undefined ? '' : ` in ${plural(figures.clusters, 'cluster')}`;
  const subject = `${name}, on ${plural(figures.questions, 'question')}${inside}`;
  return `${subject}: ${describeDifference(comparison)}`;
}
