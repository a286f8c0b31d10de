import { scaleLinear } from 'd3-scale';
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';
import { formatRate } from '../../figures.ts';
import { html, type Markup, NOTHING } from '../markup.ts';
import { at, renderChart, shorten, WIDTH } from './chart.ts';

/** One rate (0..1) with its interval. */
export type IntervalRow = {
  readonly label: string;
  /** Which of several agents; they differ by colour and by mark. */
  readonly series: number;
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  /** What stands at the end of the row. */
  readonly note: string;
  /** A range (0..1) that the rate would lie in if it were as stated. */
  readonly band?: readonly [number, number];
  /** What stands above this row and the ones that follow it. */
  readonly heading?: string;
};

const LEFT = 210;
const RIGHT = 150;
const ROW = 22;
const HEADING = 26;
const TOP = 8;

/** Rates with their intervals, one below the other on an axis from 0 to 100 %. */
export function renderIntervals(
  chart: {
    readonly title: string;
    readonly description: string;
    readonly reference?: { value: number; label: string };
  },
  rows: readonly IntervalRow[],
): Markup {
  const x = scaleLinear([0, 1], [LEFT, WIDTH - RIGHT]);
  const tops = placeRows(rows);
  const bottom = (tops.at(-1) ?? TOP) + ROW;
  const { reference } = chart;
  return renderChart({ ...chart, height: bottom + (reference === undefined ? 24 : 40) }, [
    ...[0, 0.25, 0.5, 0.75, 1].map((tick) => renderTick(x(tick), `${tick * 100} %`, bottom)),
    reference === undefined ? NOTHING : renderReference(x(reference.value), reference.label, bottom),
    ...rows.map((row, index) => renderRow(row, (tops[index] ?? TOP) + ROW / 2, x)),
  ]);
}

function placeRows(rows: readonly IntervalRow[]): readonly number[] {
  let next = TOP;
  return rows.map(({ heading }) => {
    const top = next + (heading === undefined ? 0 : HEADING);
    next = top + ROW;
    return top;
  });
}

function renderTick(x: number, label: string, bottom: number): Markup {
  return html`<line class="grid" x1="${at(x)}" x2="${at(x)}" y1="${TOP}" y2="${bottom}"/><text class="tick" x="${at(x)}" y="${bottom + 16}" text-anchor="middle">${label}</text>
`;
}

/** The line leaves out the row of ticks, one of which it would strike through. */
function renderReference(x: number, label: string, bottom: number): Markup {
  const draw = (from: number, to: number) =>
    html`<line class="reference" x1="${at(x)}" x2="${at(x)}" y1="${from}" y2="${to}"/>`;
  return html`${draw(TOP, bottom + 4)}${draw(bottom + 19, bottom + 24)}<text class="tick" x="${at(x)}" y="${bottom + 34}" text-anchor="middle">${label}</text>
`;
}

function renderRow(row: IntervalRow, middle: number, x: (rate: number) => number): Markup {
  const { label, value, interval, note, band, series, heading } = row;
  const title =
    heading === undefined
      ? NOTHING
      : html`<text class="heading" x="${LEFT - 12}" y="${middle - ROW / 2 - 4}" text-anchor="end">${shorten(heading, 30)}</text>`;
  const whisker =
    interval === null
      ? NOTHING
      : html`<line class="whisker series-${series % 4}" x1="${at(x(interval[0]))}" x2="${at(x(interval[1]))}" y1="${middle}" y2="${middle}"/>`;
  return html`${title}${band === undefined ? NOTHING : renderBand(band, middle, x)}<text class="label" x="${LEFT - 12}" y="${middle + 4}" text-anchor="end">${shorten(label, 30)}</text>${whisker}${value === null ? NOTHING : renderMark(x(value), middle, series)}<text class="note" x="${WIDTH - RIGHT + 12}" y="${middle + 4}">${value === null ? note : `${formatRate(value)}  ${note}`}</text>
`;
}

function renderBand([low, high]: readonly [number, number], middle: number, x: (rate: number) => number): Markup {
  return html`<rect class="band" x="${at(x(low))}" y="${middle - ROW / 2 + 2}" width="${at(x(high) - x(low))}" height="${ROW - 4}"/>`;
}

const SHAPES = [symbolCircle, symbolDiamond, symbolSquare, symbolTriangle] as const;

/** The mark of one of several agents. */
export function renderMark(x: number, y: number, series: number): Markup {
  const path = symbol(SHAPES[series % SHAPES.length] ?? symbolCircle, 64)() ?? '';
  return html`<path class="mark series-${series % 4}" transform="translate(${at(x)} ${at(y)})" d="${path.replace(/(\.\d)\d+/g, '$1')}"/>`;
}
