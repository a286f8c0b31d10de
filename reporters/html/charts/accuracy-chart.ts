import type { GroupSummary, SuiteSummary } from '../../../src/types.ts';
import { formatAccuracy } from '../../figures.ts';
import type { Markup } from '../markup.ts';
import { type IntervalRow, renderIntervals } from './interval-chart.ts';

/** Accuracy of each group with its Wilson interval; several agents that answered the same questions side by side. */
export function renderAccuracyChart(title: string, agents: readonly SuiteSummary[]): Markup {
  const groups = [...new Set(agents.flatMap(({ groups }) => groups.map(({ group }) => group)))];
  const ordered = [...groups.filter((group) => group !== 'all'), ...groups.filter((group) => group === 'all')];
  const rows = ordered.flatMap((group) =>
    agents.flatMap((agent, series) => {
      const figures = agent.groups.find((other) => other.group === group);
      const label = agents.length === 1 ? group : `${group} · ${agent.agent}`;
      return figures === undefined ? [] : [toRow(figures, label, series, series === 0)];
    }),
  );
  const chance = agents[0]?.chance ?? null;
  const description = rows.map(({ label, note, value }) => `${label}: ${value === null ? '' : percent(value)} ${note}`);
  return renderIntervals(
    {
      title: `Accuracy of ${title}, with 95 % Wilson intervals`,
      description: `${description.slice(0, 60).join('; ')}.`,
      ...(chance === null ? {} : { reference: { value: chance, label: `chance ${percent(chance)}` } }),
    },
    rows,
  );
}

function toRow(figures: GroupSummary, label: string, series: number, isFirst: boolean): IntervalRow {
  const { accuracy, ci95, bounds, states, n } = figures;
  const graded = n - states.ungraded;
  const note = accuracy === null ? formatAccuracy(figures) : `${states.correct} of ${graded}`;
  return { label, series, value: accuracy, interval: ci95 ?? bounds, note, isFirst };
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}
