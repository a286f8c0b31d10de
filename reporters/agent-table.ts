import { toVisible } from '../src/text/visible-text.ts';
import type { GroupSummary, SuiteSummary, Summary } from '../src/types.ts';
import { formatAccuracy, formatInterval, formatLatency, formatTotalCost, hasCost } from './figures.ts';
import type { SuiteTable } from './suite-rows.ts';

/** Several agents side by side on the questions of one suite. */
export type Comparison = { readonly title: string; readonly table: SuiteTable };

/** A comparison for each suite and dataset that several agents answered: a column for each agent. */
export function toComparisons({ suites }: Summary): readonly Comparison[] {
  const bySuite = Map.groupBy(suites, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...bySuite.values()].flatMap((agents) => {
    const [first] = agents;
    if (first === undefined || agents.length < 2) return [];
    const title = [first.suite, first.dataset, `${agents.length} agents`].map((part) => toVisible(part)).join(' · ');
    return [{ title, table: toTable(agents) }];
  });
}

function toTable(agents: readonly SuiteSummary[]): SuiteTable {
  const groups = [...new Set(agents.flatMap((agent) => agent.groups.map(({ group }) => group)))];
  const named = groups.filter((group) => group !== 'all');
  const row = (head: string, group: string, cell: (figures: GroupSummary) => string) => [
    head,
    ...agents.map((agent) => {
      const figures = agent.groups.find((other) => other.group === group);
      return figures === undefined ? '-' : cell(figures);
    }),
  ];
  const whole = agents.flatMap((agent) => agent.groups.filter(({ group }) => group === 'all'));
  const isEstimated = whole.some(({ cost_estimated }) => cost_estimated === true);
  return {
    align: ['left', ...agents.map(() => 'right' as const)],
    rows: [
      ['', ...agents.map(({ agent }) => agent)],
      ...when(
        whole,
        ({ n, graded }) => graded !== n,
        row('graded', 'all', ({ n, graded }) => `${graded} of ${n}`),
      ),
      row('accuracy', 'all', formatAccuracy),
      row('95 % interval', 'all', ({ ci95 }) => formatInterval(ci95)),
      ...named.map((group) => row(`accuracy, ${group}`, group, formatAccuracy)),
      row('median latency', 'all', (all) => formatLatency(all.median_latency_ms, all.median_censored)),
      row('no answer', 'all', ({ states }) => String(states.no_answer)),
      row('errors and time-outs', 'all', ({ states }) => String(states.errored + states.timed_out)),
      ...when(
        whole,
        ({ states }) => states.not_run > 0,
        row('NOT RUN', 'all', ({ states }) => String(states.not_run)),
      ),
      ...when(whole, hasCost, row(isEstimated ? 'cost (estimated)' : 'cost', 'all', formatTotalCost)),
    ],
  };
}

function when<Row>(whole: readonly GroupSummary[], holds: (all: GroupSummary) => boolean, row: Row): readonly Row[] {
  return whole.some(holds) ? [row] : [];
}
