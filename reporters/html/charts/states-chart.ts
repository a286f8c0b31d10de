import { scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import type { State, SuiteSummary } from '../../../src/types.ts';
import { html, type Markup, NOTHING } from '../markup.ts';
import { at, renderChart, shorten, WIDTH } from './chart.ts';

/** In the order in which they are drawn. */
const STATES: readonly State[] = ['correct', 'incorrect', 'no_answer', 'timed_out', 'errored', 'ungraded', 'not_run'];

const LEFT = 210;
const RIGHT = 20;
const ROW = 30;
const BAR = 20;

/** What became of all results: one bar for each agent of a suite, its parts in proportion. */
export function renderStatesChart(title: string, agents: readonly SuiteSummary[]): Markup {
  const bars = agents.flatMap(({ agent, groups }) => {
    const all = groups.at(-1);
    return all === undefined ? [] : [{ agent, n: all.n, ...all.states }];
  });
  const x = (n: number) => scaleLinear([0, n], [LEFT, WIDTH - RIGHT]);
  const layers = stack<(typeof bars)[number], State>().keys([...STATES])(bars);
  const parts = layers.flatMap((layer) =>
    layer.map(([low, high], row) => renderPart(layer.key, low, high, row * ROW, x(bars[row]?.n ?? 1))),
  );
  const present = STATES.filter((state) => bars.some((bar) => bar[state] > 0));
  return renderChart(
    {
      title: `What became of the questions of ${title}`,
      description: `${bars.map((bar) => `${bar.agent}: ${present.map((state) => `${nameState(state)} ${bar[state]}`).join(', ')}`).join('; ')}.`,
      height: bars.length * ROW + 26,
    },
    [
      ...bars.map(({ agent }, row) => renderLabel(agent, row * ROW)),
      ...parts,
      ...present.map((state, index) => renderKey(state, LEFT + index * 84, bars.length * ROW + 10)),
    ],
  );
}

/** As the page's own script calls it. */
export function nameState(state: State): string {
  return state.replaceAll('_', ' ');
}

function renderLabel(agent: string, top: number): Markup {
  return html`<text class="label" x="${LEFT - 12}" y="${top + BAR / 2 + 4}" text-anchor="end">${shorten(agent, 32)}</text>
`;
}

function renderPart(state: State, low: number, high: number, top: number, x: (count: number) => number): Markup {
  if (high === low) return NOTHING;
  const width = x(high) - x(low);
  const count = high - low;
  const label =
    width < 9 * String(count).length + 4
      ? NOTHING
      : html`<text class="on-${state}" x="${at(x(low) + width / 2)}" y="${top + BAR / 2 + 4}" text-anchor="middle">${count}</text>`;
  return html`<rect class="state-${state}" x="${at(x(low))}" y="${top}" width="${at(width)}" height="${BAR}"><title>${nameState(state)}: ${count}</title></rect>${label}
`;
}

function renderKey(state: State, x: number, y: number): Markup {
  return html`<rect class="state-${state}" x="${x}" y="${y}" width="10" height="10"/><text class="tick" x="${x + 14}" y="${y + 9}">${nameState(state)}</text>
`;
}
