import type { Tally } from './groups.ts';
import { computeShare, type Interval, type Mean, type Share } from './intervals.ts';

/** One answer of a classifier: the label expected, the label given (null for none), its question. */
export type Labelled = Readonly<{
  expected: string;
  predicted: string | null;
  question: string;
  cluster?: string | undefined;
}>;

/** How well one label is found. Null without a denominator. */
export type LabelFigures = Readonly<{
  /** Of the answers that give the label, the share that are right. */
  precision: Share | null;
  /** Of those that should, the share that do. */
  recall: Share | null;
  /** Its interval is that of TP / (TP + FP + FN), of which F1 is a rising function. */
  f1: Mean | null;
}>;

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
  const labels = [...new Set(rows.map(({ expected }) => expected))];
  const scores = labels.flatMap((label) => computeLabelFigures(rows, label).f1 ?? []);
  const mean = (of: (score: Mean) => number) =>
    scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  if (scores.length === 0) return null;
  return {
    value: mean(({ value }) => value),
    ci95: [mean(({ ci95 }) => ci95[0]), mean(({ ci95 }) => ci95[1])],
  };
}

function mapEnds([low, high]: Interval, change: (end: number) => number): Interval {
  return [change(low), change(high)];
}
