import { listPairs, toComparisonLines, toComparisonTable, toLegend } from '../comparison.ts';
import { toSuiteLines } from '../remarks.ts';
import {
  listSubtables,
  toOverview,
  toScoreTable,
  toSideBySide,
  toSuiteTable,
  toSuiteTitle,
} from '../tables.ts';
import type { Line } from '../terminal.ts';
import type { ShownRun } from './head.ts';
import { html, htmlTable, type Markup, NOTHING } from './markup.ts';

/** The tables of summary.md as HTML, for a reader without JavaScript. */
export function renderPlainTables(run: ShownRun, remarks: readonly Line[]): Markup {
  const { summary, pairs, gates, exit, comparison } = run;
  const overview = toOverview(summary, gates);
  const compared = toSideBySide(summary).map(({ title, table, ...suite }) => {
    const { pairs: own, notes } = listPairs(pairs, suite);
    return html`${htmlTable(title, table)}${renderList([...own.map(({ line }) => line), ...notes])}`;
  });
  return html`<h1>${run.manifest.run}</h1>
<p>${exit.reason}</p>
${overview === null ? NOTHING : htmlTable('Overview', overview)}${compared}${summary.suites.map((suite) => renderSuite(suite, run))}
${(comparison?.suites ?? []).map(
  (suite) =>
    html`${htmlTable(`${suite.suite} · ${suite.dataset}: B against A`, toComparisonTable(suite))}${renderList([...toLegend(suite), ...toComparisonLines(suite)])}`,
)}${renderList(remarks)}`;
}

function renderSuite(suite: ShownRun['summary']['suites'][number], { summary }: ShownRun): Markup {
  const name = toSuiteTitle(suite, summary);
  const scores = toScoreTable(suite, Number.POSITIVE_INFINITY);
  const others = listSubtables(suite).map(({ title, table }) =>
    htmlTable(`${name}, ${title}`, table),
  );
  return html`${htmlTable(name, toSuiteTable(suite))}${scores === null ? NOTHING : htmlTable(`${name}: named scores`, scores)}${renderList(toSuiteLines(suite, 'all'))}${others}`;
}

function renderList(lines: readonly (Line | string)[]): Markup {
  const items = lines.map(
    (line) => html`<li>${typeof line === 'string' ? line : line.text}</li>\n`,
  );
  return items.length === 0 ? NOTHING : html`<ul>${items}</ul>\n`;
}
