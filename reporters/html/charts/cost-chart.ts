import { scaleLinear } from 'd3-scale';
import type { SuiteSummary } from '../../../src/types.ts';
import { formatCost, formatRate } from '../../figures.ts';
import { html, type Markup, NOTHING } from '../markup.ts';
import { at, renderChart, shorten, WIDTH } from './chart.ts';
import { renderMark } from './interval-chart.ts';

type Point = {
  readonly agent: string;
  readonly cost: number;
  readonly accuracy: number;
  readonly interval: readonly [number, number] | null;
};

const LEFT = 60;
const RIGHT = 150;
const TOP = 10;
const HEIGHT = 220;

/** What an answer cost against how often it was right; nothing unless two agents have both figures. */
export function renderCostChart(title: string, agents: readonly SuiteSummary[]): Markup {
  const points = agents.flatMap(toPoint);
  if (points.length < 2) return NOTHING;
  const most = Math.max(...points.map(({ cost }) => cost));
  const x = scaleLinear([0, most === 0 ? 1 : most], [LEFT, WIDTH - RIGHT]).nice(5);
  const y = scaleLinear([0, 1], [TOP + HEIGHT, TOP]);
  const bottom = TOP + HEIGHT;
  const said = points.map(({ agent, cost, accuracy }) => `${agent}: ${formatCost(cost)}, ${formatRate(accuracy)}`);
  return renderChart(
    {
      title: `Cost of a question against accuracy, ${title}`,
      description: `${said.join('; ')}.`,
      height: bottom + 26,
    },
    [
      ...[0, 0.25, 0.5, 0.75, 1].map((tick) => renderRate(tick, y(tick))),
      ...x.ticks(5).map((tick) => renderCostTick(tick, x(tick), bottom)),
      ...points.map((point, series) => renderPoint(point, series, x(point.cost), y)),
    ],
  );
}

function toPoint({ agent, groups }: SuiteSummary): readonly Point[] {
  const all = groups.at(-1);
  if (all === undefined || all.cost_usd === null || all.accuracy === null) return [];
  return [{ agent, cost: all.cost_usd / all.n, accuracy: all.accuracy, interval: all.ci95 }];
}

function renderRate(rate: number, y: number): Markup {
  return html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y)}" y2="${at(y)}"/><text class="tick" x="${LEFT - 8}" y="${at(y + 4)}" text-anchor="end">${rate * 100} %</text>
`;
}

function renderCostTick(cost: number, x: number, bottom: number): Markup {
  return html`<text class="tick" x="${at(x)}" y="${bottom + 18}" text-anchor="middle">${formatCost(cost)}</text>
`;
}

function renderPoint(point: Point, series: number, x: number, y: (rate: number) => number): Markup {
  const { agent, accuracy, interval } = point;
  const whisker =
    interval === null
      ? NOTHING
      : html`<line class="whisker series-${series % 4}" x1="${at(x)}" x2="${at(x)}" y1="${at(y(interval[0]))}" y2="${at(y(interval[1]))}"/>`;
  return html`${whisker}${renderMark(x, y(accuracy), series)}<text class="label" x="${at(x + 10)}" y="${at(y(accuracy) + 4)}">${shorten(agent, 28)}</text>
`;
}
