import type { SuiteSummary } from '../../../src/types.ts';
import { formatAccuracy, formatRate } from '../../figures.ts';
import type { Markup } from '../markup.ts';
import { type IntervalRow, renderIntervals } from './interval-chart.ts';

/** Accuracy of each group with its Wilson interval; several agents that answered the same questions side by side. */
export function renderAccuracyChart(title: string, agents: readonly SuiteSummary[]): Markup {
  const groups = [...new Set(agents.flatMap(({ groups }) => groups.map(({ group }) => group)))];
  const ordered = [...groups.filter((group) => group !== 'all'), ...groups.filter((group) => group === 'all')];
  const rows = ordered.flatMap((group) =>
    agents.length === 1
      ? agents.flatMap((agent) => toRows(agent, group, { label: group, series: 0 }))
      : agents.flatMap((agent, series) =>
          toRows(agent, group, { label: agent.agent, series, ...(series === 0 ? { heading: group } : {}) }),
        ),
  );
  const said = rows.map(({ label, heading, note, value }) => {
    return `${heading === undefined ? '' : `${heading}. `}${label}: ${value === null ? '' : formatRate(value)} ${note}`;
  });
  const chance = agents[0]?.chance ?? null;
  return renderIntervals(
    {
      title: `Accuracy of ${title}, with 95 % Wilson intervals`,
      description: `${said.slice(0, 60).join('; ')}.`,
      ...(chance === null ? {} : { reference: { value: chance, label: `chance ${formatRate(chance)}` } }),
    },
    rows,
  );
}

function toRows(
  { groups }: SuiteSummary,
  group: string,
  place: Pick<IntervalRow, 'label' | 'series' | 'heading'>,
): readonly IntervalRow[] {
  const figures = groups.find((other) => other.group === group);
  if (figures === undefined) return [];
  const { accuracy, ci95, bounds, states, graded } = figures;
  const note = accuracy === null ? formatAccuracy(figures) : `${states.correct} of ${graded}`;
  return [{ ...place, value: accuracy, interval: ci95 ?? bounds, note }];
}
