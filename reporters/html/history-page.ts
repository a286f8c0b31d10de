import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { writeWhole } from '../../src/store/line-file.ts';
import { plural } from '../../src/text/wording.ts';
import { type PastSide, toSidesTable } from '../past-sides.ts';
import { formatAccuracy, formatInterval } from '../tables.ts';
import { renderAccuracyPlot, type Series } from './charts.ts';
import { html, type Markup, renderTable } from './markup.ts';
import { renderDocument } from './render-page.ts';

/** Writes a page with the figures of several runs, the oldest first: their history as charts, a table, and their reports. */
export function writeHistory(sides: readonly PastSide[], file: string): void {
  const runs = new Map(sides.map(({ run, folder }) => [folder, run]));
  const title = plural(runs.size, 'run');
  const body = html`<header><h1>${title}</h1></header>
<main>
<section id="history"><h2>Accuracy, run by run</h2>
${renderCharts(sides)}</section>
<section id="runs"><h2>Runs</h2>
${renderTable('All runs, the oldest first', toSidesTable(sides))}
<ul class="remarks">${[...runs].map(([folder, run]) => renderLink(run, join(folder, 'report.html'), file))}</ul></section>
</main>`;
  writeWhole(file, renderDocument(title, body));
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

/** Accuracy with its interval; runs have equal distances, and each agent has a line. A run that did not end has its bounds alone. */
function renderHistory(title: string, sides: readonly PastSide[]): Markup {
  const runs = [...new Set(sides.map(({ folder }) => folder))];
  const placeOf = ({ folder }: PastSide) => 0.04 + (0.92 * runs.indexOf(folder)) / Math.max(1, runs.length - 1);
  const series = [...Map.groupBy(sides, nameSeries)].map(([name, own]): Series => {
    const points = own.map((side) => {
      const { accuracy, ci95, bounds } = side.all;
      return { x: placeOf(side), accuracy, interval: ci95 ?? bounds };
    });
    return { said: `${name}: ${describeLatest(own)}`, points };
  });
  const ends = new Map([sides[0], sides.at(-1)].flatMap((side) => (side ? [[placeOf(side), side]] : [])));
  const ticks = [...ends].map(([at, { started_at }]) => [started_at.slice(0, 10), at] as const);
  return renderAccuracyPlot(`${title}, with 95 % intervals`, series, ticks);
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
