import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isGaiaItself } from '../../src/data/gaia.ts';
import type { RunOutcome } from '../../src/figures/evaluate-run.ts';
import { RUN_FILES } from '../../src/store/run-folder.ts';
import { plural } from '../../src/words/show.ts';
import type { Line } from '../terminal.ts';
import { toCaseJson } from './case-data.ts';
import { renderConfusion } from './confusion.ts';
import { html, Markup, NOTHING } from './markup.ts';
import {
  renderAccuracy,
  renderBaseline,
  renderList,
  renderPrompts,
  renderTables,
} from './sections.ts';

/** The parts of a run that report.html shows. */
type FinishedRun = Pick<
  RunOutcome,
  | 'folder'
  | 'manifest'
  | 'summary'
  | 'results'
  | 'isHidden'
  | 'comparison'
  | 'pairs'
  | 'gates'
  | 'exit'
>;

type ReportedRun = FinishedRun & {
  /** The path from the page to the run folder. */ readonly base: string;
};

/** The report of a run, for report.html in its folder or for another file. */
export function renderReport(
  run: FinishedRun,
  remarks: readonly Line[],
  file = join(run.folder, RUN_FILES.report.name),
): Iterable<string> {
  return renderPage({ ...run, base: relative(dirname(file), run.folder) }, remarks);
}

/**
 * A part of the page with its id, its link and its heading. Its body is NOTHING if there is nothing
 * to show.
 */
type Section = readonly [id: string, link: string, heading: string, body: Markup];

/**
 * The parts of report.html: one file with its style, its script and all its data. It loads nothing
 * else.
 */
function renderPage(run: ReportedRun, remarks: readonly Line[]): Iterable<string> {
  const { summary, results, manifest, comparison } = run;
  const all: readonly Section[] = [
    [
      'results',
      'Results',
      'Results',
      html`${renderTables(run)}<h3>Notes</h3>\n${renderList(remarks)}`,
    ],
    ['baseline', 'Baseline', 'Comparison with the baseline', renderBaseline(comparison)],
    ['accuracy', 'Accuracy', 'Accuracy by group', renderAccuracy(summary)],
    ['confusion', 'Confusion', 'Confusion matrix', renderConfusion(run)],
    ['prompts', 'Prompts', 'Prompts', renderPrompts(run)],
    ['cases', 'Cases', 'Cases', renderCases(results.length)],
  ];
  const sections = all.filter(([, , , body]) => body !== NOTHING);
  const body = html`${renderHeader(run, sections)}
<main>
${sections.map(([id, , heading, body]) => html`<section id="${id}"><h2>${heading}</h2>\n${body}</section>\n`)}</main>
<script type="application/json" id="data">`;
  const parts = [body.text, ...toCaseJson([run]), '</script>'];
  return renderDocument(manifest.run, parts, readScript());
}

/**
 * The parts of a page with its style and a script. Its security policy allows these two and nothing
 * else.
 */
export function renderDocument(
  title: string,
  body: readonly string[],
  script = '',
): readonly string[] {
  const style = readPageFile('report.css');
  const policy = `default-src 'none'; style-src '${digest(style)}'; base-uri 'none'; form-action 'none'; script-src '${digest(script)}'`;
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · viva</title>
<style>${new Markup(style)}</style>
</head>
<body>
`;
  const last = script === '' ? '' : `<script>${script}</script>`;
  return [head.text, ...body, `\n${last}\n</body>\n</html>\n`];
}

function renderHeader(run: ReportedRun, sections: readonly Section[]): Markup {
  const { manifest, exit } = run;
  const versions = Object.entries(manifest.versions).map(([name, version]) => `${name} ${version}`);
  const commit = manifest.git_commit === null ? [] : [`commit ${manifest.git_commit.slice(0, 12)}`];
  return html`<header>
<h1>Evaluation report</h1>
<p class="run"><code>${manifest.run}</code> · ${[...versions, ...commit].join(' · ')}</p>
<p class="exit ${exit.code === 0 ? 'good' : 'bad'}">${exit.reason}</p>
${renderBanner(run)}<nav aria-label="Sections"><ul>${sections.map(([id, link]) => html`<li><a href="#${id}">${link}</a></li>`)}</ul></nav>
</header>
`;
}

/** For a page with texts. GAIA asks its users not to publish its questions and answers where they can be crawled. */
export function renderBanner({
  results,
  manifest,
  isHidden,
}: Pick<ReportedRun, 'results' | 'manifest' | 'isHidden'>): Markup {
  if (results.some(({ suite }) => isHidden(suite))) {
    return html`<p class="banner" role="note"><strong>Texts are hidden.</strong> In CI, questions, expected answers and answers are left out unless a suite is public. Set EVAL_SHOW_GATED=1 to show them.</p>
`;
  }
  const isGaia = results.some(({ dataset }) => isGaiaItself({ dataset, source: null }));
  // A file may have GAIA's records: they have levels.
  const isInItsForm = manifest.suites.some(
    ({ exports, dataset, questions }) =>
      exports.length > 0 &&
      dataset !== 'sample' &&
      questions.some(({ group }) => /^level [123]$/.test(group)),
  );
  if (!isGaia && !isInItsForm) return NOTHING;
  return html`<p class="banner" role="note"><strong>Keep this file private.</strong> It holds questions, expected answers and answers in GAIA's form. GAIA is gated: do not publish this file or put it where it can be crawled.</p>
`;
}

/** The script fills the table and shows the form. */
export function renderCases(count: number): Markup {
  return html`<noscript><p class="banner">The table of ${plural(count, 'case')} needs JavaScript. samples.jsonl in the folder of the run has a row for each.</p></noscript>
<form id="filters" hidden role="search" aria-label="Filter the cases"></form>
<p id="count" role="status" aria-live="polite"></p>
<div id="table"></div>
`;
}

/** The terminal writes amounts in the same way. */
const AMOUNTS = '../../../src/words/amounts';

/** The report's scripts. Each one comes before those that use it. */
const SCRIPTS = [AMOUNTS, 'elements', 'filter', 'siblings', 'details', 'table'];

/** The script of the report, or of a page with other scripts. */
export function readScript(scripts: readonly string[] = SCRIPTS): string {
  return `(() => {\n'use strict';\n${scripts.map((name) => inline(readPageFile(`${name}.js`))).join('\n')}})();\n`;
}

export function readPageFile(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');
}

/**
 * A module as a part of one script: without its imports, which come before it, and without the word
 * `export`.
 */
function inline(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

function digest(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}
