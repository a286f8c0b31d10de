import type { GroupSummary, SuiteSummary } from '../src/types.ts';
import { formatAccuracy, formatCost, formatInterval, formatLatency, formatTotalCost, hasCost } from './figures.ts';

/** One column of the summary table. To add one: a line in COLUMNS. */
type Column = {
  readonly head: string | ((groups: readonly GroupSummary[]) => string);
  readonly align: 'left' | 'right';
  cell(group: GroupSummary): string;
  /** Shown only when this holds for some group of the suite; always shown without it. */
  readonly when?: (group: GroupSummary) => boolean;
};

const COLUMNS: readonly Column[] = [
  { head: 'group', align: 'left', cell: ({ group }) => group },
  { head: nameCount, align: 'right', cell: ({ n }) => String(n) },
  { head: 'graded', align: 'right', cell: ({ graded }) => String(graded), when: ({ n, graded }) => graded !== n },
  { head: 'correct', align: 'right', cell: showCorrect },
  { head: 'accuracy', align: 'right', cell: formatAccuracy },
  { head: '95 % interval', align: 'right', cell: ({ ci95 }) => formatInterval(ci95) },
  { head: 'median', align: 'right', cell: (group) => formatLatency(group.median_latency_ms, group.median_censored) },
  { head: 'p95', align: 'right', cell: (group) => formatLatency(group.p95_latency_ms, group.p95_censored) },
  { head: 'no answer', align: 'right', cell: ({ states }) => String(states.no_answer) },
  { head: 'timed out', align: 'right', cell: ({ states }) => String(states.timed_out), when: has('timed_out') },
  { head: 'errors', align: 'right', cell: ({ states }) => String(states.errored) },
  { head: 'ungraded', align: 'right', cell: ({ states }) => String(states.ungraded), when: has('ungraded') },
  { head: 'NOT RUN', align: 'right', cell: ({ states }) => String(states.not_run), when: has('not_run') },
  { head: 'cached', align: 'right', cell: ({ cached }) => String(cached), when: ({ cached }) => cached > 0 },
  {
    head: (groups) => markEstimate('cost', groups),
    align: 'right',
    cell: formatTotalCost,
    when: hasCost,
  },
  {
    head: (groups) => markEstimate('of it new', groups),
    align: 'right',
    cell: ({ new_cost_usd = null }) => formatCost(new_cost_usd),
    when: ({ new_cost_usd }) => new_cost_usd !== undefined,
  },
];

/** Where every target is hidden nothing can be right, which is not the same as "none is". */
function showCorrect({ graded, states }: GroupSummary): string {
  return graded === 0 ? '-' : String(states.correct);
}

/** The summary table of a suite as text cells: a head row, then one row for each group. */
export type SuiteTable = {
  readonly align: readonly ('left' | 'right')[];
  readonly rows: readonly (readonly string[])[];
};

/** Turns a suite's figures into cells; the terminal and the Markdown report draw the same ones. */
export function toSuiteTable({ groups }: SuiteSummary): SuiteTable {
  const columns = COLUMNS.filter(({ when }) => when === undefined || groups.some(when));
  const head = columns.map((column) => (typeof column.head === 'string' ? column.head : column.head(groups)));
  const body = groups.map((group) => columns.map((column) => column.cell(group)));
  return { align: columns.map(({ align }) => align), rows: [head, ...body] };
}

/** Questions, unless each was asked several times. */
function nameCount(groups: readonly GroupSummary[]): string {
  return groups.some(({ n, questions }) => n > questions) ? 'n (trials)' : 'n';
}

function markEstimate(head: string, groups: readonly GroupSummary[]): string {
  return groups.some(({ cost_estimated }) => cost_estimated === true) ? `${head} (estimated)` : head;
}

function has(state: keyof GroupSummary['states']): (group: GroupSummary) => boolean {
  return ({ states }) => states[state] > 0;
}
