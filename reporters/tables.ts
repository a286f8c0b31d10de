import type { GateResult } from '../src/figures/gates.ts';
import { toSuiteKey } from '../src/figures/groups.ts';
import { countOutcomes } from '../src/figures/populations.ts';
import { formatDollars, formatLatency } from '../src/words/amounts.js';
import type { GroupSummary, SuiteSummary, Summary } from '../src/words/figures.ts';
import { ALL_STATES, STATES } from '../src/words/row.ts';
import { lineIf } from '../src/words/show.ts';
import { countVariants, nameVariant, pickVariant, type Variant } from '../src/words/variant.ts';
import {
  formatAccuracy,
  formatCorrected,
  formatCorrectedInterval,
  formatInterval,
  formatMeasured,
  formatRate,
  formatScore,
  formatScoreInterval,
  formatTime,
  formatTotalCost,
  hasCorrected,
} from './format-figures.ts';

/** A table as text cells, the head row first. Each writer draws and escapes the same cells. */
export type Table = {
  readonly align: readonly ('left' | 'right')[];
  readonly rows: readonly (readonly string[])[];
};

/** A table whose columns with these heads are aligned left; without them its first column. */
export function toTable(
  head: readonly string[],
  rows: Table['rows'],
  left = head.slice(0, 1),
): Table {
  return {
    align: head.map((name) => (left.includes(name) ? 'left' : 'right')),
    rows: [head, ...rows],
  };
}

/**
 * The title of a suite's table. The predictions of the committed samples are made up and measure
 * nothing.
 */
export function toSuiteTitle(summary: SuiteSummary, { suites }: Summary, isBrief = false): string {
  const { suite, dataset, agent } = summary;
  const variants = suites.filter((other) => other.suite === suite && other.dataset === dataset);
  const isMadeUp = dataset === 'sample' && agent === 'replay';
  const note = isBrief ? ' (made-up)' : ' (made-up predictions, not a measurement)';
  const variant = nameColumns(variants)[variants.indexOf(summary)] ?? nameVariant(summary);
  return `${nameDataset(summary)} · ${agent === `${suite} agent` ? variant.replace(agent, 'own agent') : variant}${isMadeUp ? note : ''}`;
}

/** A suite and its dataset, which has the suite's name where the records are in the eval file. */
export function nameDataset({ suite, dataset }: Pick<SuiteSummary, 'suite' | 'dataset'>): string {
  return suite === dataset ? suite : `${suite} · ${dataset}`;
}

/**
 * A line for each suite, agent and prompt of several suites, with the verdict of its gates; null for
 * one suite, whose variants are side by side.
 */
export function toOverview(summary: Summary, gates: readonly GateResult[] = []): Table | null {
  const { suites } = summary;
  if (new Set(suites.map(nameDataset)).size < 2) return null;
  const deciding = gates.filter(({ gate }) => gate.advisory !== true);
  const isGated = deciding.length > 0;
  const columns = pickOverview(suites.flatMap(({ groups }) => groups.slice(-1)));
  const rows = suites.map((suite) => [
    toSuiteTitle(suite, summary, true),
    ...suite.groups.slice(-1).flatMap((all) => columns.map(({ cell }) => cell(all))),
    ...(isGated ? [findWorstVerdict(suite, deciding)] : []),
  ]);
  const heads = columns.map(({ head }) => head);
  return toTable(['suite', ...heads, ...lineIf(isGated, 'gates')], rows);
}

/** The columns that say what to read next. */
export function pickOverview(wholes: readonly GroupSummary[]) {
  return pickColumns(wholes).filter(({ head }) => OVERVIEW.test(head));
}

const OVERVIEW = /^(n|n \(trials\)|accuracy|95 % interval|median|NOT RUN|cost|cost \(estimated\))$/;

/** The worst verdict of the gates on one variant; "-" without a gate. */
function findWorstVerdict(suite: SuiteSummary, gates: readonly GateResult[]): string {
  const key = toSuiteKey(suite);
  const judged = gates.filter(
    ({ gate, ...variant }) => toSuiteKey({ ...gate, ...pickVariant(variant) }) === key,
  );
  if (judged.some(({ holds }) => holds === false)) return 'MISSED';
  if (judged.some(({ holds }) => holds === null)) return 'not judged';
  return judged.length === 0 ? '-' : 'hold';
}

/** The figures of a suite: a row for each group, whose column is named by what groups it. */
export function toSuiteTable({
  groups,
  grouped_by = 'group',
}: Pick<SuiteSummary, 'groups' | 'grouped_by'>): Table {
  const columns = pickColumns(groups);
  return toTable(
    [grouped_by, ...columns.map(({ head }) => head)],
    groups.map((group) => [group.group, ...columns.map(({ cell }) => cell(group))]),
  );
}

/** The columns that have something to show of some group. */
function pickColumns(groups: readonly GroupSummary[]) {
  return COLUMNS.filter(({ when }) => when === undefined || groups.some(when)).map((column) => {
    const { head } = column;
    return { ...column, head: typeof head === 'string' ? head : head(groups) };
  });
}

/** The head of the column with `n`: whether it counts trials or questions. */
function nameCount(groups: readonly GroupSummary[]): string {
  return groups.some(({ n, questions }) => n > questions) ? 'n (trials)' : 'n';
}

/** One column of the tables of figures. To add one: a line in COLUMNS, and a row in docs/results.md. */
type Column = {
  readonly head: string | ((groups: readonly GroupSummary[]) => string);
  cell(group: GroupSummary): string;
  /** Shown only if this is true for some group of the suite; without it always shown. */
  readonly when?: (group: GroupSummary) => boolean;
};

export const COLUMNS: readonly Column[] = [
  { head: nameCount, cell: ({ n }) => String(n) },
  {
    head: 'graded',
    cell: ({ graded }) => String(graded),
    when: ({ n, graded }) => graded !== n,
  },
  // Not 0 if all targets are hidden.
  {
    head: 'correct',
    cell: ({ graded, graded_states }) => (graded === 0 ? '-' : String(graded_states.correct)),
  },
  { head: 'accuracy', cell: formatAccuracy },
  { head: '95 % interval', cell: ({ ci95 }) => formatInterval(ci95) },
  { head: 'corrected', cell: formatCorrected, when: hasCorrected },
  {
    head: 'corrected 95 % interval',
    cell: formatCorrectedInterval,
    when: hasCorrected,
  },
  {
    head: 'macro F1',
    cell: ({ macro_f1 = null }) => formatRate(macro_f1),
    when: ({ macro_f1 = null }) => macro_f1 !== null,
  },
  {
    head: 'median',
    cell: (group) => formatTime(group.median_latency_ms, group.median_censored),
  },
  {
    head: 'p95',
    cell: (group) => formatTime(group.p95_latency_ms, group.p95_censored),
  },
  {
    head: 'first token',
    cell: ({ median_first_token_ms = null }) => formatLatency(median_first_token_ms),
    when: ({ median_first_token_ms }) => median_first_token_ms !== undefined,
  },
  {
    head: 'first token p95',
    cell: ({ p95_first_token_ms = null }) => formatLatency(p95_first_token_ms),
    when: ({ p95_first_token_ms = null }) => p95_first_token_ms !== null,
  },
  ...listStateColumns(),
  {
    head: 'cached',
    cell: ({ cached }) => String(cached),
    when: ({ cached }) => cached > 0,
  },
  {
    head: 'prompt cache',
    cell: ({ tokens: { input, cached = 0 } }) => formatRate(input ? cached / input : null),
    when: ({ tokens }) => (tokens.cached ?? 0) > 0,
  },
  {
    head: (groups) => markEstimate('cost', groups),
    cell: formatTotalCost,
    when: ({ cost_usd, cost_at_least_usd }) => cost_usd !== null || cost_at_least_usd !== undefined,
  },
  {
    head: (groups) => markEstimate('new cost', groups),
    cell: ({ new_cost_usd = null }) => formatDollars(new_cost_usd),
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
    const count = (group: GroupSummary) => countOutcomes(group)[state];
    const shown =
      column.shown === 'always' ? {} : { when: (group: GroupSummary) => count(group) > 0 };
    return [{ head: column.head, cell: (group) => String(count(group)), ...shown }];
  });
}

/**
 * The named scores of a suite, a row each, with their means by group for `most` groups of all
 * groupings together; null without one.
 */
export function toScoreTable(suite: SuiteSummary, most = MOST_GROUPS): Table | null {
  const { scores = {} } = suite.groups.at(-1) ?? {};
  const entries = Object.entries(scores);
  if (entries.length === 0) return null;
  const shown = pickGroupings(suite, most);
  const isCorrected = entries.some(([, figures]) => hasCorrected(figures));
  const corrected = isCorrected ? ['corrected', 'corrected 95 % interval'] : [];
  const head = ['score', 'n', 'mean', '95 % interval', ...corrected];
  const rows = entries.map(([name, figures]) => [
    name,
    String(figures.n),
    formatScore(figures),
    formatScoreInterval(figures),
    ...(isCorrected ? [formatCorrected(figures), formatCorrectedInterval(figures)] : []),
    ...shown.flatMap(({ groups }) => groups.map((group) => formatScore(group.scores?.[name]))),
  ]);
  const heads = shown.flatMap(({ by, groups }) =>
    groups.map(({ group }) => (by === undefined ? group : `${by} ${group}`)),
  );
  return toTable([...head, ...heads], rows);
}

/** With more, the table would be wider than a terminal. The report has them all. */
const MOST_GROUPS = 4;

/** The groupings whose groups have room beside each other. */
function pickGroupings({ groups, grouped_by: by, slices = [] }: SuiteSummary, most: number) {
  let room = most;
  const shown: Readonly<{ by: string | undefined; groups: readonly GroupSummary[] }>[] = [];
  for (const grouping of [{ by, groups: groups.slice(0, -1) }, ...slices]) {
    const { length } = grouping.groups;
    if (length > room) continue;
    shown.push(grouping);
    room -= length;
  }
  return shown;
}

/**
 * A titled table for each suite and dataset with several variants: a column for each agent and prompt.
 */
export function toSideBySide({ suites }: Summary): readonly (Pick<
  SuiteSummary,
  'suite' | 'dataset'
> & {
  readonly title: string;
  readonly table: Table;
})[] {
  const bySuite = Map.groupBy(suites, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...bySuite.values()].flatMap((variants) => {
    const [first] = variants;
    if (first === undefined || variants.length < 2) return [];
    const isOneAgent = variants.every(({ agent }) => agent === first.agent);
    const who = isOneAgent ? [first.agent] : [];
    const title = [nameDataset(first), ...who, countVariants(variants)].join(' · ');
    const { suite, dataset } = first;
    return [{ suite, dataset, title, table: compareVariants(variants) }];
  });
}

/** The columns of the suites' tables as rows, then the accuracy of each group. */
function compareVariants(variants: readonly SuiteSummary[]): Table {
  const groups = new Set(variants.flatMap((one) => one.groups.map(({ group }) => group)));
  const whole = variants.flatMap((one) => one.groups.filter(({ group }) => group === 'all'));
  const scores = new Set(whole.flatMap((all) => Object.keys(all.scores ?? {})));
  const toRow = (head: string, cell: Column['cell'], name = 'all') => [
    head,
    ...variants.map((one) => {
      const figures = one.groups.find(({ group }) => group === name);
      return figures === undefined ? '-' : cell(figures);
    }),
  ];
  const rows = [
    ...pickColumns(whole).map(({ head, cell }) => toRow(head, cell)),
    ...[...scores].map((name) => toRow(`score: ${name}`, (all) => formatScore(all.scores?.[name]))),
    ...[...groups]
      .filter((group) => group !== 'all')
      .map((group) => toRow(`accuracy, ${group}`, formatAccuracy, group)),
  ];
  return toTable(['', ...nameColumns(variants)], rows);
}

/**
 * The names of several variants. Prompts alone where one agent was asked: both together make a wide
 * table.
 */
export function nameColumns(variants: readonly Variant[]): readonly string[] {
  const isOneAgent = new Set(variants.map(({ agent }) => agent)).size === 1;
  return variants.map((variant) =>
    isOneAgent && variant.prompt !== undefined ? variant.prompt : nameVariant(variant),
  );
}

/** The further tables of a suite, with their titles: by label, by each other grouping, and by position. */
export function listSubtables(
  suite: SuiteSummary,
): readonly { readonly title: string; readonly table: Table }[] {
  const { positions, slices = [], labels, groups } = suite;
  const title = 'by position of the right option, as presented';
  return [
    ...(labels === undefined
      ? []
      : [{ title: 'by label', table: toLabelTable(labels, groups.at(-1)) }]),
    ...(positions.length === 0 ? [] : [{ title, table: toPositionTable(positions) }]),
    ...slices.map(({ by, groups }) => ({
      title: `by ${by}`,
      table: toSuiteTable({ groups, grouped_by: by }),
    })),
  ];
}

/** Fewer results of a label have intervals too wide to read. */
const FEWEST_OF_LABEL = 10;

function toLabelTable(
  { each, other, none }: NonNullable<SuiteSummary['labels']>,
  { macro_f1: value = null, macro_f1_ci95: ci95 = null }: Partial<GroupSummary> = {},
): Table {
  const rows = each.map(({ label, expected, given, right, ...figures }) => {
    const isFew = expected < FEWEST_OF_LABEL;
    const show = (rate: (typeof figures)['f1']) =>
      isFew ? formatRate(rate?.value ?? null) : formatMeasured(rate);
    const { precision, recall, f1 } = figures;
    return [label, ...[expected, given, right].map(String), ...[precision, recall, f1].map(show)];
  });
  const macro = value === null || ci95 === null ? null : { value, ci95 };
  const toRow = (name: string, count: number) =>
    count === 0 ? [] : [[name, '', String(count), '', '', '', '']];
  return toTable(
    ['label', 'expected', 'given', 'right', 'precision', 'recall', 'F1'],
    [
      ...rows,
      ...toRow('(other)', other),
      ...toRow('(none)', none),
      ['macro', '', '', '', '', '', formatMeasured(macro)],
    ],
  );
}

function toPositionTable(positions: SuiteSummary['positions']): Table {
  const head = ['position', 'n', 'correct', 'accuracy', 'chosen'];
  const rows = positions.map(({ position, n, correct, accuracy, chosen }) => {
    return [String(position), String(n), String(correct), formatRate(accuracy), String(chosen)];
  });
  return toTable(head, rows);
}
