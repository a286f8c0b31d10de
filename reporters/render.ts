import type { RunComparison } from '../src/compare/compare-runs.ts';
import { cut, escapeControls, escapeLine } from '../src/text/show.ts';
import type { SuiteSummary, Summary } from '../src/types.ts';
import { toComparisonLines, toComparisonTable, toLegend } from './comparison.ts';
import {
  describeConfidence,
  describePartial,
  formatRate,
  nameSuite,
  type Table,
  toConfidenceTable,
  toPositionTable,
  toSideBySide,
  toSuiteTable,
} from './tables.ts';

/**
 * What the terminal shows of a run: the tables, the comparison with the baseline, what is to be said of them, and the
 * exit code's reason last.
 */
export function renderText(
  summary: Summary,
  remarks: readonly string[],
  comparison: RunComparison | null = null,
): string {
  const sections = [
    ...summary.suites.map(
      (suite) => `${escapeLine(nameSuite(suite), 600)}\n\n${drawText(toSuiteTable(suite))}\n${renderBelow(suite)}`,
    ),
    ...toSideBySide(summary).map(({ title, table }) => `${escapeLine(title, 600)}\n\n${drawText(table)}`),
  ];
  const compared = comparison === null ? '' : `\n${renderTextComparison(comparison)}`;
  return `\n${sections.join('\n')}${compared}\n${toLines(remarks)}`;
}

function renderBelow(suite: SuiteSummary): string {
  const { macro_accuracy, chance, confidence } = suite;
  const lines = [
    ...(macro_accuracy === null ? [] : [`mean of the groups: ${formatRate(macro_accuracy)}`]),
    ...(chance === null ? [] : [`chance level: ${formatRate(chance)}`]),
    ...(confidence.length === 0 ? [] : [describeConfidence(suite)]),
  ];
  const positions = toPositionTable(suite);
  const table = positions === null ? '' : `  by position of the right option, as presented:\n\n${drawText(positions)}`;
  return `${toLines(lines)}${table}`;
}

/** Two runs side by side as plain text: a titled table for each suite and agent, then what is said of it. */
export function renderTextComparison({ suites, not_compared }: RunComparison): string {
  const sections = suites.map((suite) => {
    const title = escapeLine(`${suite.suite} · ${suite.dataset}`, 400);
    const table = drawText(toComparisonTable(suite));
    return `${title} · B against A\n${toLines(toLegend(suite))}\n${table}\n${toLines(toComparisonLines(suite))}`;
  });
  return [...sections, ...(not_compared.length === 0 ? [] : [toLines(not_compared)])].join('\n');
}

function toLines(texts: readonly string[]): string {
  return texts.map((text) => `  ${escapeLine(text, 400)}\n`).join('');
}

function drawText({ align, rows }: Table): string {
  const shown = rows.map((row) => row.map((cell) => escapeLine(cell, 60)));
  const widths = align.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const drawCell = (cell: string, column: number) =>
    align[column] === 'left' ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return shown.map((row) => `  ${row.map(drawCell).join('  ').trimEnd()}\n`).join('');
}

/** The same as Markdown, for summary.md and the page of a CI job. */
export function renderMarkdown(
  summary: Summary,
  remarks: readonly string[],
  comparison: RunComparison | null = null,
): string {
  const sections = [
    ...summary.suites.map((suite) => `${toHeading(nameSuite(suite))}${renderSuiteMarkdown(suite)}`),
    ...toSideBySide(summary).map(({ title, table }) => `${toHeading(title)}${drawMarkdown(table)}`),
    ...(comparison === null ? [] : [renderMarkdownComparison(comparison)]),
    drawList(remarks),
  ];
  return `# Evaluation\n\n${sections.filter((section) => section !== '').join('\n')}`;
}

function renderSuiteMarkdown(suite: SuiteSummary): string {
  const { macro_accuracy, chance } = suite;
  const sentences = [
    macro_accuracy === null ? null : `Mean of the groups: ${formatRate(macro_accuracy)}`,
    chance === null ? null : `Chance level: ${formatRate(chance)}`,
    describePartial(suite),
  ];
  const tables = [
    { head: 'By stated confidence', table: toConfidenceTable(suite) },
    { head: 'By position of the right option, as presented', table: toPositionTable(suite) },
  ];
  return [
    drawMarkdown(toSuiteTable(suite)),
    ...sentences.flatMap((sentence) => (sentence === null ? [] : [`${escapeMarkdown(sentence)}\n`])),
    ...tables.flatMap(({ head, table }) => (table === null ? [] : [`${head}:\n\n${drawMarkdown(table)}`])),
  ].join('\n');
}

/** The same as Markdown. */
export function renderMarkdownComparison({ suites, not_compared }: RunComparison): string {
  const sections = suites.map((suite) => {
    const heading = toHeading(`${suite.suite} · ${suite.dataset} · B against A`);
    const table = drawMarkdown(toComparisonTable(suite));
    return `${heading}${drawList(toLegend(suite))}\n${table}\n${drawList(toComparisonLines(suite))}`;
  });
  return [...sections, drawList(not_compared)].filter((part) => part !== '').join('\n');
}

function toHeading(title: string): string {
  return `## ${escapeMarkdown(title)}\n\n`;
}

function drawList(texts: readonly string[]): string {
  return texts.map((text) => `- ${escapeMarkdown(text, 400)}\n`).join('');
}

function drawMarkdown({ align, rows: [head = [], ...body] }: Table): string {
  const rule = align.map((side) => (side === 'left' ? '---' : '--:'));
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => escapeMarkdown(cell)).join(' | ')} |\n`;
  return [line(head), `| ${rule.join(' | ')} |\n`, ...body.map(line)].join('');
}

/** Text as Markdown shows it letter by letter: no markup, no HTML, no line breaks, no addresses made into links. */
function escapeMarkdown(text: string, maxLength = 200): string {
  return escapeControls(cut(text, maxLength))
    .trimStart()
    .replace(/[\\`*_{}[\]()#+!|~<>&]|:(?=\/\/)|(?<=www)\./gi, (character) => ENTITIES[character] ?? `\\${character}`)
    .replace(/^([-=])/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
