import type { RunOutcome, SuiteTrials } from '../src/figures/evaluate-run.ts';
import { explainNotRun } from '../src/figures/exit-code.ts';
import { describeOwnDelays } from '../src/figures/latency.ts';
import { DOCS } from '../src/package.ts';
import type { Manifest, SuiteManifest } from '../src/store/manifest.ts';
import type {
  Calibration,
  GroupSummary,
  JudgeFigures,
  Rate,
  ScoreFigures,
  SuiteSummary,
  TimeInterval,
} from '../src/words/figures.ts';
import { escapeLine, lineIf, listIds, listUp, partOf, plural } from '../src/words/show.ts';
import {
  formatInterval,
  formatKappa,
  formatMeasured,
  formatRate,
  formatTime,
  formatTimeInterval,
  formatTotalCost,
} from './format-figures.ts';

export function describeMean({ macro_accuracy, macro_ci95 }: SuiteSummary): readonly string[] {
  const interval = macro_ci95 === null ? '' : ` (${formatInterval(macro_ci95)})`;
  return lineIf(
    macro_accuracy !== null,
    `mean of the groups: ${formatRate(macro_accuracy)}${interval}`,
  );
}

/**
 * What the intervals are over, where that is not the results: questions, or their clusters. "95 %
 * interval over 16 clusters (repo); groups over 5 to 9; scores over 10 to 16"
 */
export function describeUnits(suite: SuiteSummary): readonly string[] {
  const { groups, clustered_by, slices = [] } = suite;
  const all = groups.at(-1);
  if (all === undefined || all.ci95 === null) return [];
  const { n, questions, clusters } = all;
  if (clusters === undefined && n === questions) return [];
  const unit = clusters === undefined ? 'question' : 'cluster';
  const field = clusters === undefined || clustered_by === undefined ? '' : ` (${clustered_by})`;
  const whole = countUnits(all.group, all);
  const sliced = slices.flatMap((slice) => slice.groups);
  const parts = [...groups.slice(0, -1), ...sliced].map((one) => countUnits(one.group, one));
  const scores = Object.entries(all.scores ?? {}).map((entry) => countUnits(...entry));
  const over = [
    `95 % interval over ${plural(whole.count, unit)}${field}`,
    ...describeFewer('groups', parts, whole.count),
    ...describeFewer('scores', scores, whole.count),
  ];
  const isAlone = [whole, ...parts, ...scores].some(tellsNothing);
  return [[over.join('; '), ...lineIf(isAlone, `one ${unit} tells nothing of others`)].join(': ')];
}

/** How many questions or clusters an interval of `of` results is over; 0 without an interval. */
type Units = Readonly<{ name: string; count: number; of: number }>;

function countUnits(name: string, figures: GroupSummary | ScoreFigures): Units {
  const { ci95, clusters } = figures;
  const [questions, of] =
    'graded' in figures
      ? [figures.graded_questions, figures.graded]
      : [figures.questions, figures.n];
  return { name, count: ci95 === null ? 0 : (clusters ?? questions), of };
}

function tellsNothing({ count, of }: Units): boolean {
  return count === 1 && of > 1;
}

/** "scores over 1 to 12 (kind over one)", where one has fewer than the whole. */
function describeFewer(what: string, units: readonly Units[], whole: number): readonly string[] {
  const counts = units.flatMap(({ count }) => (count === 0 ? [] : count));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const names = units.filter(tellsNothing).map(({ name }) => escapeLine(name, 60));
  const alone = names.length === 0 ? '' : ` (${listUp(names, 3)} over one)`;
  const range = least === most ? least : `${least} to ${most}`;
  return lineIf(least < whole, `${what} over ${range}${alone}`);
}

/** "latency with 95 % intervals: median 27.8 s (12 - 41 s), p95 128 s (> 90 s)". */
export function describeTimes({ groups }: SuiteSummary): readonly string[] {
  const all = groups.at(-1);
  if (!all?.median_latency_ci95 && !all?.p95_latency_ci95) return [];
  // What a stopped run has answered is no sample of the rest.
  if (all.states.not_run > 0) return [];
  const toText = (
    name: string,
    ms: number | null,
    isCensored: boolean,
    ends: TimeInterval | null,
  ) => (ms === null ? [] : `${name} ${formatTime(ms, isCensored)}${formatTimeInterval(ends)}`);
  const times = [
    toText('median', all.median_latency_ms, all.median_censored, all.median_latency_ci95),
    toText('p95', all.p95_latency_ms, all.p95_censored, all.p95_latency_ci95),
  ].flat();
  return [`latency with 95 % intervals: ${times.join(', ')}`];
}

/**
 * "total is the mean of 140 of 165 results; 6 errors count as 0", where a score has no value for some
 * results, and errors have one.
 */
export function describeScoreErrors({ groups }: SuiteSummary): readonly string[] {
  const { scores = {}, graded = 0, graded_states } = groups.at(-1) ?? {};
  const errors = (graded_states?.errored ?? 0) + (graded_states?.timed_out ?? 0);
  const means = Object.entries(scores).flatMap(([name, { n, mean }]) => {
    const of = `${n} of ${plural(graded, 'result')}`;
    return lineIf(mean !== null && n < graded, `${escapeLine(name, 60)} is the mean of ${of}`);
  });
  const count = plural(errors, 'error or timeout counts', 'errors and timeouts count');
  return lineIf(errors > 0 && means.length > 0, `${listUp(means, 3)}; ${count} as 0`);
}

export function describeChance({ chance }: SuiteSummary): readonly string[] {
  return lineIf(chance !== null, `chance level: ${formatRate(chance)}`);
}

export function describeConfidence({
  confidence,
  confidence_scale,
}: SuiteSummary): readonly string[] {
  const scale = confidence_scale === undefined ? '' : ` (numbers of 0 to ${confidence_scale})`;
  const buckets = confidence.map(
    ({ bucket, n, accuracy }) => `${bucket} ${formatRate(accuracy)} of ${n}`,
  );
  const text = `accuracy by stated confidence${scale}: ${buckets.join(', ')}`;
  return lineIf(buckets.length > 0, text);
}

/** "stated probabilities: Brier score 0.142 (0.098 - 0.203), AUROC 0.78 (0.61 - 0.89), of 48" */
export function describeProbability({ probability }: SuiteSummary): readonly string[] {
  if (probability === undefined) return [];
  const { n, brier, auroc } = probability;
  const withInterval = ({ value, ci95 }: Rate, digits: number) =>
    `${value.toFixed(digits)} (${ci95.map((end) => end.toFixed(digits)).join(' - ')})`;
  const area =
    auroc === null
      ? 'no AUROC, since all are right or all wrong'
      : `AUROC ${withInterval(auroc, 2)}`;
  return [
    `stated probabilities: Brier score ${withInterval(brier, 3)}, ${area}, of ${plural(n, 'answer')}${n > brier.n ? ` to ${plural(brier.n, 'question')}` : ''}`,
  ];
}

export function describeReadings({ readings }: SuiteSummary): readonly string[] {
  const { uncertain = 0, unread = 0 } = readings ?? {};
  const parts = [
    ...lineIf(uncertain > 0, `${plural(uncertain, 'answer')} read with doubt`),
    ...lineIf(unread > 0, `${plural(unread, 'output')} in which no single answer was found`),
  ];
  return lineIf(
    parts.length > 0,
    `${parts.join(', ')}; see "How an answer is found" in ${DOCS}/scoring.md`,
  );
}

export function describeKnownJudges({ judges = [] }: SuiteSummary): readonly string[] {
  const alike = Map.groupBy(judges, (judge) => describeJudge({ ...judge, score: undefined }));
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const scores = [first, ...others].flatMap(({ score }) => score ?? []);
    return [describeJudge({ ...first, score: scores.join(' and ') || undefined })];
  });
}

/** What is known of a judge. Criteria are not named: they may quote records. */
export function describeJudge({ models, prompt_hash, score, calibration }: JudgeFigures): string {
  const what = score === undefined ? 'judge' : `judge of ${score},`;
  const name = `${what} ${models.join(', ')} (prompt ${prompt_hash.slice(0, 8)})`;
  if (calibration === null)
    return `${name}: uncalibrated, its errors are not known; measure them with viva label`;
  const { labels, changed } = calibration;
  const end = changed === true ? '; it has CHANGED since, so label again' : '';
  return `${name}: ${describeCalibration(calibration)}, by ${plural(labels, 'label')} of people${end}`;
}

function describeCalibration({ tpr, tnr, kappa, kappa_ci95 }: Calibration): string {
  if (kappa_ci95 === undefined) return `TPR ${formatMeasured(tpr)}, TNR ${formatMeasured(tnr)}`;
  return `weighted kappa ${formatKappa(kappa, kappa_ci95)}`;
}

/** pass@k (at least one of k trials is right) and pass^k (all are right). */
export function describePassRates({ rates }: SuiteTrials): readonly string[] {
  const figures = rates.map(
    ({ k, pass_at_k: any, pass_hat_k: all, pass_at_k_ci95, pass_hat_k_ci95 }) => {
      const [ofAny, ofAll] = [formatInterval(pass_at_k_ci95), formatInterval(pass_hat_k_ci95)];
      if (k === 1) return `k=1 ${formatRate(any)} (${ofAny})`;
      return `k=${k} ${formatRate(any)} (${ofAny}) / ${formatRate(all)} (${ofAll})`;
    },
  );
  const text = `pass@k (one of k trials is right) / pass^k (all are): ${figures.join(', ')}`;
  return lineIf(rates.length > 0, text);
}

/** How alike the trials of a question are: 100 % where they never differ. */
export function describeConsistency({
  outcome_consistency: outcome,
  cost_consistency: cost,
}: SuiteTrials): readonly string[] {
  return [
    ...lineIf(
      outcome !== null,
      `outcome consistency: ${formatRate(outcome)} (pairs of trials of a question that are both right or both wrong)`,
    ),
    ...lineIf(
      cost !== null,
      `cost consistency: ${formatRate(cost)} (exp(-v), v: standard deviation / mean of the costs of a question)`,
    ),
  ];
}

export function describeUnstable({ unstable, rates }: SuiteTrials): readonly string[] {
  // Without a rate trials are missing, which may differ in further questions.
  const atLeast = rates.length === 0 ? 'at least ' : '';
  const text = `${atLeast}${plural(unstable.length, 'question')} right in some trials only: ${listIds(unstable, 240)}`;
  return lineIf(unstable.length > 0, text);
}

/** Answers that were looked up say little of the agent. */
export function describeCopies(suite: SuiteSummary): readonly string[] {
  const { text = [], page = [] } = suite.copies ?? {};
  return countCopies(suite).map((line) => `${line} (${listIds([...text, ...page], 240)})`);
}

/** The same without the ids of the questions. */
export function countCopies({ copies, groups }: SuiteSummary): readonly string[] {
  if (copies === undefined) return [];
  const { text, page, without } = copies;
  const seen = [...text, ...page];
  const all = groups.at(-1)?.questions ?? 0;
  const isBoth = text.length > 0 && page.length > 0;
  const what = isBoth
    ? `with a copy of their text (${text.length}) or records of the benchmark (${page.length})`
    : `with ${text.length > 0 ? 'a copy of their text' : 'records of the benchmark'}`;
  const were = partOf(seen.length, all, 'question', 'was seen', 'were seen');
  const rest = without.accuracy === null ? '' : `; without them ${formatRate(without.accuracy)}`;
  return lineIf(seen.length > 0, `${were} ${what}${rest}`);
}

/** A figure of an agent that met other tools than its users do. */
export function describeReplacedTools(suite: SuiteSummary): readonly string[] {
  return countReplacedTools(suite).map(
    (text) => `${text}, so say this with the accuracy; latency leaves the time of the tools out`,
  );
}

/** "tools were replayed in 12 of 20 answers, and mocked in 3" */
export function countReplacedTools({ replaced_tools }: SuiteSummary): readonly string[] {
  const { replayed = 0, mocked = 0, results = 0 } = replaced_tools ?? {};
  const ways = [
    ...lineIf(replayed > 0, `replayed in ${replayed}`),
    ...lineIf(mocked > 0, `mocked in ${mocked}`),
  ];
  return lineIf(
    ways.length > 0,
    `tools were ${ways.join(' and ')} of ${plural(results, 'answer')}`,
  );
}

/** The latency of an agent whose answers waited for others is not its own. */
export function describeDelay({ groups }: SuiteSummary): readonly string[] {
  const clauses = groups.slice(-1).flatMap((all) => describeOwnDelays('the latency', all));
  return clauses.map((clause) => `${clause}. Lower EVAL_CONCURRENCY to measure the agent.`);
}

/**
 * What an agent cost at least, if the cost of some answers is not known; nothing where its suite says
 * that it is free.
 */
export function describeCostAtLeast(
  { suite, groups }: SuiteSummary,
  { suites }: Pick<Manifest, 'suites'>,
): readonly string[] {
  const all = groups.at(-1);
  if (all?.cost_at_least_usd === undefined) return [];
  const { without_cost = 0 } = all;
  if (without_cost === 0 && suites.some((entry) => entry.suite === suite && isFree(entry)))
    return [];
  const answers = `the cost of ${plural(without_cost, 'answer')} is not known`;
  const running = 'what was asked without a result is not counted';
  return [`cost: ${formatTotalCost(all)}; ${without_cost > 0 ? answers : running}`];
}

/** Whether a suite says `free: true` and asks no model besides its agents. */
function isFree({ plans, judges, prefer, user }: SuiteManifest): boolean {
  const isAlone = (judges ?? prefer ?? user) === undefined;
  return isAlone && plans.length > 0 && plans.every(({ price }) => price?.source === 'free');
}

/** The bad records that EVAL_SKIP_BAD left out of a suite. */
export function describeBadRecords({ left_out = [] }: SuiteManifest): readonly string[] {
  const are = plural(left_out.length, 'bad record is', 'bad records are');
  const text = `${are} not asked (EVAL_SKIP_BAD): ${listUp(left_out, 5)}`;
  return lineIf(left_out.length > 0, text);
}

/** The questions that EVAL_IDS left out of a suite: its figures are of the others, or some of them. */
export function describeExcluded({
  excluded,
  questions,
}: Pick<SuiteManifest, 'excluded' | 'questions'>): readonly string[] {
  if (excluded === undefined) return [];
  const { ids, of } = excluded;
  const chosen = of - ids.length;
  const kept = `${Math.min(questions.length, chosen)} of ${plural(of, 'question')}`;
  const limit =
    questions.length < chosen ? `, ${chosen - questions.length} more by EVAL_LIMIT` : '';
  return [`${kept}, ${ids.length} left out (EVAL_IDS)${limit}: ${listUp(ids, 5)}`];
}

/** What a run lacks or has too much of, a sentence each. */
export function listFaults(outcome: RunOutcome): readonly string[] {
  const kinds = [describePartial, describeIncomplete, describeStops, describeRunErrors];
  return kinds.flatMap((sentencesOf) => sentencesOf(outcome));
}

export function describePartial({ leftOut, results, end }: RunOutcome): readonly string[] {
  const all = leftOut + results.length;
  const skipped = partOf(leftOut, all, 'test', 'was not selected', 'were not selected');
  const picked =
    end.narrowed_by.last_failed && results.length > 0
      ? ' The others were asked because they had failed, so they have no accuracy and are compared with nothing.'
      : '';
  return lineIf(leftOut > 0, `PARTIAL: ${skipped}. No figure counts them.${picked}`);
}

export function describeIncomplete(outcome: RunOutcome): readonly string[] {
  const { summary, notRun, results, duplicates, unreadable } = outcome;
  const missing = partOf(notRun.length, results.length, 'test', 'was', 'were');
  const repeated = plural(duplicates.length, 'test has', 'tests have');
  const problems = [
    ...lineIf(notRun.length > 0, `${missing} not run (${explainNotRun(results).counts})`),
    ...lineIf(duplicates.length > 0, `${repeated} more than one result: ${listUp(duplicates, 3)}`),
    // A line that a crash cut off matters where its result is missing.
    ...lineIf(
      unreadable > 0 && notRun.length > 0,
      `${plural(unreadable, 'line')} of samples.jsonl cannot be read`,
    ),
  ];
  const groups = summary.suites.flatMap((suite) => suite.groups);
  const isBounded = groups.some(({ accuracy, bounds }) => accuracy === null && bounds !== null);
  const bounds = isBounded
    ? '. The table shows bounds of the accuracy, and times of what ran.'
    : '.';
  return lineIf(problems.length > 0, `NOT COMPLETE: ${problems.join('; ')}${bounds}`);
}

const MOST_NAMED = 5;

export function describeStops({ results }: RunOutcome): readonly string[] {
  const { stops } = explainNotRun(results);
  return stops.slice(0, MOST_NAMED).map((stop) => `STOPPED: ${stop}`);
}

export function describeRunErrors({ runErrors }: RunOutcome): readonly string[] {
  return runErrors.slice(0, MOST_NAMED).map((failure) => `RUN ERROR: ${failure}`);
}
