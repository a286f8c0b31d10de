import type { SuiteComparison } from '../src/compare/comparison.ts';
import { listIds } from '../src/compare/list-ids.ts';
import type { Comparison, PairedDifference } from '../src/metrics/compare.ts';
import { plural } from '../src/text/plural.ts';
import { formatPoints, formatPointsInterval, formatRatio, isSignificant, judgeP } from './differences.ts';
import { formatRate } from './figures.ts';
import type { SuiteTable } from './suite-rows.ts';

/** Accuracy of both runs by group as text cells: a head row, the groups, then all questions together. */
export function toComparisonTable({ figures }: SuiteComparison): SuiteTable {
  const head = ['group', 'n', 'A', 'B', 'B - A', '95 % interval'];
  const rows = [...figures.groups, { group: 'all', ...figures }].map((row) => [row.group, ...toCells(row)]);
  return { align: ['left', 'right', 'right', 'right', 'right', 'right'], rows: [head, ...rows] };
}

/** Who is compared: a line for A, one for B. */
export function toLegend({ a, b }: SuiteComparison): readonly string[] {
  return [
    { name: 'A (baseline)', side: a },
    { name: 'B', side: b },
  ].map(({ name, side: { run, agent, models } }) => {
    const model = models.length === 0 ? '' : ` (${models.join(', ')})`;
    return `${name}: ${run}, ${agent}${model}`;
  });
}

/** What is said below the table, a sentence each: flips, how sure the difference is, times and costs, remarks. */
export function toComparisonLines({ figures, notes }: SuiteComparison): readonly string[] {
  return [...toFlipLines(figures), ...toTestLines(figures), ...toRatioLines(figures), ...notes];
}

/** The questions that changed, by kind; none are said too. */
export function toFlipLines({ questions, flips, shifts }: Comparison): readonly string[] {
  const lists = [
    ['fixed', flips.fixed],
    ['broken', flips.broken],
    ['better in some trials', shifts.improved],
    ['worse in some trials', shifts.worsened],
  ] as const;
  const changed = lists.filter(([, ids]) => ids.length > 0);
  if (questions > 0 && changed.length === 0) return [`no verdict changed on ${plural(questions, 'question')}`];
  return changed.map(([name, ids]) => `${name} ${ids.length}: ${listIds(ids, 340)}`);
}

function toCells({ questions, accuracy_a, accuracy_b, difference, ci95 }: PairedDifference): readonly string[] {
  const rates = [accuracy_a, accuracy_b].map(formatRate);
  return [String(questions), ...rates, formatPoints(difference), formatPointsInterval(ci95)];
}

function toTestLines({
  questions,
  accuracy_a,
  p_value,
  exact,
  difference,
  ci95,
  detectable_drop,
}: Comparison): readonly string[] {
  if (p_value === null) return ['no question is finished in both runs: nothing is compared'];
  const test = exact ? 'exact sign-flip test' : 'sign-flip test, normal approximation';
  const detectable =
    detectable_drop === null
      ? `no drop can be shown with ${plural(questions, 'question')}, of which A has ${formatRate(accuracy_a)} right`
      : `a true difference of ${formatPoints(-detectable_drop)} would show in four of five such comparisons`;
  return [
    `difference ${formatPoints(difference)}, ${judgeP(p_value)} (${test}${explainDoubt(p_value, ci95)})`,
    detectable,
  ];
}

/** Test and interval are two methods: near the border they may disagree, and then it is said which one decides. */
function explainDoubt(p: number, interval: PairedDifference['ci95']): string {
  if (interval === null) return '';
  const isOutside = interval[0] > 0 || interval[1] < 0;
  if (isOutside === isSignificant(p)) return '';
  return `, which decides; the interval, another method, ${isOutside ? 'leaves 0 out' : 'holds 0'}`;
}

function toRatioLines({ latency_ratio, cost_ratio }: Comparison): readonly string[] {
  return [
    ...(latency_ratio === null ? [] : [`latency: ${formatRatio(latency_ratio)} A's (median over questions)`]),
    ...(cost_ratio === null ? [] : [`cost: ${formatRatio(cost_ratio)} A's for each trial`]),
  ];
}
