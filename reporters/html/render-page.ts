import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeWhole } from '../../src/store/line-file.ts';
import { type LoggedQuestion, readQuestions } from '../../src/store/question-log.ts';
import { hidesRecords } from '../../src/text/hide-records.ts';
import { plural } from '../../src/text/wording.ts';
import type { SampleResult, TraceStep } from '../../src/types.ts';
import type { Conclusion } from '../conclude-run.ts';
import { findTraces, toCaseJson } from './case-data.ts';
import { html, Markup, NOTHING } from './markup.ts';
import {
  renderAccuracy,
  renderAudit,
  renderBaseline,
  renderChoices,
  renderLatency,
  renderStates,
  renderTables,
} from './sections.ts';

/** Writes report.html into the folder of a run. */
export function writeReport(conclusion: ReportInput['conclusion'], remarks: readonly string[]): void {
  const { folder, manifest } = conclusion;
  const hides = hidesRecords(manifest.config);
  const questions = new Map<string, ReadonlyMap<string, LoggedQuestion>>();
  const page = renderPage({
    conclusion,
    remarks,
    questions(suite) {
      const known = questions.get(suite) ?? readQuestions(folder, suite);
      questions.set(suite, known);
      return known;
    },
    isHidden: ({ dataset }) => hides && dataset !== 'sample',
    trace: findTraces(folder),
  });
  writeWhole(join(folder, 'report.html'), page);
}

/** A part of the page with its id and how the navigation calls it; NOTHING where there is nothing to show. */
type Section = readonly [id: string, name: string, body: Markup];

/** report.html as text: one file without anything from outside, which holds its style, its script and all its data. */
function renderPage(input: ReportInput): string {
  const { style, script, policy } = readPageFiles();
  const { summary, settled, folder, audit, comparison } = input.conclusion;
  const sections: readonly Section[] = [
    ['results', 'Results', renderResults(input)],
    ['baseline', 'Baseline', renderBaseline(comparison)],
    ['accuracy', 'Accuracy', renderAccuracy(summary)],
    ['latency', 'Latency', renderLatency(summary, settled.results)],
    ['states', 'States', renderStates(summary, settled.results)],
    ['confidence', 'Confidence', renderChoices(summary)],
    ['rules', 'Rules', renderAudit(audit)],
    ['cases', 'Cases', renderCases(settled.results.length)],
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${basename(folder)} · viva</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#cases">Skip to the cases</a>
${renderHeader(input, sections)}
<main>
${sections.map(([, , body]) => body)}</main>
<script type="application/json" id="data">${new Markup(toCaseJson(input))}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

function renderHeader(input: ReportInput, sections: readonly Section[]): Markup {
  const { manifest, folder, exit } = input.conclusion;
  const versions = Object.entries(manifest.versions).map(([name, version]) => `${name} ${version}`);
  const commit = manifest.git_commit === null ? [] : [`commit ${manifest.git_commit.slice(0, 12)}`];
  const links = sections.filter(([, , body]) => body !== NOTHING);
  return html`<header>
<h1>Evaluation report</h1>
<p class="run"><code>${basename(folder)}</code> · ${[...versions, ...commit].join(' · ')}</p>
<p class="exit ${exit.code === 0 ? 'good' : 'bad'}">${exit.reason}</p>
${renderBanner(input)}<nav aria-label="Sections"><ul>${links.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
</header>
`;
}

function renderResults({ conclusion, remarks }: ReportInput): Markup {
  return html`<section id="results"><h2>Results</h2>
${renderTables(conclusion.summary)}${renderRemarks(remarks)}</section>
`;
}

/** GAIA asks its users not to repost its questions and answers where they can be crawled. */
function renderBanner({ conclusion, isHidden }: ReportInput): Markup {
  const results = conclusion.settled.results;
  const gated = results.some(({ suite, dataset }) => suite === 'gaia' && dataset !== 'sample');
  if (results.some(isHidden)) {
    return html`<p class="banner" role="note"><strong>Texts are hidden.</strong> In CI the questions, truths and answers of any dataset but the sample are left out. EVAL_SHOW_GATED=1 shows them.</p>
`;
  }
  if (!gated) return NOTHING;
  return html`<p class="banner" role="note"><strong>Keep this file private.</strong> It holds questions, truths and answers in GAIA's form. GAIA is gated: do not publish them, or put them where they can be crawled.</p>
`;
}

function renderRemarks(remarks: readonly string[]): Markup {
  const loud = /^(NOT COMPLETE|STOPPED|PARTIAL|DUPLICATE|TORN|OUTSIDE THE ANSWERS|GATE MISSED)/;
  const items = remarks.map(
    (remark) => html`<li${new Markup(loud.test(remark) ? ' class="loud"' : '')}>${remark}</li>
`,
  );
  return html`<h3>Notes</h3>
<ul class="remarks">${items}</ul>
`;
}

/** The script fills the table; the form is of no use without it. */
function renderCases(count: number): Markup {
  return html`<section id="cases"><h2>Cases</h2>
<noscript><p class="banner">The table of ${plural(count, 'case')} needs JavaScript. samples.jsonl beside this file has a row for each.</p></noscript>
<form id="filters" hidden role="search" aria-label="Filter the cases"></form>
<p id="count" role="status" aria-live="polite"></p>
<div id="table"></div>
</section>
`;
}

/** The page's scripts, each before the ones that use it. */
const SCRIPTS = ['visible', 'cases', 'filter', 'elements', 'details', 'table', 'start'];

/** What the page brings with it: its style and its script, and the policy that lets these two run and nothing else. */
export function readPageFiles(): { readonly style: string; readonly script: string; readonly policy: string } {
  const style = read('report.css');
  const script = `(() => {\n'use strict';\n${SCRIPTS.map((name) => inline(read(`${name}.js`))).join('\n')}})();\n`;
  const policy = [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    `script-src '${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return { style, script, policy: policy.join('; ') };
}

function read(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');
}

/** A module as a part of one script: what it imports stands before it, what it exports needs no word. */
function inline(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

function digest(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

/** Everything that report.html is made of. */
export type ReportInput = {
  readonly conclusion: Pick<
    Conclusion,
    'folder' | 'manifest' | 'summary' | 'settled' | 'comparison' | 'audit' | 'exit'
  >;
  readonly remarks: readonly string[];
  /** What a suite asked, by id. */
  questions(suite: string): ReadonlyMap<string, LoggedQuestion>;
  /** Whether the texts of a result must not be shown (DESIGN 5.10). */
  isHidden(result: SampleResult): boolean;
  /** How an answer came about: what is shown in the report, or the file that has it; null where there is nothing. */
  trace(result: SampleResult): { readonly steps: readonly TraceStep[] } | { readonly file: string } | null;
};
