import { scaleLinear } from 'd3-scale';
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';
import { computeWilson } from '../../src/metrics/intervals.ts';
import type { ConfidenceBucket, SuiteSummary } from '../../src/types.ts';
import { formatAccuracy, formatCost, formatRate } from '../tables.ts';
import { html, type Markup, NOTHING } from './markup.ts';

/** Every chart is this wide in its own units; the page scales it. */
export const WIDTH = 720;

/** A drawing with a name and a sentence that says what it shows, for those who do not see it. */
export function renderChart(
  chart: { readonly title: string; readonly description: string; readonly height: number },
  body: readonly Markup[],
): Markup {
  const { title, description, height } = chart;
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${Math.ceil(height)}" role="img" aria-label="${title}. ${description}">
<desc>${description}</desc>${body}</svg></figure>
`;
}

/** A position with a tenth of a unit: enough to draw, and short. */
export function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A text of at most so many characters. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 3).toWellFormed()}...` : text;
}

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

/** One rate (0..1) with its interval. */
type IntervalRow = {
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

const INTERVALS_LEFT = 210;
const ROW = 22;
const HEADING = 26;
const INTERVALS_TOP = 8;

/** Rates with their intervals, one below the other on an axis from 0 to 100 %. */
function renderIntervals(
  chart: {
    readonly title: string;
    readonly description: string;
    readonly reference?: { value: number; label: string };
  },
  rows: readonly IntervalRow[],
): Markup {
  const x = scaleLinear([0, 1], [INTERVALS_LEFT, WIDTH - RIGHT]);
  const tops = placeRows(rows);
  const bottom = (tops.at(-1) ?? INTERVALS_TOP) + ROW;
  const { reference } = chart;
  return renderChart({ ...chart, height: bottom + (reference === undefined ? 24 : 40) }, [
    ...[0, 0.25, 0.5, 0.75, 1].map((tick) => renderTick(x(tick), `${tick * 100} %`, bottom)),
    reference === undefined ? NOTHING : renderReference(x(reference.value), reference.label, bottom),
    ...rows.map((row, index) => renderRow(row, (tops[index] ?? INTERVALS_TOP) + ROW / 2, x)),
  ]);
}

function placeRows(rows: readonly IntervalRow[]): readonly number[] {
  let next = INTERVALS_TOP;
  return rows.map(({ heading }) => {
    const top = next + (heading === undefined ? 0 : HEADING);
    next = top + ROW;
    return top;
  });
}

function renderTick(x: number, label: string, bottom: number): Markup {
  return html`<line class="grid" x1="${at(x)}" x2="${at(x)}" y1="${INTERVALS_TOP}" y2="${bottom}"/><text class="tick" x="${at(x)}" y="${bottom + 16}" text-anchor="middle">${label}</text>
`;
}

/** The line leaves out the row of ticks, one of which it would strike through. */
function renderReference(x: number, label: string, bottom: number): Markup {
  const draw = (from: number, to: number) =>
    html`<line class="reference" x1="${at(x)}" x2="${at(x)}" y1="${from}" y2="${to}"/>`;
  return html`${draw(INTERVALS_TOP, bottom + 4)}${draw(bottom + 19, bottom + 24)}<text class="tick" x="${at(x)}" y="${bottom + 34}" text-anchor="middle">${label}</text>
`;
}

function renderRow(row: IntervalRow, middle: number, x: (rate: number) => number): Markup {
  const { label, value, interval, note, band, series, heading } = row;
  const title =
    heading === undefined
      ? NOTHING
      : html`<text class="heading" x="${INTERVALS_LEFT - 12}" y="${middle - ROW / 2 - 4}" text-anchor="end">${shorten(heading, 30)}</text>`;
  const whisker =
    interval === null
      ? NOTHING
      : html`<line class="whisker series-${series % 4}" x1="${at(x(interval[0]))}" x2="${at(x(interval[1]))}" y1="${middle}" y2="${middle}"/>`;
  return html`${title}${band === undefined ? NOTHING : renderBand(band, middle, x)}<text class="label" x="${INTERVALS_LEFT - 12}" y="${middle + 4}" text-anchor="end">${shorten(label, 30)}</text>${whisker}${value === null ? NOTHING : renderMark(x(value), middle, series)}<text class="note" x="${WIDTH - RIGHT + 12}" y="${middle + 4}">${value === null ? note : `${formatRate(value)}  ${note}`}</text>
`;
}

function renderBand([low, high]: readonly [number, number], middle: number, x: (rate: number) => number): Markup {
  return html`<rect class="band" x="${at(x(low))}" y="${middle - ROW / 2 + 2}" width="${at(x(high) - x(low))}" height="${ROW - 4}"/>`;
}

const SHAPES = [symbolCircle, symbolDiamond, symbolSquare, symbolTriangle] as const;

/** The mark of one of several agents. */
function renderMark(x: number, y: number, series: number): Markup {
  const path = symbol(SHAPES[series % SHAPES.length] ?? symbolCircle, 64)() ?? '';
  return html`<path class="mark series-${series % 4}" transform="translate(${at(x)} ${at(y)})" d="${path.replace(/(\.\d)\d+/g, '$1')}"/>`;
}

/** The ranges that numbers of confidence are sorted into; words promise no rate. */
const BANDS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['under 50 %', [0, 0.5]],
  ['50 to 70 %', [0.5, 0.7]],
  ['70 to 90 %', [0.7, 0.9]],
  ['from 90 %', [0.9, 1]],
]);

/** How often answers were right, by the confidence that they stated. */
export function renderConfidenceChart(title: string, buckets: readonly ConfidenceBucket[]): Markup {
  const hasBands = buckets.some(({ bucket }) => BANDS.has(bucket));
  const rows = buckets.map(({ bucket, n, correct, accuracy }) => {
    const band = BANDS.get(bucket);
    return {
      label: bucket,
      series: 0,
      value: accuracy,
      interval: computeWilson(accuracy, n),
      note: `${correct} of ${n}`,
      ...(band === undefined ? {} : { band }),
    };
  });
  const shaded = hasBands ? '; shaded: where the rate would lie if that held' : '';
  const description = rows.map(({ label, note }) => `${label}: ${note}`).join('; ');
  return renderIntervals(
    { title: `Accuracy by stated confidence, ${title}${shaded}`, description: `${description}.` },
    rows,
  );
}
