import { scaleLinear, scaleLog } from 'd3-scale';
import { formatTime } from '../tables.ts';
import { across, label, line, renderChart, tickBelow, tickBeside } from './charts.ts';
import { draw, html, type Markup, NOTHING } from './markup.ts';

/** Latencies (ms) of one agent. */
export type Latencies = {
  readonly answered: readonly number[];
  /** Deadlines at which calls ended. Their real times are longer. */
  readonly deadlines: readonly number[];
  /** The figures in ms; null if there are none. */
  readonly median: Figure | null;
  readonly p95: Figure | null;
};

type Figure = { readonly ms: number; readonly censored: boolean };

const TOP = 32;
const BOTTOM = 152;
const BINS = 36;

/** A histogram of latencies. Timed-out calls are at their deadline. */
export function renderLatencyChart(title: string, times: Latencies, domain: readonly [number, number]): Markup {
  const { answered, deadlines, median, p95 } = times;
  const x = createScale(domain);
  const [answers, ended] = [countBins(answered, x), countBins(deadlines, x)];
  const most = Math.max(1, ...answers.map((count, bin) => count + (ended[bin] ?? 0)));
  const y = scaleLinear([0, most], [BOTTOM, TOP]);
  const bars = answers.flatMap((count, bin) => {
    const all = count + (ended[bin] ?? 0);
    return [renderBar('var(--accent)', bin, y(0), y(count)), renderBar('var(--deadline)', bin, y(count), y(all))];
  });
  const timedOut = deadlines.length === 0 ? '' : `, ${deadlines.length} timed out`;
  const description = `${answered.length} answered${timedOut}; median ${show(median)}, 95th percentile ${show(p95)}.`;
  const name = deadlines.length === 0 ? title : `${title}; timed-out calls are violet`;
  const counts = y.ticks(Math.min(4, most)).filter(Number.isInteger);
  return renderChart(name, description, BOTTOM + 24, [
    ...counts.map((count) => tickBeside(String(count), y(count))),
    ...bars,
    ...pickTicks(x).map((time) => tickBelow(nameTime(time), across(x(time)), BOTTOM)),
    renderMarker('median', median, x, 10),
    renderMarker('p95', p95, x, 25),
  ]);
}

/** One range of times for all charts of a suite, so that they can be compared. */
export function findDomain(all: readonly Latencies[]): readonly [number, number] {
  const times = all.flatMap(({ answered, deadlines }) => [...answered, ...deadlines]);
  const most = times.reduce((high, time) => Math.max(high, time), 0);
  const least = times.reduce((low, time) => Math.min(low, time), most);
  return [least, most === 0 ? 1 : most];
}

type Scale = ReturnType<typeof createScale>;

/** Logarithmic if the longest time is many times the shortest. */
function createScale([least, most]: readonly [number, number]) {
  // If all times were the same, the bar would be at the edge.
  const end = least === most ? most * 2 : most;
  return least > 0 && most / least > 20 ? scaleLog([least, most], [0, 1]) : scaleLinear([0, end], [0, 1]);
}

function countBins(times: readonly number[], x: Scale): readonly number[] {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const time of times) {
    const bin = Math.min(BINS - 1, Math.floor(x(time) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

function renderBar(fill: string, bin: number, bottom: number, top: number): Markup {
  if (top === bottom) return NOTHING;
  const place = { x: across((bin + 0.05) / BINS), y: top, width: across(0.9 / BINS), height: bottom - top };
  return draw('rect', { fill, 'fill-opacity': '0.75', ...place });
}

/**
 * As many ticks as a phone has room for. A logarithmic scale gives one for each digit, of which 1, 2 and 5 are enough.
 * Linear ticks are evenly spaced.
 */
function pickTicks(x: Scale): readonly number[] {
  const ticks = x.ticks(5);
  if (x.domain()[0] === 0 || ticks.length <= 7) return ticks;
  const round = ticks.filter((tick) => /^[125]0*$/.test(String(tick / 10 ** Math.floor(Math.log10(tick)))));
  return round.length <= 7 ? round : round.filter((tick) => Number.isInteger(Math.log10(tick)));
}

function nameTime(ms: number): string {
  return ms === 0 ? '0' : ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

function show(figure: Figure | null): string {
  return figure === null ? '-' : formatTime(figure.ms, figure.censored);
}

function renderMarker(name: string, figure: Figure | null, x: Scale, y: number): Markup {
  if (figure === null) return NOTHING;
  const place = x(figure.ms);
  const [shift, anchor] = place > 0.5 ? ([-5, 'end'] as const) : ([5, 'start'] as const);
  const text = label('note', `${name} ${show(figure)}`, [across(place), shift], y, anchor);
  return html`${line('marker', [across(place), y - 8], [across(place), BOTTOM])}${text}`;
}
