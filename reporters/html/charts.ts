import type { SuiteSummary } from '../../src/types.ts';
import { formatAccuracy, formatRate } from '../format-figures.ts';
import { nameColumns } from '../tables.ts';
import { draw, html, type Markup, NOTHING } from './markup.ts';

/**
 * A drawing with a title and a sentence that describes it, for readers who do not see it. Places
 * along the horizontal axis are percentages of its width, and all others are pixels: so labels have
 * the same size on every screen.
 */
function renderChart(
  title: string,
  description: string,
  height: number,
  body: readonly Markup[],
): Markup {
  return renderFigure(
    title,
    html`<svg class="plot" height="${height}" role="group" aria-label="${title}. ${description}">${body}</svg>`,
  );
}

function renderFigure(title: string, body: Markup): Markup {
  return html`<figure><figcaption>${title}</figcaption>
${body}</figure>
`;
}

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
  return draw('text', { x, dx, y, 'text-anchor': anchor }, text);
}

function line(kind: string, [x1, y1]: Point, [x2, y2]: Point): Markup {
  return draw('line', { class: kind, x1, y1, x2, y2 });
}

/** A place in a drawing. */
type Point = readonly [x: string, y: number | string];

/** A value of the horizontal axis below a chart. */
function tickBelow(text: string, x: string, bottom: number): Markup {
  return label(text, x, 0, bottom + 16, 'middle');
}

/** A value of the vertical axis with its line across the chart. */
function tickBeside(text: string, y: number): Markup {
  return html`${line('grid', ['0%', y], ['100%', y])}${label(text, '0%', -8, y + 4, 'end')}`;
}

/**
 * Accuracy of each group with its Wilson interval; several variants that answered the same questions
 * below each other.
 */
export function renderAccuracyChart(title: string, variants: readonly SuiteSummary[]): Markup {
  const groups = new Set(variants.flatMap((variant) => variant.groups.map(({ group }) => group)));
  const ordered = [...groups].filter((group) => group !== 'all').concat('all');
  const chance = variants[0]?.chance ?? null;
  const rows = ordered
    .flatMap((group) => toRows(variants, group))
    .map((row) => renderRow(row, chance));
  const ticks = RATES.map((rate) => tickBelow(`${rate * 100} %`, across(rate), 0));
  const note =
    chance === null
      ? NOTHING
      : html`<p class="note">The dashed line is chance, ${formatRate(chance)}.</p>`;
  const axis = html`<div class="rate">${renderTrack(ticks)}</div>${note}`;
  return renderFigure(`Accuracy of ${title}, with 95 % Wilson intervals`, html`${rows}${axis}`);
}

function toRows(variants: readonly SuiteSummary[], group: string): readonly Row[] {
  const several = variants.length > 1;
  const names = nameColumns(variants);
  const rows = variants.flatMap(({ groups }, series): readonly Row[] => {
    const figures = groups.find((other) => other.group === group);
    if (figures === undefined) return [];
    const { accuracy, ci95, bounds, states, graded } = figures;
    const note =
      accuracy === null
        ? formatAccuracy(figures)
        : `${formatRate(accuracy)} (${states.correct} of ${graded})`;
    return [
      {
        name: several ? (names[series] ?? '') : group,
        series,
        value: accuracy,
        interval: ci95 ?? bounds,
        note,
      },
    ];
  });
  return rows.map((row, index) => (several && index === 0 ? { ...row, heading: group } : row));
}

/** One rate (0..1) with its interval. */
type Row = {
  readonly name: string;
  /** Which of several variants: their colours differ. */
  readonly series: number;
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  /** The text at the end of the row. */
  readonly note: string;
  /** The heading above this row and the rows that follow it. */
  readonly heading?: string;
};

const RATES = [0, 0.25, 0.5, 0.75, 1];

/** A row of HTML with a drawing in it: names wrap, however long they are. */
function renderRow(
  { name, value, interval, note, series, heading }: Row,
  chance: number | null,
): Markup {
  const body = [
    ...RATES.map((rate) => line('grid', [across(rate), 0], [across(rate), '100%'])),
    chance === null ? NOTHING : line('reference', [across(chance), 0], [across(chance), '100%']),
    interval === null
      ? NOTHING
      : renderWhisker(series, [across(interval[0]), '50%'], [across(interval[1]), '50%']),
    value === null ? NOTHING : renderMark([across(value), '50%'], series),
  ];
  return html`${heading === undefined ? NOTHING : html`<h4>${heading}</h4>`}<div class="rate"><span>${name}</span> ${renderTrack(body)} <span class="note">${note}</span></div>
`;
}

function renderTrack(body: readonly Markup[]): Markup {
  return html`<div class="track"><svg aria-hidden="true">${body}</svg></div>`;
}

function renderWhisker(series: number, [x1, y1]: Point, [x2, y2]: Point): Markup {
  return draw('line', { class: 'whisker', stroke: colourOf(series), x1, y1, x2, y2 });
}

function colourOf(series: number): string {
  return `var(--series-${series % 4})`;
}

function renderMark([cx, cy]: Point, series: number): Markup {
  return draw('circle', { fill: colourOf(series), cx, cy, r: 4.5 });
}

const TOP = 10;
const BOTTOM = 230;

/** A run in a plot: `x` is its place on the horizontal axis, 0 to 1. */
export type RunPoint = {
  readonly x: number;
  /** Null if it is not known: then only the interval is drawn. */
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  /** Run and figure in words. */
  readonly label: string;
  /** The report that a click opens; null without one. */
  readonly href: string | null;
  /** Whether it replays recorded answers: its mark is hollow. */
  readonly isReplay: boolean;
  /** Whether its prompt is another one than that of the run before it: its mark has a ring. */
  readonly isEdited: boolean;
};

/** What is drawn of one agent and prompt; `label` is its entry in the list. */
export type Series = { readonly label: string; readonly points: readonly RunPoint[] };

/** The vertical axis, from 0. */
export type Scale = { readonly most: number; format(value: number): string };

/**
 * A figure by run. The number at the last point of a series is that of the list of series, which
 * `renderSeriesList` makes.
 */
export function renderRunPlot(
  title: string,
  series: readonly Series[],
  ticks: readonly (readonly [text: string, x: number])[],
  { most, format }: Scale,
): Markup {
  const description = series.map((one) => `${one.label}.`).join(' ');
  const toY = (value: number) => BOTTOM - (value / most) * (BOTTOM - TOP);
  return renderChart(title, description, BOTTOM + 26, [
    ...RATES.map((part) => tickBeside(format(part * most), toY(part * most))),
    ...ticks.map(([text, x]) => tickBelow(text, across(x), BOTTOM)),
    // Beside each other, so that none hides the interval of another.
    ...series.map(({ points }, index) => {
      const shift = 6 * (index - (series.length - 1) / 2);
      return draw('g', { transform: `translate(${shift} 0)` }, renderSeries(points, index, toY));
    }),
  ]);
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
  points: readonly RunPoint[],
  index: number,
  toY: (value: number) => number,
): Markup {
  const places = points.map(({ x, value }): Point | null =>
    value === null ? null : [across(x), toY(value)],
  );
  // No line crosses a run whose figure is not known.
  const lines = places.slice(1).map((to, place) => {
    const from = places[place] ?? null;
    if (from === null || to === null) return NOTHING;
    const [[x1, y1], [x2, y2]] = [from, to];
    return draw('line', { stroke: colourOf(index), x1, y1, x2, y2 });
  });
  const [at, height] = places.findLast((place) => place !== null) ?? [];
  const number =
    typeof height === 'number'
      ? label(`${index + 1}`, at ?? '', 8 + 4 * index, height + 4, 'start')
      : NOTHING;
  return html`${lines}${points.map((point) => renderPoint(point, index, toY))}${number}`;
}

/** The interval and the mark of a run, as a link to its report. The bounds of a part are dashed. */
function renderPoint(
  { x, value, interval, label, href, isReplay, isEdited }: RunPoint,
  index: number,
  toY: (value: number) => number,
): Markup {
  const stroke = colourOf(index);
  const [cx, middle] = [across(x), toY(value ?? ((interval?.[0] ?? 0) + (interval?.[1] ?? 0)) / 2)];
  const ends = interval?.map(toY);
  const bar =
    ends === undefined
      ? NOTHING
      : draw('line', {
          class: value === null ? 'whisker part' : 'whisker',
          stroke,
          x1: cx,
          x2: cx,
          y1: ends[0] ?? 0,
          y2: ends[1] ?? 0,
        });
  const mark = draw('circle', {
    fill: isReplay ? 'var(--panel)' : stroke,
    stroke,
    cx,
    cy: middle,
    r: value === null ? 0 : 4.5,
  });
  const ring = isEdited ? draw('circle', { fill: 'none', stroke, cx, cy: middle, r: 8 }) : NOTHING;
  // Larger than the mark, so that fingers find it.
  const area = draw('circle', { fill: 'transparent', cx, cy: middle, r: 12 });
  const body = html`<title>${label}</title>${bar}${mark}${ring}${area}`;
  return href === null
    ? html`<g>${body}</g>`
    : html`<a href="${href}" aria-label="${label}">${body}</a>`;
}
