import type { RunComparison } from '../../src/figures/compare-runs.ts';
import type { RunOutcome } from '../../src/figures/evaluate-run.ts';
import { diffPrompts } from '../../src/figures/prompt-diff.ts';
import type { Manifest, SuiteManifest } from '../../src/store/manifest.ts';
import { readPrompt } from '../../src/store/run-folder.ts';
import type { Summary } from '../../src/words/figures.ts';
import { labelPrompt } from '../../src/words/variant.ts';
import {
  listFlips,
  listPairs,
  listPromptDiffs,
  type SuitePairs,
  toComparisonLines,
  toComparisonTable,
  toLegend,
} from '../comparison.ts';
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
import { renderAccuracyChart } from './charts.ts';
import { html, htmlTable, htmlText, type Markup, NOTHING } from './markup.ts';

/**
 * The tables of the run, as in the terminal and in summary.md. After the overview come those that
 * compare agents.
 */
export function renderTables({
  summary,
  pairs,
  gates,
}: Pick<RunOutcome, 'summary' | 'pairs' | 'gates'>): Markup {
  const comparisons = toSideBySide(summary).map(
    ({ title, table, ...suite }) =>
      html`${htmlTable(title, table)}${renderPairs(listPairs(pairs, suite))}`,
  );
  const suites = summary.suites.map((suite) => {
    const lines = renderList(toSuiteLines(suite, 'all'));
    const name = toSuiteTitle(suite, summary);
    const scores = toScoreTable(suite, Number.POSITIVE_INFINITY);
    const others = listSubtables(suite).map(({ title, table }) =>
      htmlTable(`${name}, ${title}`, table),
    );
    return html`<div class="suite">${htmlTable(name, toSuiteTable(suite))}</div>
${scores === null ? NOTHING : htmlTable(`${name}: named scores`, scores)}${lines}${others}`;
  });
  const overview = toOverview(summary, gates);
  return html`${overview === null ? NOTHING : htmlTable('Overview', overview)}${comparisons}${suites}`;
}

/** Each pair of variants; its line opens the questions whose verdicts differ. */
function renderPairs({ pairs, notes }: SuitePairs): Markup {
  const lines = pairs.map(({ line, comparison }) => {
    const flips = listFlips(comparison);
    return flips.length === 0
      ? html`<p>${line}</p>\n`
      : html`<details><summary>${line}</summary>\n${renderList(flips)}</details>\n`;
  });
  return html`${lines}${renderList(notes)}`;
}

/** This run compared with EVAL_BASELINE; nothing without one. */
export function renderBaseline(comparison: RunComparison | null): Markup {
  if (comparison === null) return NOTHING;
  const suites = comparison.suites.map((suite) => {
    const table = htmlTable(
      `${suite.suite} · ${suite.dataset}: B against A`,
      toComparisonTable(suite),
    );
    return html`${table}${renderList([...toLegend(suite), ...toComparisonLines(suite)])}`;
  });
  const diffs = listPromptDiffs(comparison.suites);
  return html`${suites}${diffs.map(({ subject, diff }) => renderDiff(subject, diff))}${renderList(comparison.not_compared)}`;
}

/** Lines as a list, in which warnings have their own style. */
export function renderList(lines: readonly (Line | string)[]): Markup {
  if (lines.length === 0) return NOTHING;
  const items = lines.map((line) => {
    const { text, level: of } = typeof line === 'string' ? { text: line, level: 'note' } : line;
    const level = of === 'bad' ? 'warning' : of;
    return html`<li class="${text.startsWith(' ') ? `${level} part` : level}">${text}</li>`;
  });
  return html`<ul class="remarks">${items}</ul>
`;
}

export function renderAccuracy(summary: Summary): Markup {
  const grouped = Map.groupBy(summary.suites, ({ suite, dataset }) => `${suite} · ${dataset}`);
  const charts = [...grouped].map(([name, variants]) => {
    const [first] = variants;
    const isOne = variants.length === 1 && first !== undefined;
    return renderAccuracyChart(isOne ? toSuiteTitle(first, summary) : name, variants);
  });
  return html`${charts}`;
}

/**
 * The prompts of each suite, in the order of the tables, and how the others differ from its first.
 * Nothing for a run that stored none.
 */
export function renderPrompts({ folder, manifest, summary }: PromptedRun): Markup {
  const order = summary.suites.map(({ suite }) => suite);
  const suites = manifest.suites.toSorted(
    (a, b) => order.indexOf(a.suite) - order.indexOf(b.suite),
  );
  const prompts = suites.flatMap((suite) => renderSuitePrompts(folder, suite));
  return prompts.length === 0 ? NOTHING : html`${prompts}`;
}

type PromptedRun = Readonly<{
  folder: string;
  manifest: Manifest;
  summary: Summary;
}>;

function renderSuitePrompts(folder: string, { suite, prompts }: SuiteManifest): readonly Markup[] {
  const kept = prompts.flatMap(({ name, hash }) => {
    const text = readPrompt(folder, suite, hash);
    return text === null ? [] : [{ name: labelPrompt(name, hash), text }];
  });
  return kept.map(({ name, text }, index) => {
    const [first] = kept;
    const isOther = first !== undefined && index > 0;
    const edits = isOther
      ? renderDiff(`${suite}, ${first.name} (-) and ${name} (+):`, diffPrompts(first.text, text))
      : NOTHING;
    return html`<details><summary>${suite}: ${name}</summary>
<pre dir="auto">${htmlText(text, LONGEST)}</pre>
</details>
${edits}`;
  });
}

const LONGEST = 20_000;

/** Lines of a diff, those that begin with + and - in colours. */
function renderDiff(title: string, lines: readonly string[]): Markup {
  const marked = lines.map((line) => {
    const text = htmlText(line, LONGEST);
    return line.startsWith('+')
      ? html`<ins>${text}</ins>\n`
      : line.startsWith('-')
        ? html`<del>${text}</del>\n`
        : html`${text}\n`;
  });
  return html`<figure><figcaption>${title}</figcaption>
<pre class="diff" dir="auto">${marked}</pre>
</figure>
`;
}
