import { scaleLinear, scaleLog } from 'd3-scale';
import { stack } from 'd3-shape';
import { ALL_STATES, STATES } from '../../src/states.ts';
import type { State, SuiteSummary } from '../../src/types.ts';
import { formatLatency } from '../tables.ts';
import { at, renderChart, shorten, WIDTH } from './charts.ts';
import { html, type Markup, NOTHING } from './markup.ts';

/** Latencies (ms) of one agent. */
export type Latencies = {
  readonly answered: readonly number[];
  /** Deadlines at which calls were ended: the real times are longer. */
  readonly deadlines: readonly number[];
  /** The figures as they are shown, and where they stand; null where there are none. */
  readonly median: Figure | null;
  readonly p95: Figure | null;
};

type Figure = { readonly ms: number; readonly censored: boolean };

const LEFT = 50;
const RIGHT = 20;
const TOP = 32;
const HEIGHT = 120;
const BINS = 36;

/** How long answers took: counts by time, timed-out calls at their deadline. */
export function renderLatencyChart(title: string, times: Latencies, domain: readonly [number, number]): Markup {
  const x = createScale(domain);
  const counts = countBins(times, x);
  const most = Math.max(1, ...counts.map(({ answered, ended }) => answered + ended));
  const y = scaleLinear([0, most], [TOP + HEIGHT, TOP]);
  const bottom = TOP + HEIGHT;
  const figures = `median ${show(times.median)}, 95th percentile ${show(times.p95)}`;
  const ended = times.deadlines.length === 0 ? '' : `, ${times.deadlines.length} timed out`;
  const name = times.deadlines.length === 0 ? title : `${title}; in violet those that a deadline ended`;
  return renderChart(
    { title: name, description: `${times.answered.length} answered${ended}; ${figures}.`, height: bottom + 24 },
    [
      ...y
        .ticks(Math.min(4, most))
        .filter(Number.isInteger)
        .map((tick) => renderCount(tick, y(tick))),
      ...counts.map((bin, index) => renderBin(bin, index, y)),
      ...pickTicks(x).map((tick) => renderTime(tick, x(tick), bottom)),
      renderMarker('median', times.median, x, bottom, 10),
      renderMarker('p95', times.p95, x, bottom, 25),
    ],
  );
}

/** The times that several charts of a suite have in common, so that they can be compared. */
export function findDomain(all: readonly Latencies[]): readonly [number, number] {
  const times = all.flatMap(({ answered, deadlines }) => [...answered, ...deadlines]);
  const least = times.reduce((low, time) => Math.min(low, time), Number.POSITIVE_INFINITY);
  const most = times.reduce((high, time) => Math.max(high, time), 0);
  return [Math.min(least, most), most === 0 ? 1 : most];
}

type Scale = ReturnType<typeof createScale>;

/** Logarithmic where the longest time is many times the shortest. */
function createScale([least, most]: readonly [number, number]) {
  const range = [LEFT, WIDTH - RIGHT] as const;
  // Where all times are the same they would stand on the edge.
  const end = least === most ? most * 2 : most;
  return least > 0 && most / least > 20 ? scaleLog([least, most], range) : scaleLinear([0, end], range);
}

type Bin = { answered: number; ended: number };

function countBins({ answered, deadlines }: Latencies, x: Scale): readonly Bin[] {
  const bins = Array.from({ length: BINS }, (): Bin => ({ answered: 0, ended: 0 }));
  const find = (time: number) => {
    const share = (x(time) - LEFT) / (WIDTH - RIGHT - LEFT);
    return bins[Math.min(BINS - 1, Math.max(0, Math.floor(share * BINS)))];
  };
  for (const time of answered) {
    const bin = find(time);
    if (bin !== undefined) bin.answered += 1;
  }
  for (const time of deadlines) {
    const bin = find(time);
    if (bin !== undefined) bin.ended += 1;
  }
  return bins;
}

function renderBin({ answered, ended }: Bin, index: number, y: (count: number) => number): Markup {
  const width = (WIDTH - RIGHT - LEFT) / BINS;
  const place = html`x="${at(LEFT + index * width + 0.5)}" width="${at(width - 1)}"`;
  const bar = (kind: string, from: number, to: number) =>
    from === to ? NOTHING : html`<rect class="${kind}" ${place} y="${at(y(to))}" height="${at(y(from) - y(to))}"/>`;
  return html`${bar('bar', 0, answered)}${bar('state-timed_out', answered, answered + ended)}
`;
}

function renderCount(count: number, y: number): Markup {
  return html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y)}" y2="${at(y)}"/><text class="tick" x="${LEFT - 8}" y="${at(y + 4)}" text-anchor="end">${count}</text>
`;
}

/** A logarithmic scale gives a tick for each digit: 1, 2 and 5 are enough. A linear one's are evenly spaced, from 0 on. */
function pickTicks(x: Scale): readonly number[] {
  const ticks = x.ticks(8);
  if (x.domain()[0] === 0 || ticks.length <= 10) return ticks;
  const round = ticks.filter((tick) => /^[125]0*$/.test(String(tick / 10 ** Math.floor(Math.log10(tick)))));
  return round.length <= 12 ? round : round.filter((tick) => Number.isInteger(Math.log10(tick)));
}

function renderTime(time: number, x: number, bottom: number): Markup {
  return html`<text class="tick" x="${at(x)}" y="${bottom + 16}" text-anchor="middle">${shortTime(time)}</text>
`;
}

function shortTime(ms: number): string {
  return ms === 0 ? '0' : ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

function show(figure: Figure | null): string {
  return figure === null ? '-' : formatLatency(figure.ms, figure.censored);
}

function renderMarker(name: string, figure: Figure | null, x: Scale, bottom: number, y: number): Markup {
  if (figure === null) return NOTHING;
  const place = x(figure.ms);
  const isRight = place > WIDTH / 2;
  return html`<line class="marker" x1="${at(place)}" x2="${at(place)}" y1="${y - 8}" y2="${bottom}"/><text class="note" x="${at(place + (isRight ? -5 : 5))}" y="${y}" text-anchor="${isRight ? 'end' : 'start'}">${name} ${show(figure)}</text>
`;
}

const STATES_LEFT = 210;
const ROW = 30;
const BAR = 20;

/** What became of all results: one bar for each agent of a suite, its parts in proportion. */
export function renderStatesChart(title: string, agents: readonly SuiteSummary[]): Markup {
  const bars = agents.flatMap(({ agent, groups }) => {
    const all = groups.at(-1);
    return all === undefined ? [] : [{ agent, n: all.n, ...all.states }];
  });
  const x = (n: number) => scaleLinear([0, n], [STATES_LEFT, WIDTH - RIGHT]);
  const layers = stack<(typeof bars)[number], State>().keys([...ALL_STATES])(bars);
  const parts = layers.flatMap((layer) =>
    layer.map(([low, high], row) => renderPart(layer.key, low, high, row * ROW, x(bars[row]?.n ?? 1))),
  );
  const present = ALL_STATES.filter((state) => bars.some((bar) => bar[state] > 0));
  return renderChart(
    {
      title: `What became of the questions of ${title}`,
      description: `${bars.map((bar) => `${bar.agent}: ${present.map((state) => `${STATES[state].label} ${bar[state]}`).join(', ')}`).join('; ')}.`,
      height: bars.length * ROW + 26,
    },
    [
      ...bars.map(({ agent }, row) => renderLabel(agent, row * ROW)),
      ...parts,
      ...present.map((state, index) => renderKey(state, STATES_LEFT + index * 84, bars.length * ROW + 10)),
    ],
  );
}

function renderLabel(agent: string, top: number): Markup {
  return html`<text class="label" x="${STATES_LEFT - 12}" y="${top + BAR / 2 + 4}" text-anchor="end">${shorten(agent, 32)}</text>
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
  return html`<rect class="state-${state}" x="${at(x(low))}" y="${top}" width="${at(width)}" height="${BAR}"><title>${STATES[state].label}: ${count}</title></rect>${label}
`;
}

function renderKey(state: State, x: number, y: number): Markup {
  return html`<rect class="state-${state}" x="${x}" y="${y}" width="10" height="10"/><text class="tick" x="${x + 14}" y="${y + 9}">${STATES[state].label}</text>
`;
}
