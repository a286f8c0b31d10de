import type { GroupSummary, LabelSummary, SuiteSummary } from '../words/figures.ts';
import type { SampleResult } from '../words/row.ts';
import { sumAnyOrder, type Tally } from './groups.ts';
import { computeShare, type Interval, type Mean, type Share } from './intervals.ts';
import { type Labelled, readLabels } from './labels.ts';

/** How well one label is found. Null without a denominator. */
export type LabelFigures = Readonly<{
  /** Of the answers that give the label, the share that are right. */
  precision: Share | null;
  /** Of those that should, the share that do. */
  recall: Share | null;
  /** Its interval is that of TP / (TP + FP + FN), of which F1 is a rising function. */
  f1: Mean | null;
}>;

/** The figures of each label of a suite; none where its expected answers are no labels. */
export function summarizeLabels(
  results: readonly SampleResult[],
  labels: readonly string[] | null,
): Pick<SuiteSummary, 'labels'> {
  if (labels === null) return {};
  const rows = readLabels(results, labels);
  const rowsOf = groupByLabel(rows);
  const unlabelled = rows.filter(({ predicted }) => predicted === null);
  const none = unlabelled.filter(({ answer }) => answer === null).length;
  return {
    labels: {
      each: labels.map((label) => toLabelSummary(rowsOf.get(label) ?? [], label)),
      other: unlabelled.length - none,
      none,
    },
  };
}

function toLabelSummary(rows: readonly Labelled[], label: string): LabelSummary {
  const { precision, recall, f1 } = computeLabelFigures(rows, label);
  const withoutWorth = (share: Share | null) => share && { value: share.value, ci95: share.ci95 };
  const expected = rows.filter((row) => row.expected === label);
  const given = rows.filter((row) => row.predicted === label);
  const right = expected.filter((row) => row.predicted === label);
  return {
    label,
    expected: expected.length,
    given: given.length,
    right: right.length,
    precision: withoutWorth(precision),
    recall: withoutWorth(recall),
    f1,
  };
}

/** The macro F1 of some results of a suite; null for fewer than two expected labels. */
export function summarizeMacroF1(
  results: readonly SampleResult[],
  labels: readonly string[] | null,
): Pick<GroupSummary, 'macro_f1' | 'macro_f1_ci95'> {
  if (labels === null) return {};
  const rows = readLabels(results, labels);
  const isOfOne = new Set(rows.map(({ expected }) => expected)).size < 2;
  const macro = isOfOne ? null : computeMacroF1(rows);
  return { macro_f1: macro?.value ?? null, macro_f1_ci95: macro?.ci95 ?? null };
}

/** For each label the answers that give it or should. */
function groupByLabel<Row extends Labelled>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const rowsOf = new Map<string, Row[]>();
  for (const row of rows) {
    for (const label of new Set([row.expected, row.predicted])) {
      if (label === null) continue;
      const own = rowsOf.get(label);
      if (own === undefined) rowsOf.set(label, [row]);
      else own.push(row);
    }
  }
  return rowsOf;
}

export function computeLabelFigures(rows: readonly Labelled[], label: string): LabelFigures {
  const isGiven = ({ predicted }: Labelled) => predicted === label;
  const isExpected = ({ expected }: Labelled) => expected === label;
  const shareOf = (some: (row: Labelled) => boolean) => {
    const tallies = new Map<string, Tally>();
    for (const row of rows.filter(some)) {
      const { question, cluster } = row;
      const { correct, counted } = tallies.get(question) ?? { correct: 0, counted: 0 };
      const isHit = isGiven(row) && isExpected(row);
      tallies.set(question, { correct: correct + Number(isHit), counted: counted + 1, cluster });
    }
    return computeShare([...tallies.values()]);
  };
  const overlap = shareOf((row) => isGiven(row) || isExpected(row));
  const toF1 = (jaccard: number) => (2 * jaccard) / (1 + jaccard);
  const f1 = overlap && { value: toF1(overlap.value), ci95: mapEnds(overlap.ci95, toF1) };
  return { precision: shareOf(isGiven), recall: shareOf(isExpected), f1 };
}

/**
 * The mean of the F1 of every label that is expected; the ends of its interval are the means of
 * theirs, which is too wide rather than too narrow. Null without an answer.
 */
export function computeMacroF1(rows: readonly Labelled[]): Mean | null {
  const labels = [...new Set(rows.map(({ expected }) => expected))].sort();
  const rowsOf = groupByLabel(rows);
  const scores = labels.flatMap(
    (label) => computeLabelFigures(rowsOf.get(label) ?? [], label).f1 ?? [],
  );
  const mean = (of: (score: Mean) => number) => sumAnyOrder(scores.map(of)) / scores.length;
  if (scores.length === 0) return null;
  return {
    value: mean(({ value }) => value),
    ci95: [mean(({ ci95 }) => ci95[0]), mean(({ ci95 }) => ci95[1])],
  };
}

function mapEnds([low, high]: Interval, change: (end: number) => number): Interval {
  return [change(low), change(high)];
}
