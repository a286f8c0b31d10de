import { hideCriterion } from '../words/audience.ts';
import type { Calibration, CorrectedAccuracy, JudgeFigures, Rate } from '../words/figures.ts';
import { isSplit, joinVerdicts } from '../words/panel.ts';
import { type CriterionVerdicts, hasRun, isCorrect, type SampleResult } from '../words/row.ts';
import { Z_95 } from './distributions.ts';
import { groupBy, type Tally } from './groups.ts';
import { computeShare, computeWilson } from './intervals.ts';
import { computeKappa, type LabelTable, QUADRATIC } from './kappa.ts';

/** What a calibration is valid for: judges, their prompt and the criterion. */
export type JudgeKey = Pick<CriterionVerdicts, 'models' | 'prompt_hash' | 'criterion'>;

/** How a judge was calibrated; null if it was not. */
export type CalibrationOf = (judge: JudgeKey) => Calibration | null;

/** Judges, prompt and criterion as one text, which is the same where records are hidden. */
export function toJudgeKey({ models, prompt_hash, criterion }: JudgeKey): string {
  return JSON.stringify([models, prompt_hash, hideCriterion(criterion)]);
}

/** The figures of a judge from counts of labels: people first. There must be a label. */
export function calibrate(counts: LabelCounts | GradeCounts): Calibration {
  if ('grades' in counts) return calibrateGrades(counts);
  const { passed, failed } = counts;
  const pass = passed.as_pass + passed.as_fail;
  const fail = failed.as_pass + failed.as_fail;
  return {
    labels: pass + fail,
    tpr: toRate(passed.as_pass, pass, passed.worth),
    tnr: toRate(failed.as_fail, fail, failed.worth),
    agreement: (passed.as_pass + failed.as_fail) / (pass + fail),
    kappa: computeKappa(toLabelTable(counts)).kappa,
  };
}

function calibrateGrades({ grades, worth }: GradeCounts): Calibration {
  const labels = grades.flat().reduce((sum, count) => sum + count, 0);
  const same = grades.reduce((sum, row, place) => sum + (row[place] ?? 0), 0);
  const share = (worth ?? labels) / labels;
  const { kappa, ci95 } = computeKappa(grades, { share, weights: QUADRATIC });
  return { labels, tpr: null, tnr: null, agreement: same / labels, kappa, kappa_ci95: ci95 };
}

/** A share of n, with its interval for `worth` independent ones; null if n is 0. */
function toRate(count: number, n: number, worth = n): Rate | null {
  if (n === 0) return null;
  const ci95 = computeWilson(count / n, worth);
  return { value: count / n, n, ...(worth === n ? {} : { worth }), ci95 };
}

/** A row for each label of people, pass and fail, and a column for each of the judge. */
export function toLabelTable({ passed, failed }: LabelCounts): LabelTable {
  return [passed, failed].map(({ as_pass, as_fail }) => [as_pass, as_fail]);
}

/** What judges said of an answer by each criterion. */
export function listCriteria({ judge }: Pick<SampleResult, 'judge'>): readonly CriterionVerdicts[] {
  return judge === undefined ? [] : [...(judge.others ?? []), judge];
}

/** Whether more than half of the judges agreed, or gave a grade. */
export function hasVerdict({ verdicts }: CriterionVerdicts): boolean {
  return joinVerdicts(verdicts) !== null;
}

/** Whether judges disagree on a row (in grades by more than one), or one cannot tell or failed. */
export function isDoubted(row: SampleResult): boolean {
  return listCriteria(row).some(
    (criterion) => !hasVerdict(criterion) || isSplit(criterion.verdicts),
  );
}

/** Each judge, prompt, criterion and named score of some results, in order of first appearance. */
export function listJudges(
  results: readonly Pick<SampleResult, 'judge'>[],
  calibrationOf: CalibrationOf,
): readonly JudgeFigures[] {
  return listJudgesOf(results.flatMap(listCriteria), calibrationOf);
}

function listJudgesOf(
  verdicts: readonly CriterionVerdicts[],
  calibrationOf: CalibrationOf,
): readonly JudgeFigures[] {
  const keyOf = (one: CriterionVerdicts) => `${toJudgeKey(one)} ${one.score ?? ''}`;
  return [...groupBy(verdicts, keyOf).values()].map((same) => {
    const [{ models, prompt_hash, score, scale }] = same;
    const named = score === undefined ? {} : { score };
    const graded = scale === undefined ? {} : { scale };
    const { length: count } = same.filter(({ verdicts: of }) => of.includes('error'));
    const failed = count === 0 ? {} : { failed: count };
    const calibration = calibrationOf(same[0]);
    return {
      models,
      prompt_hash,
      ...named,
      ...graded,
      judged: same.length,
      ...failed,
      calibration,
    };
  });
}

/** Whether an answer is right by a verdict or a named score, and what judges said of that. */
export type Decision = Readonly<{
  isRight: boolean;
  criteria: readonly CriterionVerdicts[];
}>;

/** The corrected accuracy of results with a target, as `correctForJudge` has it. */
export function correctAccuracyOf(
  results: readonly SampleResult[],
  tallies: readonly Tally[],
  calibrationOf: CalibrationOf,
): ReturnType<typeof correctForJudge> {
  // Most suites have no judge.
  if (results.every(({ judge }) => judge === undefined)) return {};
  // Each score has a correction of its own, and a mean of grades none.
  if (results.some((row) => isDecidedByScores(row) || hasGrades(row))) return {};
  const decisions = results.map((row) => ({
    isRight: isCorrect(row),
    criteria: listCriteria(row),
  }));
  const n = computeShare(tallies)?.worth ?? 0;
  return correctForJudge(decisions, n, calibrationOf, results.every(hasRun));
}

function hasGrades(row: SampleResult): boolean {
  return listCriteria(row).some(({ scale }) => scale !== undefined);
}

/** Whether a judge gave one of several scores that together make an answer right. */
function isDecidedByScores(row: SampleResult): boolean {
  const { scores = {} } = row;
  const judged = listCriteria(row).flatMap(({ score }) => score ?? []);
  const decisive = Object.keys(scores).filter((name) => typeof scores[name] === 'boolean');
  return judged.length > 0 && new Set([...judged, ...decisive]).size > 1;
}

/**
 * The corrected share of right answers; nothing if no judge decided one of them, and no figure if
 * more than one criterion did. `n` is how many independent ones they are worth. Answers without a
 * judge (none, or an error) are right or wrong for certain.
 */
export function correctForJudge(
  decisions: readonly Decision[],
  n: number,
  calibrationOf: CalibrationOf,
  isComplete: boolean,
): { readonly corrected?: CorrectedAccuracy } {
  const judged = decisions.filter(({ criteria }) => criteria.length > 0);
  const verdicts = judged.flatMap(({ criteria }) => criteria);
  const [first, ...more] = listJudgesOf(verdicts, calibrationOf);
  if (first === undefined) return {};
  const toUnknown = (why: CorrectedAccuracy['why']) => ({
    corrected: { judged: judged.length, accuracy: null, ci95: null, why },
  });
  if (!isComplete) return toUnknown('not run');
  if (more.length > 0 || !judged.every(isAsJudged)) return toUnknown('several judges');
  const { tpr, tnr } = first.calibration ?? { tpr: null, tnr: null };
  if (tpr === null || tnr === null) return toUnknown('uncalibrated');
  const counts = countJudged(judged, decisions);
  const accuracy = correctAccuracy(counts, tpr.value, tnr.value);
  if (accuracy === null) return toUnknown('no better than chance');
  const ci95 = correctInterval(counts, tpr, tnr, n / decisions.length);
  return { corrected: { judged: judged.length, accuracy, ci95, why: null } };
}

/**
 * Whether one criterion decided, as its judges said. Another check of the same score may have
 * decided otherwise.
 */
function isAsJudged({ isRight, criteria }: Decision): boolean {
  const [{ verdicts } = { verdicts: [] }, ...others] = criteria;
  return others.length === 0 && joinVerdicts(verdicts) === (isRight ? 'pass' : 'fail');
}

function countJudged(judged: readonly Decision[], all: readonly Decision[]): JudgedCounts {
  const passed = judged.filter(({ isRight }) => isRight).length;
  const right = all.filter(({ isRight }) => isRight).length - passed;
  const failed = judged.length - passed;
  return { passed, failed, right, wrong: all.length - judged.length - right };
}

/** Answers that a judge passed and failed, and those that are right or wrong without a judge. */
export type JudgedCounts = Readonly<{
  passed: number;
  failed: number;
  right: number;
  wrong: number;
}>;

/**
 * The share of right answers (0..1), by Rogan and Gladen (1978): (p + TNR - 1) / (TPR + TNR - 1) of
 * the judged ones, within 0..1. Null if TPR + TNR is at most 1: such verdicts say nothing.
 */
export function correctAccuracy(
  { passed, failed, right, wrong }: JudgedCounts,
  tpr: number,
  tnr: number,
) {
  const power = tpr + tnr - 1;
  const judged = passed + failed;
  if (power <= 0) return null;
  const share = (passed / judged + tnr - 1) / power;
  return (judged * Math.max(0, Math.min(1, share)) + right) / (judged + right + wrong);
}

/**
 * 95 % interval of the corrected accuracy by Lang and Reiczigel (2014), equations 4, 6, 7, 16 and
 * 17: it carries the uncertainty of the answers and that of TPR and TNR. Without unjudged answers
 * it is theirs; with them, the variance of the answers is that of a mean in which they count as 0
 * or 1. `share` is how many independent answers each answer is worth (less than 1 with several
 * trials). bench/RESULTS.md has its coverage.
 */
export function correctInterval(
  counts: JudgedCounts,
  tpr: Rate,
  tnr: Rate,
  share = 1,
): readonly [number, number] {
  const accuracy = correctAccuracy(counts, tpr.value, tnr.value) ?? 0;
  const se = shrink(tpr);
  const sp = shrink(tnr);
  const power = se.rate + sp.rate - 1;
  // Few labels may leave no power at all: then the interval is everything.
  if (power <= 0) return [0, 1];
  const passed = counts.passed * share + Z_95 ** 2 / 2;
  const failed = counts.failed * share + Z_95 ** 2 / 2;
  const right = counts.right * share;
  const wrong = counts.wrong * share;
  const n = passed + failed + right + wrong;
  const judged = (passed + failed) / n;
  const rate = (passed / (passed + failed) + sp.rate - 1) / power;
  const centre = judged * rate + right / n;
  const squares =
    (passed * (sp.rate / power) ** 2 + failed * ((1 - sp.rate) / power) ** 2 + right) / n;
  const ofLabels = (rate ** 2 * se.variance + (1 - rate) ** 2 * sp.variance) / power ** 2;
  const half = Z_95 * Math.sqrt((squares - centre ** 2) / n + judged ** 2 * ofLabels);
  const shift = judged * 2 * Z_95 ** 2 * (rate * se.variance - (1 - rate) * sp.variance);
  const low = centre + shift - half;
  const high = centre + shift + half;
  return [Math.max(0, Math.min(low, accuracy)), Math.min(1, Math.max(high, accuracy))];
}

/** A rate after adding a success and a failure, and its variance. */
function shrink({ value, n, worth = n }: Rate): Readonly<{ rate: number; variance: number }> {
  const rate = (value * worth + 1) / (worth + 2);
  return { rate, variance: (rate * (1 - rate)) / (worth + 2) };
}

/** How many answers a first rater passed and failed, and what a second one said of them. */
export type LabelCounts = Readonly<{ passed: LabelCount; failed: LabelCount }>;

type LabelCount = Readonly<{
  as_pass: number;
  as_fail: number;
  /** How many independent answers they are worth; absent where each is of another question. */
  worth?: number;
}>;

/**
 * How often a first rater gave each grade, a row, and a second one each, a column. Places are grades
 * from 1 up; with the half grades of a panel they are 1, 1.5, 2 and so on.
 */
export type GradeCounts = Readonly<{
  /** The highest grade. */
  scale: number;
  grades: LabelTable;
  /** How many independent answers they are worth; absent where each is of another question. */
  worth?: number;
}>;

/** Counts pairs of grades on a scale. */
export function countGrades(
  pairs: readonly (readonly [first: number, second: number])[],
  scale: number,
): GradeCounts {
  const step = pairs.flat().every((grade) => Number.isInteger(grade)) ? 1 : 0.5;
  const size = (scale - 1) / step + 1;
  const table = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
  for (const [first, second] of pairs) {
    const [row, place] = [table[(first - 1) / step], (second - 1) / step];
    if (row?.[place] !== undefined) row[place] += 1;
  }
  return { scale, grades: table };
}
