import { formatExactDollars } from '../words/amounts.js';
import type { GroupSummary, SuiteSummary } from '../words/figures.ts';
import { formatMeans, formatPercents } from '../words/percent.ts';
import type { SampleResult } from '../words/row.ts';
import { escapeLine, partOf, plural, quote } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import type { Comparison } from './compare.ts';
import { readSlice, tallyQuestions, toSuiteKey } from './groups.ts';
import { computeSmallestMargin } from './intervals.ts';
import { type ScoreKind, scoreOf } from './named-scores.ts';
import type { Limit } from './parse-gates.ts';

/** The result of a threshold on the figures of a group. */
export type Verdict = Readonly<{
  /** Null if it cannot be judged: incomplete run, missing group, hidden targets, no baseline. */
  holds: boolean | null;
  /**
   * What is compared with the threshold: accuracy, lowest share of right trials of a question, drop
   * or rate of a judge at the lower end of the interval, share of errored results, mean of a score,
   * dollars or milliseconds; null if not known.
   */
  value: number | null;
  /** A clause such as "accuracy 58.3 % is below the gate 60.0 % for group all". */
  explanation: string;
}>;

/** What is known of one agent on one suite. */
type Judged = Readonly<{
  suite: SuiteSummary;
  comparison: Comparison | null;
  results: readonly SampleResult[];
}>;

/** Judges one threshold of a gate on the group with this name. */
export function judgeLimit(limit: Limit, name: string, judged: Judged): Verdict {
  const { measure, threshold, score } = limit;
  const gated = findGatedGroup(judged.suite, name);
  if (typeof gated === 'string') return toUnknown(gated);
  const { figures: group } = gated;
  if (measure === 'min_judge_tpr' || measure === 'min_judge_tnr')
    return judgeJudges(judged.suite, measure, threshold);
  if (measure === 'max_cost_usd') return judgeCost(group, threshold);
  if (measure === 'max_median_ms' || measure === 'max_p95_ms')
    return judgeTime(group, measure, threshold);
  if (group.graded === 0) return toUnknown(`no result of group ${name} can be graded`);
  if (group.accuracy === null) {
    const verbs = [`of group ${name} was`, `of group ${name} were`] as const;
    return toUnknown(`${partOf(group.states.not_run, group.n, 'result', ...verbs)} not run`);
  }
  const own = listOwn(judged, gated);
  if (score !== undefined) return judgeScore({ ...limit, score }, gated, judged.comparison, own);
  if (measure === 'min_accuracy')
    return judgeMean('accuracy', 'rate', group.accuracy, threshold, name);
  if (measure === 'min_pass_rate_per_case') return judgeCases(name, own, threshold);
  if (measure === 'max_errored') return judgeErrored(group, threshold);
  // A target is known for all trials of a question or for none.
  const gradable = Math.round((group.questions * group.graded) / group.n);
  return judgeDrop(
    { of: '', kind: 'rate', expected: gradable, lacking: 'is finished' },
    gated,
    threshold,
    judged.comparison,
    (compared) => compared,
  );
}

/** A group that a gate names. */
type GatedGroup = Readonly<{
  /** The further grouping that it is of; null for the first one, and for "all". */
  slice: string | null;
  group: string;
  /** By the name that is in the gate. */
  figures: GroupSummary;
}>;

/**
 * Finds the group of a gate by its name, in further groupings too. A name that two groupings have
 * needs that of its grouping before it ("topic rent"). Gives a clause that says why there is none.
 */
function findGatedGroup(
  { groups, grouped_by: first = 'group', slices = [] }: SuiteSummary,
  name: string,
): GatedGroup | string {
  const all = groups.map((figures) => ({ by: first, slice: null, figures }));
  const sliced = slices.flatMap(({ by, groups: own }) =>
    own.map((figures) => ({ by, slice: by, figures })),
  );
  const whole = all.filter(({ figures }) => figures.group === 'all' && name === 'all');
  const named = [...all, ...sliced].filter(
    ({ by, figures: { group } }) => group === name || `${by} ${group}` === name,
  );
  const [found, ...others] = whole.length > 0 ? whole : named;
  if (found === undefined) {
    const groupNames = [...all, ...sliced].map(({ figures }) => figures.group);
    return `there is no group ${name} in this run.${didYouMean(name, groupNames)}`;
  }
  const { slice, figures } = found;
  if (others.length === 0)
    return { slice, group: figures.group, figures: { ...figures, group: name } };
  const bys = [found, ...others].map(({ by }) => by);
  const remedy = bys.map((by) => `"${by} ${name}"`).join(' or ');
  return `${name} is a group by ${bys.join(' and by ')}: write ${remedy}`;
}

/** The results of the suite, agent and prompt in a group. */
function listOwn({ suite, results }: Judged, { slice, group }: GatedGroup) {
  const key = toSuiteKey(suite);
  const isInGroup = (row: SampleResult) =>
    slice === null ? group === 'all' || row.group === group : readSlice(row, slice) === group;
  return results.filter((row) => toSuiteKey(row) === key && isInGroup(row));
}

/** The comparison of the group with the baseline; undefined if they share no question of it. */
function findCompared({ slice, group }: GatedGroup, comparison: Comparison): Compared | undefined {
  if (slice === null && group === 'all') return comparison;
  const { slices = [] } = comparison;
  const groups = slice === null ? comparison.groups : slices.find(({ by }) => by === slice)?.groups;
  return groups?.find((other) => other.group === group);
}

type Compared = Pick<Comparison, 'questions' | 'ci95' | 'scores'>;

function toUnknown(explanation: string): Verdict {
  return { holds: null, value: null, explanation };
}

/**
 * Compares with the quotient: 7 / 10 meets 0.7 exactly, while a product of doubles could miss it.
 */
function judgeMean(
  what: string,
  kind: ScoreKind,
  mean: number,
  minimum: number,
  group: string,
): Verdict {
  const holds = mean >= minimum;
  const [value, gate] = formatMeans(kind, mean, minimum);
  const explanation = `${what} ${value} ${holds ? 'meets' : 'is below'} the gate ${gate} for group ${group}`;
  return { holds, value: mean, explanation };
}

/** Compares each question's share of right trials with the gate. */
function judgeCases(name: string, own: readonly SampleResult[], minimum: number): Verdict {
  const rated = [...tallyQuestions(own)]
    .filter(([, { counted }]) => counted > 0)
    .map(([id, { correct, counted }]) => ({ id, correct, counted, rate: correct / counted }))
    .sort((a, b) => a.rate - b.rate);
  const lowest = rated[0]?.rate ?? 0;
  const below = rated.filter(({ rate }) => rate < minimum);
  if (below.length === 0)
    return judgeMean('the lowest pass rate of a question', 'rate', lowest, minimum, name);
  const [, gate] = formatPercents(lowest, minimum);
  const some = partOf(below.length, rated.length, 'question', 'has', 'have');
  const worst = below
    .slice(0, WORST)
    .map(({ id, correct, counted }) => `${escapeLine(id, 60)} (${correct} of ${counted})`);
  const more = below.length > WORST ? ` and ${below.length - WORST} more` : '';
  const explanation = `${some} a pass rate below the gate ${gate} for group ${name}: ${worst.join(', ')}${more}`;
  return { holds: false, value: lowest, explanation };
}

/** How many of the questions below a gate a message names. */
const WORST = 5;

/** The cost of all results, as the table shows it: what cached answers cost is part of it. */
function judgeCost(
  { group, cost_usd, cost_at_least_usd: least, without_cost = 0 }: GroupSummary,
  maximum: number,
): Verdict {
  const sum = cost_usd ?? least ?? null;
  // The sum of 0.1 and 0.2 is not above 0.3.
  const value = sum === null ? null : Number(sum.toFixed(9));
  const gate = `the gate ${formatExactDollars(maximum)} for group ${group}`;
  const holds = value !== null && value <= maximum;
  if (value !== null && (cost_usd !== null || !holds)) {
    const cost = `${cost_usd === null ? 'at least ' : ''}${formatExactDollars(value)}`;
    return {
      holds,
      value,
      explanation: `the cost ${cost} is ${holds ? 'within' : 'above'} ${gate}`,
    };
  }
  const some = without_cost === 0 ? 'calls that were cut off' : plural(without_cost, 'result');
  return toUnknown(`the cost of ${value === null ? 'its results' : some} is not known`);
}

function judgeTime(
  group: GroupSummary,
  measure: 'max_median_ms' | 'max_p95_ms',
  maximum: number,
): Verdict {
  const [name, ms, isCensored, least] =
    measure === 'max_median_ms'
      ? (['median', group.median_latency_ms, group.median_censored, 1] as const)
      : (['p95', group.p95_latency_ms, group.p95_censored, 20] as const);
  if (ms === null)
    return toUnknown(`the ${name} of group ${group.group} needs ${plural(least, 'timed result')}`);
  const shown = `the ${name} ${isCensored ? 'is more than ' : ''}${formatMs(ms, maximum)} ms`;
  const holds = ms <= maximum;
  // The real time of a timed-out call is not known, only that it is longer than its deadline.
  if (holds && isCensored) return toUnknown(`${shown}, the deadline of a timeout`);
  const is = holds ? ' is within' : isCensored ? ', above' : ' is above';
  const explanation = `${shown}${is} the gate ${maximum} ms for group ${group.group}`;
  return { holds, value: ms, explanation };
}

/** With enough digits to differ from the gate. */
function formatMs(ms: number, maximum: number): string {
  const digits = [ms < 10 ? 1 : 0, 1, 3].find((some) => Number(ms.toFixed(some)) !== maximum);
  return String(Number(ms.toFixed(digits ?? 6)));
}

function judgeErrored({ group, graded, graded_errored }: GroupSummary, maximum: number): Verdict {
  const errored = graded_errored / graded;
  const holds = errored <= maximum;
  const [value, gate] = formatPercents(errored, maximum);
  const explanation = `errored share ${value} is ${holds ? 'within' : 'above'} the gate ${gate} for group ${group}`;
  return { holds, value: errored, explanation };
}

/** The judges of a suite, on all their labels, whatever the group. The worst of several decides. */
function judgeJudges(
  { judges = [] }: SuiteSummary,
  measure: 'min_judge_tpr' | 'min_judge_tnr',
  minimum: number,
): Verdict {
  if (judges.length === 0) return toUnknown('no judge was asked');
  const [name, of] =
    measure === 'min_judge_tpr' ? (['tpr', 'pass'] as const) : (['tnr', 'fail'] as const);
  const known = judges.flatMap(({ calibration }) => calibration ?? []);
  const hasChanged = known.some(({ changed }) => changed === true);
  const rates = known.flatMap((calibration) => calibration[name] ?? []);
  const [worst] = rates.toSorted((a, b) => a.ci95[0] - b.ci95[0]);
  if (hasChanged || worst === undefined || rates.length < judges.length) {
    const why = hasChanged
      ? 'has changed since people labelled its verdicts'
      : `has no label "${of}" by a person`;
    return { holds: false, value: null, explanation: `the judge ${why}: see "viva label"` };
  }
  const [value] = worst.ci95;
  const [shown, gate] = formatPercents(value, minimum);
  const rate = `the judge's ${name.toUpperCase()} is at least ${shown} (95 % interval, ${plural(worst.n, 'label')})`;
  return { holds: value >= minimum, value, explanation: `${rate}; the gate demands ${gate}` };
}

/** Judges a named score of a group. `results` are those of its suite, agent and prompt in it. */
function judgeScore(
  { score, measure, threshold }: Limit & { readonly score: string },
  gated: GatedGroup,
  comparison: Comparison | null,
  results: readonly SampleResult[],
): Verdict {
  const { group, scores = {} } = gated.figures;
  const name = quote(score);
  const figures = Object.hasOwn(scores, score) ? scores[score] : undefined;
  if (figures === undefined) return toUnknown(explainUnknown(score, Object.keys(scores)));
  const { n, open = 0, mean, kind } = figures;
  if (open > 0) {
    const verbs = [`of group ${group} has`, `of group ${group} have`] as const;
    return toUnknown(
      `${partOf(open, n + open, 'result', ...verbs)} no verdict for the score ${name}`,
    );
  }
  if (mean === null) return toUnknown(`no result of group ${group} has a value of ${name}`);
  if (measure === 'min_score') return judgeMean(`the score ${name}`, kind, mean, threshold, group);
  const scored = new Set(results.flatMap((row) => (scoreOf(row, score) === null ? [] : row.id)));
  const readScore = ({ scores: compared = {} }: Compared) =>
    Object.hasOwn(compared, score) ? compared[score] : undefined;
  const measured = { of: ` of the score ${name}`, kind, expected: scored.size };
  return judgeDrop(
    { ...measured, lacking: `has a value of ${name}` },
    gated,
    threshold,
    comparison,
    readScore,
  );
}

function explainUnknown(score: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'there is none' : `there are ${names.map(quote).join(', ')}`;
  return `no result has a score ${quote(score)}; ${known}.${didYouMean(score, names)}`;
}

/** What drops: how many questions have it, and what those lack that are not compared. */
type Dropping = Readonly<{
  of: string;
  kind: ScoreKind;
  expected: number;
  lacking: string;
}>;

/** Judges a drop from the baseline, at the lower end of its interval. */
function judgeDrop(
  { of, kind, expected, lacking }: Dropping,
  gated: GatedGroup,
  maximum: number,
  comparison: Comparison | null,
  read: (compared: Compared) => (Compared & { readonly kind?: ScoreKind }) | undefined,
): Verdict {
  if (comparison === null)
    return toUnknown('it needs a baseline: set EVAL_BASELINE to an earlier run');
  const { group } = gated.figures;
  const compared = findCompared(gated, comparison);
  const paired = compared && read(compared);
  if (!paired?.ci95) return toUnknown(`no question of group ${group} ${lacking} in both runs`);
  if (paired.questions < expected) {
    const some = `${paired.questions} of ${plural(expected, 'question')} of group ${group}`;
    return toUnknown(`only ${some} can be compared with the baseline`);
  }
  const drop = -paired.ci95[0];
  const isRate = (paired.kind ?? kind) === 'rate';
  const [value, gate] = formatMeans(isRate ? 'rate' : 'mean', Math.max(0, drop), maximum).map(
    (shown) => shown.replace('%', 'pp'),
  );
  const clause = `the drop${of} is at most ${value} (95 % interval); the gate allows ${gate} for group ${group}`;
  const margin = isRate ? explainMargin(paired.questions, maximum) : '';
  return { holds: drop <= maximum, value: drop, explanation: clause + margin };
}

/** Says so if no run of this size can meet the gate: the agent is not to blame. */
function explainMargin(questions: number, maximum: number): string {
  const margin = computeSmallestMargin(questions);
  if (margin <= maximum) return '';
  const [shown] = formatPercents(margin, margin);
  return `; with ${plural(questions, 'question')} it is ${shown.replace('%', 'pp')} even if no answer changes`;
}
