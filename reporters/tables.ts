import { ALL_STATES, STATES } from '../src/states.ts';
import { countVariants, formatPercent, lineIf, nameVariant, plural } from '../src/text/wording.ts';
import type { GroupSummary, JudgeFigures, Rate, SuiteSummary, Summary } from '../src/types.ts';
import { formatCost, formatLatency } from './html/page/format.js';

/** A table as text cells, the head row first. Each writer draws and escapes the same cells. */
export type Table = {
  readonly align: readonly ('left' | 'right')[];
  readonly rows: readonly (readonly string[])[];
};

/**
 * The title of a suite's table. The predictions of the committed samples are made up and measure
 * nothing.
 */
export function nameSuite(summary: SuiteSummary, { suites }: Summary): string {
  const { suite, dataset, agent } = summary;
  const sides = suites.filter((other) => other.suite === suite && other.dataset === dataset);
  const note =
    dataset === 'sample' && agent === 'replay' ? ' (made-up predictions, not a measurement)' : '';
  const side = nameColumns(sides)[sides.indexOf(summary)] ?? nameVariant(summary);
  return `${nameDataset(summary)} · ${agent === `${suite} agent` ? side.replace(agent, 'own agent') : side}${note}`;
}

/** A suite and its dataset, which has the suite's name where the records stand in the eval file. */
export function nameDataset({ suite, dataset }: Pick<SuiteSummary, 'suite' | 'dataset'>): string {
  return suite === dataset ? suite : `${suite} · ${dataset}`;
}

/** One line for each of more suites than fit on a screen; null for fewer. */
export function toOverview(summary: Summary): Table | null {
  const { suites } = summary;
  if (suites.length <= MOST_TABLES) return null;
  const rows = suites.map((suite) => {
    const all = suite.groups.at(-1);
    const cells =
      all === undefined
        ? []
        : [String(all.n), formatAccuracy(all), formatInterval(all.ci95), formatTotalCost(all)];
    return [nameSuite(suite, summary), ...cells];
  });
  const align = ['left', 'right', 'right', 'right', 'right'] as const;
  const table = [['suite', 'n', 'accuracy', '95 % interval', 'cost'], ...rows];
  return suites.some(({ groups }) => groups.some(hasCost))
    ? { align, rows: table }
    : { align: align.slice(0, -1), rows: table.map((row) => row.slice(0, -1)) };
}

/** With this many, the tables themselves are an overview. */
const MOST_TABLES = 3;

/** The figures of a suite: a row for each group. */
export function toSuiteTable({ groups }: SuiteSummary): Table {
  const columns = COLUMNS.filter(({ when }) => when === undefined || groups.some(when));
  const head = columns.map((column) =>
    typeof column.head === 'string' ? column.head : column.head(groups),
  );
  const body = groups.map((group) => columns.map((column) => column.cell(group)));
  return { align: columns.map(({ align }) => align), rows: [head, ...body] };
}

/** The head of the column with `n`: whether it counts trials or questions. */
export function nameCount(groups: readonly GroupSummary[]): string {
  return groups.some(({ n, questions }) => n > questions) ? 'n (trials)' : 'n';
}

/** One column of the tables of figures. To add one: a line in COLUMNS. */
type Column = {
  readonly head: string | ((groups: readonly GroupSummary[]) => string);
  readonly align: 'left' | 'right';
  cell(group: GroupSummary): string;
  /** Shown only if this is true for some group of the suite; without it always shown. */
  readonly when?: (group: GroupSummary) => boolean;
};

const COLUMNS: readonly Column[] = [
  { head: 'group', align: 'left', cell: ({ group }) => group },
  { head: nameCount, align: 'right', cell: ({ n }) => String(n) },
  {
    head: 'graded',
    align: 'right',
    cell: ({ graded }) => String(graded),
    when: ({ n, graded }) => graded !== n,
  },
  // Not 0 if all targets are hidden.
  {
    head: 'correct',
    align: 'right',
    cell: ({ graded, states }) => (graded === 0 ? '-' : String(states.correct)),
  },
  { head: 'accuracy', align: 'right', cell: formatAccuracy },
  { head: '95 % interval', align: 'right', cell: ({ ci95 }) => formatInterval(ci95) },
  { head: 'corrected', align: 'right', cell: formatCorrected, when: isJudged },
  {
    head: 'its interval',
    align: 'right',
    cell: formatCorrectedInterval,
    when: isJudged,
  },
  {
    head: 'median',
    align: 'right',
    cell: (group) => formatTime(group.median_latency_ms, group.median_censored),
  },
  {
    head: 'p95',
    align: 'right',
    cell: (group) => formatTime(group.p95_latency_ms, group.p95_censored),
  },
  ...listStateColumns(),
  {
    head: 'cached',
    align: 'right',
    cell: ({ cached }) => String(cached),
    when: ({ cached }) => cached > 0,
  },
  {
    head: (groups) => markEstimate('cost', groups),
    align: 'right',
    cell: formatTotalCost,
    when: hasCost,
  },
  {
    head: (groups) => markEstimate('new cost', groups),
    align: 'right',
    cell: ({ new_cost_usd = null }) => formatCost(new_cost_usd),
    when: ({ new_cost_usd }) => new_cost_usd !== undefined,
  },
];

function markEstimate(head: string, groups: readonly GroupSummary[]): string {
  return groups.some(({ cost_estimated }) => cost_estimated === true)
    ? `${head} (estimated)`
    : head;
}

/** A column for each state that has one of its own. */
function listStateColumns(): readonly Column[] {
  return ALL_STATES.flatMap((state) => {
    const { column } = STATES[state];
    if (column === null) return [];
    const cell = ({ states }: GroupSummary) => String(states[state]);
    const shown =
      column.shown === 'always' ? {} : { when: ({ states }: GroupSummary) => states[state] > 0 };
    return [{ head: column.head, align: 'right' as const, cell, ...shown }];
  });
}

/**
 * A titled table for each suite and dataset with several sides: a column for each agent and prompt.
 */
export function toSideBySide({
  suites,
}: Summary): readonly { readonly title: string; readonly table: Table }[] {
  const bySuite = Map.groupBy(suites, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...bySuite.values()].flatMap((sides) => {
    const [first] = sides;
    if (first === undefined || sides.length < 2) return [];
    const isOneAgent = sides.every(({ agent }) => agent === first.agent);
    const who = isOneAgent ? [first.agent] : [];
    const title = [nameDataset(first), ...who, countVariants(sides)].join(' · ');
    return [{ title, table: compareSides(sides) }];
  });
}

function compareSides(sides: readonly SuiteSummary[]): Table {
  const groups = new Set(sides.flatMap((side) => side.groups.map(({ group }) => group)));
  const whole = sides.flatMap((side) => side.groups.filter(({ group }) => group === 'all'));
  const row = (head: string, cell: (figures: GroupSummary) => string, of = 'all') => [
    head,
    ...sides.map(({ groups: own }) => own.filter(({ group }) => group === of).map(cell)[0] ?? '-'),
  ];
  const isPartly = whole.some(({ n, graded }) => graded !== n);
  const rows = [
    ['', ...nameColumns(sides)],
    row(nameCount(whole), ({ n }) => String(n)),
    ...(isPartly ? [row('graded', ({ graded }) => String(graded))] : []),
    row('accuracy', formatAccuracy),
    row('95 % interval', ({ ci95 }) => formatInterval(ci95)),
    ...(whole.some(isJudged)
      ? [
          row('corrected for the judge', formatCorrected),
          row('its interval', formatCorrectedInterval),
        ]
      : []),
    ...[...groups]
      .filter((group) => group !== 'all')
      .map((group) => row(`accuracy, ${group}`, formatAccuracy, group)),
    row('median latency', (all) => formatTime(all.median_latency_ms, all.median_censored)),
    ...listStateRows(whole).map(({ head, count }) =>
      row(head, ({ states }) => String(count(states))),
    ),
    ...(whole.some(hasCost) ? [row(markEstimate('cost', whole), formatTotalCost)] : []),
  ];
  return { align: ['left', ...sides.map(() => 'right' as const)], rows };
}

/**
 * The names of several sides. Prompts alone where one agent was asked: both together make a wide
 * table.
 */
export function nameColumns(sides: readonly SuiteSummary[]): readonly string[] {
  const isOneAgent = new Set(sides.map(({ agent }) => agent)).size === 1;
  return sides.map((side) =>
    isOneAgent && side.prompt !== undefined ? side.prompt : nameVariant(side),
  );
}

type StateCounts = GroupSummary['states'];

function listStateRows(whole: readonly GroupSummary[]) {
  const rows = Map.groupBy(ALL_STATES, (state) => STATES[state].row);
  return [...rows].flatMap(([head, own]) => {
    const count = (states: StateCounts) => own.reduce((sum, state) => sum + states[state], 0);
    const isShown =
      own.some((state) => STATES[state].ran) || whole.some(({ states }) => count(states) > 0);
    return head !== null && isShown ? [{ head, count }] : [];
  });
}

/** Accuracy by the stated confidence; null if no answer stated one. */
export function toConfidenceTable({ confidence, confidence_scale }: SuiteSummary): Table | null {
  if (confidence.length === 0) return null;
  const rows = confidence.map(({ bucket, n, correct, accuracy }) => {
    return [bucket, String(n), String(correct), formatRate(accuracy)];
  });
  return {
    align: ['left', 'right', 'right', 'right'],
    rows: [[`confidence${nameScale(confidence_scale)}`, 'n', 'correct', 'accuracy'], ...rows],
  };
}

function nameScale(scale: number | undefined): string {
  return scale === undefined ? '' : ` (numbers of 0 to ${scale})`;
}

/** Accuracy by the position of the right option; null if options were not shuffled. */
export function toPositionTable({ positions }: SuiteSummary): Table | null {
  if (positions.length === 0) return null;
  const head = ['position', 'n', 'correct', 'accuracy', 'chosen'];
  const rows = positions.map(({ position, n, correct, accuracy, chosen }) => {
    return [String(position), String(n), String(correct), formatRate(accuracy), String(chosen)];
  });
  return { align: head.map(() => 'right'), rows: [head, ...rows] };
}

/**
 * The lines below a suite's table. The terminal shows no partial credit: readers could take it for
 * accuracy.
 */
export function toSuiteLines(
  suite: SuiteSummary,
  { withPartial }: { readonly withPartial: boolean },
): readonly string[] {
  const { macro_accuracy, chance, confidence, confidence_scale, partial, judges = [] } = suite;
  const buckets = confidence.map(
    ({ bucket, n, accuracy }) => `${bucket} ${formatRate(accuracy)} of ${n}`,
  );
  const means = Object.entries(partial ?? {}).map(([name, mean]) => `${name} ${formatRate(mean)}`);
  return [
    ...lineIf(macro_accuracy !== null, `mean of the groups: ${formatRate(macro_accuracy)}`),
    ...lineIf(chance !== null, `chance level: ${formatRate(chance)}`),
    ...lineIf(
      buckets.length > 0,
      `accuracy by stated confidence${nameScale(confidence_scale)}: ${buckets.join(', ')}`,
    ),
    ...describeProbability(suite),
    ...new Set(judges.map(describeJudge)),
    ...lineIf(
      means.length > 0 && withPartial,
      `mean partial credit (not part of accuracy): ${means.join(', ')}`,
    ),
  ];
}

/** "stated probabilities: Brier score 0.142 (0.098 - 0.203), AUROC 0.78 (0.61 - 0.89), of 48" */
function describeProbability({ probability }: SuiteSummary): readonly string[] {
  if (probability === undefined) return [];
  const { n, brier, auroc } = probability;
  const show = ({ value, ci95 }: Rate, digits: number) =>
    `${value.toFixed(digits)} (${ci95.map((end) => end.toFixed(digits)).join(' - ')})`;
  const area =
    auroc === null ? 'no AUROC, since all are right or all wrong' : `AUROC ${show(auroc, 2)}`;
  return [
    `stated probabilities: Brier score ${show(brier, 3)}, ${area}, of ${plural(n, 'answer')}`,
  ];
}

/** What is known of a judge. Criteria are not named: they may quote records. */
export function describeJudge({ models, prompt_hash, calibration }: JudgeFigures): string {
  const name = `judge ${models.join(', ')} (prompt ${prompt_hash.slice(0, 8)})`;
  if (calibration === null)
    return `${name}: uncalibrated, its errors are not known; viva judge sample takes answers to label`;
  const { tpr, tnr, labels, changed } = calibration;
  return `${name}: TPR ${formatMeasured(tpr)}, TNR ${formatMeasured(tnr)}, by ${plural(labels, 'label')} of people${changed === true ? '; it has CHANGED since, so label again' : ''}`;
}

/** "95.0 % (86.3 - 98.3 %)"; "-" without a label. */
export function formatMeasured(rate: Rate | null): string {
  return rate === null ? '-' : `${formatRate(rate.value)} (${formatInterval(rate.ci95)})`;
}

/** "58.3 %"; "-" for what is not known. */
export function formatRate(rate: number | null): string {
  return rate === null ? '-' : formatPercent(rate);
}

/** "42.3 - 75.4 %". */
export function formatInterval(interval: readonly [number, number] | null): string {
  return interval === null
    ? '-'
    : `${formatRate(interval[0]).replace(' %', '')} - ${formatRate(interval[1])}`;
}

/** If something was not run there is no accuracy, only its bounds. */
export function formatAccuracy({
  accuracy,
  bounds,
}: Pick<GroupSummary, 'accuracy' | 'bounds'>): string {
  return accuracy === null && bounds !== null
    ? `in ${formatInterval(bounds)}`
    : formatRate(accuracy);
}

/** Accuracy corrected for the judge's errors, or why it is not known. */
function formatCorrected({ corrected }: GroupSummary): string {
  return corrected?.why ?? formatRate(corrected?.accuracy ?? null);
}

function formatCorrectedInterval({ corrected }: GroupSummary): string {
  return formatInterval(corrected?.ci95 ?? null);
}

function isJudged({ corrected }: GroupSummary): boolean {
  return corrected !== undefined;
}

/** A latency as the report shows it, "> 60.0 s" if it is only known to be longer (`censored`). */
export function formatTime(ms: number | null, censored: boolean): string {
  return ms !== null && censored ? `> ${formatLatency(ms)}` : formatLatency(ms);
}

/**
 * What a group cost: "$1.20", or "at least $1.20" if the cost of some answers is not known. "free so
 * far" if all answers were free, and only calls under way are not counted.
 */
export function formatTotalCost(group: GroupSummary): string {
  const { cost_usd, cost_at_least_usd: least, without_cost } = group;
  if (least === undefined) return formatCost(cost_usd);
  return least === 0 && without_cost === 0 ? 'free so far' : `at least ${formatCost(least)}`;
}

/** Whether any cost of a group is known. */
function hasCost({ cost_usd, cost_at_least_usd }: GroupSummary): boolean {
  return cost_usd !== null || cost_at_least_usd !== undefined;
}
