import type { SuiteSummary } from '../../src/words/figures.ts';
import { cut } from '../../src/words/show.ts';
import { formatAccuracy, formatRate } from '../format-figures.ts';
import { nameColumns } from '../tables.ts';
import { html, type Markup, NOTHING, svg } from './markup.ts';

/** A part (0..1) of the width of a drawing. */
function across(part: number): string {
  return `${Number((part * 100).toFixed(2))}%`;
}

/** A text of a drawing, `dx` pixels beside its place. */
function label(
  text: string,
  x: string,
  dx: number,
  y: number,
  anchor: 'start' | 'middle' | 'end',
): Markup {
  return svg('text', { x, dx, y, 'text-anchor': anchor }, text);
}

/** A place in a drawing. */
type Point = readonly [x: string, y: number];

/** A value of the vertical axis with its line across the chart. */
function tickBeside(text: string, y: number): Markup {
  const grid = svg('line', { class: 'grid', x1: '0%', x2: '100%', y1: y, y2: y });
  return html`${grid}${label(text, '0%', -8, y + 4, 'end')}`;
}

/** The names of more groups would overlap: their marks have them. */
const MOST_NAMES = 12;

/**
 * Accuracy of each group with its Wilson interval; several variants that answered the same questions
 * beside each other.
 */
export function renderAccuracyChart(title: string, variants: readonly SuiteSummary[]): Markup {
  const named = new Set(variants.flatMap((variant) => variant.groups.map(({ group }) => group)));
  const groups = [...named].filter((group) => group !== 'all').concat('all');
  const ticks = groups.map((group, index) => [group, (index + 0.5) / groups.length] as const);
  const names = nameColumns(variants);
  const series = variants.map((variant, index): Series => {
    const name = names[index] ?? '';
    const points = ticks.flatMap(([group, x]): readonly RunPoint[] => {
      const figures = variant.groups.find((other) => other.group === group);
      if (figures === undefined) return [];
      const { accuracy: value, ci95, bounds, states, graded } = figures;
      const known = `${formatRate(value)} (${states.correct} of ${graded})`;
      const said = `${group}, ${name}: ${value === null ? formatAccuracy(figures) : known}`;
      return [{ x, value, interval: ci95 ?? bounds, label: said, href: null, isReplay: false }];
    });
    return { label: name, points, isJoined: false };
  });
  const shown = groups.length > MOST_NAMES ? [] : ticks;
  const plot = renderPlot(
    `Accuracy of ${title}, with 95 % Wilson intervals`,
    series,
    shown,
    PER_CENT,
  );
  return variants.length > 1 ? html`${plot}${renderSeriesList(series)}` : plot;
}

function colourOf(series: number): string {
  return `var(--series-${series % 4})`;
}

const TOP = 10;
const BOTTOM = 230;

/** A mark in a plot: `x` is its place on the horizontal axis, 0 to 1. */
export type RunPoint = Readonly<{
  x: number;
  /** Null if it is not known: then only the interval is drawn. */
  value: number | null;
  interval: readonly [number, number] | null;
  /** Run or group and figure in words. */
  label: string;
  /** The report that a click opens; null without one. */
  href: string | null;
  /** Whether it replays recorded answers: its mark is hollow. */
  isReplay: boolean;
}>;

/** What is drawn of one agent and prompt; `label` is its entry in the list. */
export type Series = Readonly<{
  label: string;
  points: readonly RunPoint[];
  /** Whether lines join the points. */
  isJoined: boolean;
}>;

/** The vertical axis, from 0. */
export type Scale = { readonly most: number; format(value: number): string };

/** An axis at least up to `most`, whose four steps are round numbers. */
export function toScale(most: number, format: Scale['format']): Scale {
  const unit = 10 ** Math.floor(Math.log10(most / 4));
  const steps = [1, 2, 2.5, 5].find((count) => 4 * count * unit >= most) ?? 10;
  return { most: 4 * steps * unit, format };
}

export const PER_CENT: Scale = { most: 1, format: (rate) => `${Math.round(rate * 100)} %` };

/**
 * A figure by run or group. The number at the last point of a series is that of the list of series,
 * which `renderSeriesList` makes. Places along the horizontal axis are percentages of its width, and
 * all others are pixels: so labels have the same size on every screen.
 */
export function renderPlot(
  title: string,
  series: readonly Series[],
  ticks: readonly (readonly [text: string, x: number])[],
  { most, format }: Scale,
): Markup {
  const isLinked = series.some(({ isJoined }) => isJoined);
  const said = series.flatMap((one) =>
    one.isJoined ? one.label : one.points.map((point) => point.label),
  );
  const toY = (value: number) => BOTTOM - (value / most) * (BOTTOM - TOP);
  // The numbers are to the right of all marks at the last place.
  const beside = 2 + 6 * series.length;
  const body = [
    ...[0, 0.25, 0.5, 0.75, 1].map((part) => tickBeside(format(part * most), toY(part * most))),
    ...ticks.map(([text, x]) => label(cut(text, 14), across(x), 0, BOTTOM + 16, 'middle')),
    // Beside each other, so that none hides the interval of another.
    ...series.map((one, index) => {
      const shift = 6 * (index - (series.length - 1) / 2);
      return svg(
        'g',
        { transform: `translate(${shift} 0)` },
        renderSeries(one, index, toY, beside),
      );
    }),
  ];
  return html`<figure><figcaption>${title}</figcaption>
<svg class="plot" height="${BOTTOM + 26}" role="${isLinked ? 'group' : 'img'}" aria-label="${title}. ${said.join('. ')}">${body}</svg></figure>
`;
}

/** The names of the series of plots, numbered and in their colours. */
export function renderSeriesList(series: readonly Series[]): Markup {
  const items = series.map(
    ({ label }, index) => html`<li class="series-${index % 4}">${label}</li>`,
  );
  return html`<ol class="remarks">${items}</ol>
`;
}

function renderSeries(
  { points, isJoined }: Series,
  index: number,
  toY: (value: number) => number,
  beside: number,
): Markup {
  const places = points.map(({ x, value }): Point | null =>
    value === null ? null : [across(x), toY(value)],
  );
  // No line crosses a run whose figure is not known.
  const lines = places.slice(isJoined ? 1 : places.length).map((to, place) => {
    const from = places[place] ?? null;
    if (from === null || to === null) return NOTHING;
    const [[x1, y1], [x2, y2]] = [from, to];
    return svg('line', { stroke: colourOf(index), x1, y1, x2, y2 });
  });
  const [at, height] = places.findLast((place) => place !== null) ?? [];
  const number =
    isJoined && typeof height === 'number'
      ? label(`${index + 1}`, at ?? '', beside + 4 * index, height + 4, 'start')
      : NOTHING;
  return html`${lines}${points.map((point) => renderPoint(point, index, toY))}${number}`;
}

/** The interval and the mark of a run, as a link to its report. The bounds of a part are dashed. */
function renderPoint(
  { x, value, interval, label, href, isReplay }: RunPoint,
  index: number,
  toY: (value: number) => number,
): Markup {
  const stroke = colourOf(index);
  const [cx, middle] = [across(x), toY(value ?? ((interval?.[0] ?? 0) + (interval?.[1] ?? 0)) / 2)];
  const ends = interval?.map(toY);
  const bar =
    ends === undefined
      ? NOTHING
      : svg('line', {
          class: value === null ? 'whisker part' : 'whisker',
          stroke,
          x1: cx,
          x2: cx,
          y1: ends[0] ?? 0,
          y2: ends[1] ?? 0,
        });
  const mark = svg('circle', {
    fill: isReplay ? 'var(--panel)' : stroke,
    stroke,
    cx,
    cy: middle,
    r: value === null ? 0 : 4.5,
  });
  // Larger than the mark, so that fingers find it.
  const area = svg('circle', { fill: 'transparent', cx, cy: middle, r: 12 });
  const body = html`<title>${label}</title>${bar}${mark}${area}`;
  return href === null
    ? html`<g>${body}</g>`
    : html`<a href="${href}" aria-label="${label}">${body}</a>`;
}
