import { formatExactDollars } from '../words/amounts.js';
import type {
  Calibration,
  GateScope,
  GroupSummary,
  JudgeFigures,
  ScoreFigures,
  SuiteSummary,
} from '../words/figures.ts';
import { formatMeans, formatPercents } from '../words/percent.ts';
import { costOf, hasTarget, type SampleResult, wasAsked } from '../words/row.ts';
import { escapeLine, partOf, plural, quote } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import { computeSmallestMargin } from './detectable-drop.ts';
import { groupByCluster, type Tally, tallyQuestions } from './groups.ts';
import { describeOwnDelay, MIN_FOR_P95 } from './latency.ts';
import { type ScoreKind, scoreOf } from './named-scores.ts';
import type { Comparison } from './paired-comparison.ts';

/** The numbers that a limit may be, as messages say it. */
type Numbers = Readonly<{ most: number; range: string; example: string }>;

const SHARE: Numbers = { most: 1, range: 'from 0 to 1', example: '0.6 for 60 %' };
const AMOUNT = { most: Number.MAX_VALUE, range: 'of at least 0' };
const DOLLARS: Numbers = { ...AMOUNT, example: '0.5 for 50 cents' };
const MILLISECONDS: Numbers = { ...AMOUNT, example: '2000 for two seconds' };

/** What one limit of a gate may be, and how figures are checked against it. */
export type MeasureEntry = Readonly<{
  /** What messages call it. The name of the score follows where it is on one. */
  subject: string;
  allows: Numbers;
  /** For a limit on a named score, {"name": "total", "at_least": 0.9}: the key of its number. */
  key?: 'at_least' | 'at_most';
  check: Check;
}>;

/**
 * The limits that a gate may have, by their names in gates.json, in the order of their results. To
 * add one, add an entry here and a row to the table of docs/ci.md.
 */
export const MEASURES = {
  min_accuracy: {
    subject: 'accuracy',
    allows: SHARE,
    check: onGraded((checked, accuracy) => checkMean(checked, 'rate', accuracy)),
  },
  min_pass_rate_per_case: {
    subject: 'the lowest pass rate of a question',
    allows: SHARE,
    check: onGraded(checkQuestions),
  },
  max_drop: {
    subject: 'the drop',
    allows: SHARE,
    check: onGraded((checked) => {
      const expected = listCounted(checked.results);
      const lacking = 'is finished';
      return checkDrop(checked, checked.compared, { kind: 'rate', expected, lacking });
    }),
  },
  max_errored: {
    subject: 'errored share',
    allows: SHARE,
    check: onGraded(checkErrored),
  },
  min_f1: {
    subject: 'macro F1',
    allows: SHARE,
    check: onGraded(checkMacroF1),
  },
  min_score: {
    subject: 'the score',
    allows: SHARE,
    key: 'at_least',
    check: onScore((checked, { kind, mean }) => checkMean(checked, kind, mean)),
  },
  max_score_drop: {
    subject: 'the drop of the score',
    allows: SHARE,
    key: 'at_most',
    check: onScore(checkScoreDrop),
  },
  min_judge_tpr: {
    subject: "the judge's TPR",
    allows: SHARE,
    check: (checked) => checkJudges(checked, 'tpr', 'pass'),
  },
  min_judge_tnr: {
    subject: "the judge's TNR",
    allows: SHARE,
    check: (checked) => checkJudges(checked, 'tnr', 'fail'),
  },
  min_judge_kappa: {
    subject: "the weighted kappa of the judge's grades",
    allows: SHARE,
    check: checkGrades,
  },
  max_cost_usd: { subject: 'the cost', allows: DOLLARS, check: checkCost },
  max_case_cost_usd: {
    subject: 'the largest cost of a case',
    allows: DOLLARS,
    check: (checked) => checkCases(checked, CASE_COST),
  },
  max_median_ms: {
    subject: 'the median',
    allows: MILLISECONDS,
    check: (checked) => {
      const { median_latency_ms, median_censored } = checked.figures;
      return checkTime(checked, 'median', { ms: median_latency_ms, isCensored: median_censored });
    },
  },
  max_p95_ms: {
    subject: 'the p95',
    allows: MILLISECONDS,
    check: (checked) => {
      const { p95_latency_ms, p95_censored } = checked.figures;
      return checkTime(checked, 'p95', { ms: p95_latency_ms, isCensored: p95_censored });
    },
  },
  max_first_token_ms: {
    subject: 'the longest time to a first token',
    allows: MILLISECONDS,
    check: (checked) => checkCases(checked, FIRST_TOKEN),
  },
} as const satisfies Readonly<Record<string, MeasureEntry>>;

/** The name of a limit in gates.json. */
export type Measure = keyof typeof MEASURES;

/** A gate of evals/gates.json: limits on one group of one suite and dataset. */
export type Gate = GateScope & {
  readonly [Name in Measure]?: LimitOf<(typeof MEASURES)[Name]>;
};

type LimitOf<Entry> = Entry extends { readonly key: infer Key extends string }
  ? ScoreLimit<Key> | readonly ScoreLimit<Key>[]
  : number;

type ScoreLimit<Key extends string> = { readonly name: string } & Readonly<Record<Key, number>>;

/** What a limit is checked on: one group of one suite, agent and prompt. */
export type Measured = Readonly<{
  suite: SuiteSummary;
  /** The figures of the group, by the name that the gate gives it. */
  figures: GroupSummary;
  results: readonly SampleResult[];
  /** Null without a baseline; undefined if it shares no question of the group. */
  compared: Compared | null | undefined;
}>;

export type Compared = Pick<Comparison, 'questions' | 'ci95' | 'scores'>;

/** The result of a limit on the figures of a group. */
export type LimitCheck = Readonly<{
  /** Null if it cannot be judged: incomplete run, missing group, hidden targets, no baseline. */
  holds: boolean | null;
  /**
   * What is compared with the limit: accuracy, lowest share of right trials of a question, drop
   * or rate of a judge at the lower end of the interval, share of errored results, mean of a score,
   * dollars or milliseconds; null if not known.
   */
  value: number | null;
  /** A clause such as "accuracy 58.3 % is below the gate 60.0 % for group all". */
  explanation: string;
}>;

/** Checks a limit; `score` is the named score that it is on, if it is on one. */
export function checkLimit(
  measure: Measure,
  threshold: number,
  score: string | undefined,
  measured: Measured,
): LimitCheck {
  const { subject, check } = MEASURES[measure];
  if (score === undefined) return check({ ...measured, threshold, subject, score: '' });
  return check({ ...measured, threshold, subject: `${subject} ${quote(score)}`, score });
}

/** A limit that cannot be judged, and why. */
export function toUnknown(explanation: string): LimitCheck {
  return { holds: null, value: null, explanation };
}

type Checked = Measured &
  Readonly<{
    threshold: number;
    /** What the explanation calls the figure. */
    subject: string;
    /** '' if it is on no named score. */
    score: string;
  }>;

type Check = (checked: Checked) => LimitCheck;

/** A check that needs the accuracy of the group: all its graded results have run. */
function onGraded(check: (checked: Checked, accuracy: number) => LimitCheck): Check {
  return (checked) => {
    const { accuracy, graded, graded_states } = checked.figures;
    if (graded === 0) return toUnknown('no result can be graded');
    if (accuracy !== null) return check(checked, accuracy);
    if (graded_states.not_run === 0)
      return toUnknown('its questions were asked because they had failed (--last-failed)');
    return toUnknown(`${partOf(graded_states.not_run, graded, 'result', 'was', 'were')} not run`);
  };
}

/** A check that needs all values of its named score. */
function onScore(
  check: (checked: Checked, score: ScoreFigures & { readonly mean: number }) => LimitCheck,
): Check {
  return onGraded((checked) => {
    const { score } = checked;
    const { scores = {} } = checked.figures;
    const figures = Object.hasOwn(scores, score) ? scores[score] : undefined;
    if (figures === undefined) return toUnknown(explainNoScore(score, Object.keys(scores)));
    const { n, open = 0, mean } = figures;
    if (open > 0)
      return toUnknown(
        `${partOf(open, n + open, 'result', 'has', 'have')} no verdict for the score ${quote(score)}`,
      );
    return mean === null
      ? toUnknown(`no result has a value of ${quote(score)}`)
      : check(checked, { ...figures, mean });
  });
}

function explainNoScore(score: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'there is none' : `there are ${names.map(quote).join(', ')}`;
  return `no result has a score ${quote(score)}; ${known}.${didYouMean(score, names)}`;
}

/**
 * Compares with the quotient: 7 / 10 meets 0.7 exactly, while a product of doubles could miss it.
 */
function checkMean(
  { subject, threshold: least, figures: { group } }: Checked,
  kind: ScoreKind,
  mean: number,
): LimitCheck {
  const holds = mean >= least;
  const [value, gate] = formatMeans(kind, mean, least);
  const explanation = `${subject} ${value} ${holds ? 'meets' : 'is below'} the gate ${gate} for group ${group}`;
  return { holds, value: mean, explanation };
}

function checkMacroF1(checked: Checked): LimitCheck {
  const { macro_f1 } = checked.figures;
  if (macro_f1 === undefined)
    return toUnknown(
      'its expected answers are not labels: at least two short words, each the answer to several questions',
    );
  return macro_f1 === null
    ? toUnknown('macro F1 needs two labels, and there is one')
    : checkMean(checked, 'rate', macro_f1);
}

/** How many of the questions below a gate a message names. */
const MOST_NAMED = 5;

/** Compares each question's share of right trials with the gate. */
function checkQuestions(checked: Checked): LimitCheck {
  const { threshold: least, results, figures } = checked;
  const rated = [...tallyQuestions(results)]
    .filter(([, { counted }]) => counted > 0)
    .map(([id, { correct, counted }]) => ({ id, correct, counted, rate: correct / counted }))
    .sort((a, b) => a.rate - b.rate);
  const lowest = rated[0]?.rate ?? 0;
  const below = rated.filter(({ rate }) => rate < least);
  if (below.length === 0) return checkMean(checked, 'rate', lowest);
  const [, gate] = formatPercents(lowest, least);
  const some = partOf(below.length, rated.length, 'question', 'has', 'have');
  const worst = below
    .slice(0, MOST_NAMED)
    .map(({ id, correct, counted }) => `${escapeLine(id, 60)} (${correct} of ${counted})`);
  const more = below.length > MOST_NAMED ? ` and ${below.length - MOST_NAMED} more` : '';
  const explanation = `${some} a pass rate below the gate ${gate} for group ${figures.group}: ${worst.join(', ')}${more}`;
  return { holds: false, value: lowest, explanation };
}

function checkErrored({ subject, threshold: most, figures }: Checked): LimitCheck {
  const { group, graded, graded_states } = figures;
  const errored = graded_states.errored / graded;
  const holds = errored <= most;
  const [value, gate] = formatPercents(errored, most);
  const explanation = `${subject} ${value} is ${holds ? 'within' : 'above'} the gate ${gate} for group ${group}`;
  return { holds, value: errored, explanation };
}

function checkScoreDrop(checked: Checked, { kind }: ScoreFigures): LimitCheck {
  const { score, results, compared } = checked;
  const { scores = {} } = compared ?? {};
  const ofScore = Object.hasOwn(scores, score) ? scores[score] : undefined;
  const lacking = `has a value of ${quote(score)}`;
  return checkDrop(checked, compared === null ? null : ofScore, {
    kind: ofScore?.kind ?? kind,
    expected: listCounted(results.filter(hasTarget), (row) => scoreOf(row, score)),
    lacking,
  });
}

/** What drops: the questions that have it, and what those lack that are not compared. */
type Dropping = Readonly<{ kind: ScoreKind; expected: readonly Tally[]; lacking: string }>;

function listCounted(...args: Parameters<typeof tallyQuestions>): readonly Tally[] {
  return [...tallyQuestions(...args).values()].filter(({ counted }) => counted > 0);
}

/** Checks a drop from the baseline, at the lower end of its interval. */
function checkDrop(
  { subject, threshold: most, figures: { group } }: Checked,
  compared: Pick<Compared, 'questions' | 'ci95'> | null | undefined,
  { kind, expected, lacking }: Dropping,
): LimitCheck {
  if (compared === null)
    return toUnknown('it needs a baseline: set EVAL_BASELINE to an earlier run');
  if (!compared?.ci95) return toUnknown(`no question ${lacking} in both runs`);
  const { questions, ci95 } = compared;
  if (questions < expected.length) {
    const some = `${questions} of ${plural(expected.length, 'question')}`;
    return toUnknown(`only ${some} can be compared with the baseline`);
  }
  const drop = -ci95[0];
  const [value, gate] = formatMeans(kind, Math.max(0, drop), most).map((shown) =>
    shown.replace('%', 'pp'),
  );
  const clause = `${subject} is at most ${value} (95 % interval); the gate allows ${gate} for group ${group}`;
  const margin = kind === 'rate' ? explainMargin(expected, most) : '';
  return { holds: drop <= most, value: drop, explanation: clause + margin };
}

/** Says so if no run of this size can meet the gate: the agent is not to blame. */
function explainMargin(questions: readonly Tally[], most: number): string {
  const margin = computeSmallestMargin(questions);
  if (margin <= most) return '';
  const clusters = groupByCluster(questions).length;
  const inside = clusters < questions.length ? ` in ${plural(clusters, 'cluster')}` : '';
  const [shown] = formatPercents(margin, margin);
  return `; with ${plural(questions.length, 'question')}${inside} it is ${shown.replace('%', 'pp')} even if no answer changes`;
}

/** The judges of a suite, on all their labels, whatever the group. The worst of several decides. */
function checkJudges(
  { subject, threshold: least, suite: { judges = [] } }: Checked,
  rate: 'tpr' | 'tnr',
  label: 'pass' | 'fail',
): LimitCheck {
  const asked = judges.filter(({ scale }) => scale === undefined);
  if (judges.length > 0 && asked.length === 0)
    return toUnknown('its judges give grades: demand "min_judge_kappa"');
  const worst = findWorst(asked, (found) => found[rate]?.ci95[0] ?? null, `"${label}"`);
  if ('holds' in worst) return worst;
  const { value, calibration } = worst;
  const [shown, gate] = formatPercents(value, least);
  const labels = plural(calibration[rate]?.n ?? 0, 'label');
  const seen = `${subject} is at least ${shown} (95 % interval, ${labels})`;
  return { holds: value >= least, value, explanation: `${seen}; the gate demands ${gate}` };
}

/** The same of judges that give grades. */
function checkGrades({ subject, threshold: least, suite: { judges = [] } }: Checked): LimitCheck {
  const graded = judges.filter(({ scale }) => scale !== undefined);
  if (judges.length > 0 && graded.length === 0)
    return toUnknown('its judges give verdicts: demand "min_judge_tpr" and "min_judge_tnr"');
  const worst = findWorst(graded, (found) => found.kappa_ci95?.[0] ?? null, 'with a grade');
  if ('holds' in worst) return worst;
  const { value, calibration } = worst;
  const labels = plural(calibration.labels, 'label');
  const seen = `${subject} is at least ${value.toFixed(2)} (95 % interval, ${labels})`;
  return { holds: value >= least, value, explanation: `${seen}; the gate demands ${least}` };
}

type Worst = Readonly<{ value: number; calibration: Calibration }>;

/** The calibration with the least figure, or why there is none. */
function findWorst(
  judges: readonly JudgeFigures[],
  figureOf: (calibration: Calibration) => number | null,
  label: string,
): Worst | LimitCheck {
  if (judges.length === 0) return toUnknown('no judge was asked');
  const calibrations = judges.flatMap(({ calibration }) => calibration ?? []);
  const hasChanged = calibrations.some(({ changed }) => changed === true);
  const found = calibrations.flatMap((calibration): Worst | readonly [] => {
    const value = figureOf(calibration);
    return value === null ? [] : { value, calibration };
  });
  const [worst] = found.toSorted((a, b) => a.value - b.value);
  if (!hasChanged && worst !== undefined && found.length === judges.length) return worst;
  const why = hasChanged
    ? 'has changed since people labelled its verdicts'
    : `has no label ${label} by a person`;
  return { holds: false, value: null, explanation: `the judge ${why}: see "viva label"` };
}

/** The cost of all results, as the table shows it: what cached answers cost is part of it. */
function checkCost({ subject, threshold: most, figures }: Checked): LimitCheck {
  const { group, cost_usd, cost_at_least_usd: least, without_cost = 0 } = figures;
  const sum = cost_usd ?? least ?? null;
  if (sum === null) return toUnknown(`${subject} of its results is not known`);
  // The sum of 0.1 and 0.2 is not above 0.3.
  const value = Number(sum.toFixed(9));
  const holds = value <= most;
  if (holds && cost_usd === null) {
    const some = without_cost === 0 ? 'calls that were cut off' : plural(without_cost, 'result');
    return toUnknown(`${subject} of ${some} is not known`);
  }
  const cost = `${cost_usd === null ? 'at least ' : ''}${formatExactDollars(value)}`;
  const explanation = `${subject} ${cost} is ${holds ? 'within' : 'above'} the gate ${formatExactDollars(most)} for group ${group}`;
  return { holds, value, explanation };
}

/** An amount of each case, which is one trial of one question. */
type CaseAmount = Readonly<{
  /** Null if it is not known; undefined if the case has none. */
  of(row: SampleResult): number | null | undefined;
  name: string;
  show(value: number, limit: number): string;
}>;

const CASE_COST: CaseAmount = {
  of: (row) => {
    const { total } = costOf(row);
    if (!wasAsked(row)) return undefined;
    // The sum of 0.1 and 0.2 is not above 0.3.
    return total === null ? null : Number(total.toFixed(9));
  },
  name: 'the cost',
  show: formatExactDollars,
};

const FIRST_TOKEN: CaseAmount = {
  // Without a text there was no token, but after a timeout nobody knows.
  of: ({ first_token_ms, output, state }) =>
    first_token_ms ?? ((output ?? '') !== '' || state === 'timed_out' ? null : undefined),
  name: 'the time to the first token',
  show: (ms, most) => `${formatMs(ms, most)} ms`,
};

/** Compares the amount of each case with the gate, and names the cases above it, the largest first. */
function checkCases(
  { subject, threshold: most, results, figures: { group } }: Checked,
  { of, name, show }: CaseAmount,
): LimitCheck {
  const cases = results
    .map((row) => ({ row, amount: of(row) }))
    .filter(({ amount }) => amount !== undefined);
  const known = cases
    .flatMap(({ row, amount }) => (amount == null ? [] : { row, amount }))
    .sort((a, b) => b.amount - a.amount);
  const [largest] = known;
  if (largest === undefined) return toUnknown(`no result reports ${name}`);
  const above = known.filter(({ amount }) => amount > most);
  const unknown = cases.length - known.length;
  if (above.length === 0 && unknown > 0)
    return toUnknown(`${name} of ${unknown} of ${plural(cases.length, 'result')} is not known`);
  const holds = above.length === 0;
  const hasTrials = results.some(({ trial }) => trial > 1);
  const named = above.slice(0, MOST_NAMED).map(({ row: { id, trial }, amount }) => {
    const inTrial = hasTrials ? ` trial ${trial}` : '';
    return `${escapeLine(id, 60)}${inTrial} (${show(amount, most)})`;
  });
  const more = above.length > MOST_NAMED ? ` and ${above.length - MOST_NAMED} more` : '';
  const where = `, in ${above.length} of ${plural(cases.length, 'case')}: ${named.join(', ')}${more}`;
  const explanation = `${subject} ${show(largest.amount, most)} is ${holds ? 'within' : 'above'} the gate ${show(most, largest.amount)} for group ${group}${holds ? '' : where}`;
  return { holds, value: largest.amount, explanation };
}

function checkTime(
  { subject, threshold: most, figures }: Checked,
  of: 'median' | 'p95',
  { ms, isCensored }: Readonly<{ ms: number | null; isCensored: boolean }>,
): LimitCheck {
  const { group } = figures;
  const fewest = of === 'median' ? 1 : MIN_FOR_P95;
  if (ms === null) return toUnknown(`${subject} needs ${plural(fewest, 'timed result')}`);
  const shown = `${subject} ${isCensored ? 'is more than ' : ''}${formatMs(ms, most)} ms`;
  const holds = ms <= most;
  // The real time of a timed-out call is not known, only that it is longer than its deadline.
  if (holds && isCensored) return toUnknown(`${shown}, the deadline of a timeout`);
  const is = holds ? ' is within' : isCensored ? ', above' : ' is above';
  return {
    holds,
    value: ms,
    explanation: [
      `${shown}${is} the gate ${most} ms for group ${group}`,
      ...describeOwnDelay('it', figures, of),
    ].join('; '),
  };
}

/** With enough digits to differ from the gate. */
function formatMs(ms: number, most: number): string {
  const digits = [ms < 10 ? 1 : 0, 1, 3].find((some) => Number(ms.toFixed(some)) !== most);
  return String(Number(ms.toFixed(digits ?? 6)));
}
