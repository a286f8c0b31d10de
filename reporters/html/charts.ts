import { scaleLinear } from 'd3-scale';
import { nameSide } from '../../src/text/wording.ts';
import type { SuiteSummary } from '../../src/types.ts';
import { formatAccuracy, formatRate } from '../tables.ts';
import { draw, html, type Markup, NOTHING } from './markup.ts';
import { formatCost } from './page/format.js';

/** Every chart is this wide in its own units; the page scales it. */
export const WIDTH = 720;

/** Where the names of rows end and their bars begin. */
const ROWS_LEFT = 210;

/** A drawing with a title and a sentence that describes it, for readers who do not see it. */
export function renderChart(title: string, description: string, height: number, body: readonly Markup[]): Markup {
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${Math.ceil(height)}" role="img" aria-label="${title}. ${description}">
<desc>${description}</desc>${body}</svg></figure>
`;
}

/** A text of a drawing; `kind` is its class in the style of the page. */
export function label(kind: string, text: string, x: number, y: number, anchor: 'start' | 'middle' | 'end'): Markup {
  return draw('text', { class: kind, x, y, 'text-anchor': anchor }, text);
}

export function line(kind: string, x1: number, y1: number, x2: number, y2: number): Markup {
  return draw('line', { class: kind, x1, y1, x2, y2 });
}

/** A value of the horizontal axis below a chart. */
export function tickBelow(text: string, x: number, bottom: number): Markup {
  return label('tick', text, x, bottom + 16, 'middle');
}

/** A value of the vertical axis with its line across the chart. */
export function tickBeside(text: string, y: number, left: number, right: number): Markup {
  return html`${line('grid', left, y, right, y)}${label('tick', text, left - 8, y + 4, 'end')}`;
}

/** The name of a row, at its left. */
function nameRow(kind: 'label' | 'heading', name: string, y: number): Markup {
  return label(kind, shorten(name), ROWS_LEFT - 12, y, 'end');
}

function shorten(text: string): string {
  return text.length > 30 ? `${text.slice(0, 27).toWellFormed()}...` : text;
}

/** Accuracy of each group with its Wilson interval; several agents that answered the same questions side by side. */
export function renderAccuracyChart(title: string, agents: readonly SuiteSummary[]): Markup {
  const groups = new Set(agents.flatMap((agent) => agent.groups.map(({ group }) => group)));
  const ordered = [...groups].filter((group) => group !== 'all').concat('all');
  const rows = ordered.flatMap((group) => toRows(agents, group));
  const said = rows.map(({ heading = '', name, value, note }) => {
    return `${heading === '' ? '' : `${heading}. `}${name}: ${value === null ? '' : formatRate(value)} ${note}`;
  });
  const description = `${said.slice(0, 60).join('; ')}.`;
  return renderRows(`Accuracy of ${title}, with 95 % Wilson intervals`, description, rows, agents[0]?.chance);
}

function toRows(agents: readonly SuiteSummary[], group: string): readonly Row[] {
  const several = agents.length > 1;
  const rows = agents.flatMap(({ groups, ...side }, series): readonly Row[] => {
    const figures = groups.find((other) => other.group === group);
    if (figures === undefined) return [];
    const { accuracy, ci95, bounds, states, graded } = figures;
    const note = accuracy === null ? formatAccuracy(figures) : `${states.correct} of ${graded}`;
    return [{ name: several ? nameSide(side) : group, series, value: accuracy, interval: ci95 ?? bounds, note }];
  });
  return rows.map((row, index) => (several && index === 0 ? { ...row, heading: group } : row));
}

/** One rate (0..1) with its interval. */
type Row = {
  readonly name: string;
  /** Index of the agent. Each agent has its own colour and its name next to its mark. */
  readonly series: number;
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  /** The text at the end of the row. */
  readonly note: string;
  /** The heading above this row and the rows that follow it. */
  readonly heading?: string;
};

const RIGHT = WIDTH - 150;
const ROW = 22;
const HEADING = 26;
const TOP = 8;
const RATES = [0, 0.25, 0.5, 0.75, 1];

/** Rates with their intervals, one below the other, on an axis from 0 to 100 % that marks `chance`. */
function renderRows(title: string, description: string, rows: readonly Row[], chance: number | null = null): Markup {
  const x = scaleLinear([0, 1], [ROWS_LEFT, RIGHT]);
  let bottom = TOP;
  const drawn = rows.map((row) => {
    bottom += (row.heading === undefined ? 0 : HEADING) + ROW;
    return renderRow(row, bottom - ROW / 2, x);
  });
  const ticks = RATES.map((rate) => {
    return html`${line('grid', x(rate), TOP, x(rate), bottom)}${tickBelow(`${rate * 100} %`, x(rate), bottom)}`;
  });
  const reference = chance === null ? NOTHING : renderReference(x(chance), `chance ${formatRate(chance)}`, bottom);
  return renderChart(title, description, bottom + (chance === null ? 24 : 40), [...ticks, reference, ...drawn]);
}

function renderRow(row: Row, middle: number, x: (rate: number) => number): Markup {
  const { name, value, interval, note, series, heading } = row;
  return html`${[
    heading === undefined ? NOTHING : nameRow('heading', heading, middle - ROW / 2 - 4),
    nameRow('label', name, middle + 4),
    interval === null ? NOTHING : renderWhisker(series, [x(interval[0]), middle], [x(interval[1]), middle]),
    value === null ? NOTHING : renderMark(x(value), middle, series),
    label('note', value === null ? note : `${formatRate(value)}  ${note}`, RIGHT + 12, middle + 4, 'start'),
  ]}`;
}

/** The line has a gap at the row of ticks, or it would strike through one. */
function renderReference(x: number, text: string, bottom: number): Markup {
  const parts = [line('reference', x, TOP, x, bottom + 4), line('reference', x, bottom + 19, x, bottom + 24)];
  return html`${parts}${label('tick', text, x, bottom + 34, 'middle')}`;
}

type Point = readonly [x: number, y: number];

function renderWhisker(series: number, [x1, y1]: Point, [x2, y2]: Point): Markup {
  return draw('line', { class: 'whisker', stroke: colourOf(series), x1, y1, x2, y2 });
}

function colourOf(series: number): string {
  return `var(--series-${series % 4})`;
}

function renderMark(x: number, y: number, series: number): Markup {
  return draw('circle', { class: 'mark', fill: colourOf(series), cx: x, cy: y, r: 4.5 });
}

const COST_LEFT = 60;
const COST_TOP = 10;
const COST_BOTTOM = 230;

/** Cost of an answer against accuracy; nothing unless two agents have both figures. */
export function renderCostChart(title: string, agents: readonly SuiteSummary[]): Markup {
  const points = agents.flatMap(({ groups, ...side }) => {
    const { n = 1, cost_usd = null, accuracy = null, ci95 = null } = groups.at(-1) ?? {};
    return cost_usd === null || accuracy === null
      ? []
      : [{ agent: nameSide(side), cost: cost_usd / n, accuracy, ci95 }];
  });
  if (points.length < 2) return NOTHING;
  const most = Math.max(...points.map(({ cost }) => cost));
  const x = scaleLinear([0, most === 0 ? 1 : most], [COST_LEFT, RIGHT]).nice(5);
  const y = scaleLinear([0, 1], [COST_BOTTOM, COST_TOP]);
  const drawn = points.map(({ agent, cost, accuracy, ci95 }, series) => {
    const [at, middle] = [x(cost), y(accuracy)];
    const whisker = ci95 === null ? NOTHING : renderWhisker(series, [at, y(ci95[0])], [at, y(ci95[1])]);
    return html`${whisker}${renderMark(at, middle, series)}${label('label', shorten(agent), at + 10, middle + 4, 'start')}`;
  });
  const said = points.map(({ agent, cost, accuracy }) => `${agent}: ${formatCost(cost)}, ${formatRate(accuracy)}`);
  return renderChart(`Cost per question and accuracy, ${title}`, `${said.join('; ')}.`, COST_BOTTOM + 26, [
    ...RATES.map((rate) => tickBeside(`${rate * 100} %`, y(rate), COST_LEFT, RIGHT)),
    ...x.ticks(5).map((cost) => tickBelow(formatCost(cost), x(cost), COST_BOTTOM)),
    ...drawn,
  ]);
}
