import type { ScoreFigures } from '../words/figures.ts';
import { type CriterionVerdicts, hasRun, hasTarget, type SampleResult } from '../words/row.ts';
import { countClusters, sumAnyOrder, type Tally, tallyQuestions } from './groups.ts';
import { computeMean, computeShare } from './intervals.ts';
import {
  type CalibrationOf,
  correctForJudge,
  type Decision,
  hasVerdict,
  listCriteria,
} from './judge-calibration.ts';

/** Whether a named score is true or false of an answer, or a number. */
export type ScoreKind = ScoreFigures['kind'];

/**
 * The named scores of some results in order of first appearance, with their kinds. A score without
 * any value is left out: it applies to none of them, unless its judges reached no verdict.
 */
export function listScores(results: readonly SampleResult[]): ReadonlyMap<string, ScoreKind> {
  const kinds = new Map<string, ScoreKind>();
  for (const row of results.filter(hasTarget)) {
    for (const [name, value] of Object.entries(row.scores ?? {})) {
      if (typeof value === 'number' || isGrade(row, name)) kinds.set(name, 'mean');
      else if (!kinds.has(name) && (value !== null || isOpen(row, name))) kinds.set(name, 'rate');
    }
  }
  return kinds;
}

/** Whether judges grade a score, also where they gave no grade. */
function isGrade(row: SampleResult, name: string): boolean {
  return listCriteria(row).some(({ score, scale }) => score === name && scale !== undefined);
}

/**
 * The value of a score as a number: true is 1. A result without the score counts as false or 0, as
 * it does in accuracy, whatever came instead of an answer. Null where the score itself returned
 * none, and where nothing was run: such results are not counted.
 */
export function scoreOf(row: SampleResult, name: string): number | null {
  const { scores } = row;
  if (scores === undefined) return hasRun(row) ? 0 : null;
  const value = Object.hasOwn(scores, name) ? scores[name] : 0;
  return value === null ? null : Number(value);
}

/**
 * Whether the value of a score is missing: nothing was run, or its judges reached no verdict.
 * Without a judge null says that the score does not apply.
 */
export function isOpen(row: SampleResult, name: string): boolean {
  const { scores } = row;
  if (scores === undefined) return !hasRun(row);
  const lacksVerdict = (one: CriterionVerdicts) => one.score === name && !hasVerdict(one);
  return (
    Object.hasOwn(scores, name) && scores[name] === null && listCriteria(row).some(lacksVerdict)
  );
}

/**
 * The value of a score as it is in the row; null without one. Objects may have a method of that
 * name.
 */
export function readScore(
  { scores = {} }: Pick<SampleResult, 'scores'>,
  name: string,
): boolean | number | null {
  return Object.hasOwn(scores, name) ? (scores[name] ?? null) : null;
}

/** The figures of named scores over graded results; nothing without a score. */
export function summarizeScores(
  kinds: ReadonlyMap<string, ScoreKind>,
  graded: readonly SampleResult[],
  calibrationOf: CalibrationOf,
): { readonly scores?: Readonly<Record<string, ScoreFigures>> } {
  if (kinds.size === 0) return {};
  const figures = [...kinds].map(([name, kind]) => {
    const tallies = [...tallyQuestions(graded, (row) => scoreOf(row, name)).values()].filter(
      ({ counted }) => counted > 0,
    );
    const n = tallies.reduce((sum, { counted }) => sum + counted, 0);
    const open = graded.filter((row) => isOpen(row, name)).length;
    const average = open === 0 ? averageScore(tallies, kind) : UNKNOWN;
    const decisions = kind === 'rate' ? listDecisions(graded, name) : [];
    const worth = decisions.length === 0 ? 0 : (computeShare(tallies)?.worth ?? 0);
    const corrected = correctForJudge(decisions, worth, calibrationOf, open === 0);
    const counts = { n, questions: tallies.length, ...countClusters(tallies) };
    return [
      name,
      { ...counts, ...average, ...boundScore(tallies, n, open), kind, ...corrected },
    ] as const;
  });
  return { scores: Object.fromEntries(figures) };
}

/** Between what the mean is, whatever the missing values are. */
function boundScore(tallies: readonly Tally[], n: number, open: number) {
  if (open === 0) return {};
  const sum = sumAnyOrder(tallies.map(({ correct }) => correct));
  return { open, bounds: [sum / (n + open), (sum + open) / (n + open)] as const };
}

/** The values of a score that judges may have given; none if no judge gave one. */
function listDecisions(graded: readonly SampleResult[], name: string): readonly Decision[] {
  const isOwn = ({ score }: CriterionVerdicts) => score === name;
  if (!graded.some((row) => listCriteria(row).some(isOwn))) return [];
  return graded.flatMap((row) => {
    const value = scoreOf(row, name);
    return value === null
      ? []
      : { isRight: value === 1, criteria: listCriteria(row).filter(isOwn) };
  });
}

const UNKNOWN = { mean: null, ci95: null };

/**
 * The mean of a score over all results, from the sum and the number of values of each question, and
 * its 95 % interval, which is over questions: trials of one question resemble each other.
 */
export function averageScore(tallies: readonly Tally[], kind: ScoreKind) {
  const found = kind === 'rate' ? computeShare(tallies) : computeMean(tallies);
  return found === null ? UNKNOWN : { mean: found.value, ci95: found.ci95 };
}
