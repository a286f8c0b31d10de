import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { scaleLinear } from 'd3-scale';
import { writeWhole } from '../../src/store/line-file.ts';
import { plural } from '../../src/text/wording.ts';
import { type PastSide, toSidesTable } from '../past-sides.ts';
import { formatAccuracy, formatInterval } from '../tables.ts';
import {
  across,
  colourOf,
  label,
  RATES,
  renderChart,
  renderMark,
  renderWhisker,
  tickBelow,
  tickBeside,
} from './charts.ts';
import { draw, html, Markup, NOTHING, renderTable } from './markup.ts';
import { readPageFiles } from './render-page.ts';

/** Writes a page with the figures of several runs, the oldest first: their history as charts, a table, and their reports. */
export function writeHistory(sides: readonly PastSide[], file: string): void {
  const { style, stylePolicy } = readPageFiles();
  const runs = new Map(sides.map(({ run, folder }) => [folder, run]));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(stylePolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${plural(runs.size, 'run')} · viva</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header><h1>${plural(runs.size, 'run')}</h1></header>
<main>
<section id="history"><h2>Accuracy, run by run</h2>
${renderCharts(sides)}</section>
<section id="runs"><h2>Runs</h2>
${renderTable('All runs, the oldest first', toSidesTable(sides))}
<ul class="remarks">${[...runs].map(([folder, run]) => renderLink(run, join(folder, 'report.html'), file))}</ul></section>
</main>
</body>
</html>
`;
  writeWhole(file, page.text);
}

function renderLink(run: string, report: string, file: string): Markup {
  if (!existsSync(report)) return html`<li>${run}: no report; <code>viva report ${run}</code> writes it</li>`;
  const path = relative(dirname(file), report).split(sep).map(encodeURIComponent).join('/');
  return html`<li><a href="${path}">${run}</a></li>`;
}

/** A chart for each selection of questions: runs on other questions cannot be compared. */
function renderCharts(sides: readonly PastSide[]): Markup {
  const titles = new Map<string, number>();
  const charts = [...Map.groupBy(sides, ({ selection }) => selection).values()].map((own) => {
    const { suite = '', dataset = '', all } = own[0] ?? {};
    const title = `${suite} · ${dataset} · ${plural(all?.questions ?? 0, 'question')}`;
    const number = (titles.get(title) ?? 0) + 1;
    titles.set(title, number);
    return renderHistory(number === 1 ? title : `${title} (selection ${number})`, own);
  });
  return html`${charts}`;
}

const TOP = 10;
const BOTTOM = 230;

/** Accuracy with its interval; runs have equal distances, and each agent has a line. */
function renderHistory(title: string, sides: readonly PastSide[]): Markup {
  const runs = [...new Set(sides.map(({ folder }) => folder))];
  const x = scaleLinear([0, Math.max(1, runs.length - 1)], [0.04, 0.96]);
  const y = scaleLinear([0, 1], [BOTTOM, TOP]);
  const placeOf = ({ folder }: PastSide) => across(x(runs.indexOf(folder)));
  const series = [...Map.groupBy(sides, nameSeries)];
  const ends = new Map(
    [sides[0], sides.at(-1)].map((side) => (side === undefined ? ['', ''] : [placeOf(side), side.started_at])),
  );
  const said = series.map(([name, own]) => `${name}: ${describeLatest(own)}`);
  const chart = renderChart(`${title}, with 95 % intervals`, `${said.join('; ')}.`, BOTTOM + 26, [
    ...RATES.map((rate) => tickBeside(`${rate * 100} %`, y(rate))),
    ...[...ends].map(([at, started]) => tickBelow(started.slice(0, 10), at, BOTTOM)),
    ...series.map(([, own], index) => renderSeries(own, placeOf, y, index)),
  ]);
  return html`${chart}<ol class="remarks">${said.map((text) => html`<li>${text}</li>`)}</ol>
`;
}

/** Several prompts of one run have a line each, by the names of their files. */
function nameSeries({ agent, prompt, isOneOfSeveral }: PastSide): string {
  return isOneOfSeveral ? `${agent}, ${prompt.replace(/@[^@]*$/, '')}` : agent;
}

/** The table has the figures of the other runs. */
function describeLatest(sides: readonly PastSide[]): string {
  const { all } = sides.at(-1) ?? {};
  const figures = all === undefined ? '' : formatAccuracy(all);
  const interval = all?.ci95 == null ? '' : ` (${formatInterval(all.ci95)})`;
  return `${plural(sides.length, 'run')}, the latest ${figures}${interval}`;
}

/** A run that did not end has its bounds alone. The number at the end is that of the list below. */
function renderSeries(
  sides: readonly PastSide[],
  placeOf: (side: PastSide) => string,
  y: (rate: number) => number,
  index: number,
): Markup {
  const points = sides.flatMap((side) => {
    const { accuracy } = side.all;
    return accuracy === null ? [] : [[placeOf(side), y(accuracy)] as const];
  });
  const intervals = sides.flatMap((side) => {
    const [low, high] = side.all.ci95 ?? side.all.bounds ?? [];
    const at = placeOf(side);
    return low === undefined || high === undefined ? [] : [renderWhisker(index, [at, y(low)], [at, y(high)])];
  });
  const lines = points.slice(1).map((to, place) => {
    const [[x1, y1], [x2, y2]] = [points[place] ?? to, to];
    return draw('line', { stroke: colourOf(index), x1, y1, x2, y2 });
  });
  const [at, height] = points.at(-1) ?? ['', 0];
  const number = at === '' ? NOTHING : label('label', `${index + 1}`, [at, 8], height + 4, 'start');
  return html`${[...intervals, ...lines, ...points.map((point) => renderMark(point, index)), number]}`;
}
