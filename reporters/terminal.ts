import type { RunComparison } from '../src/compare/compare-runs.ts';
import { escapeLine } from '../src/text/show.ts';
import type { SuiteSummary, Summary } from '../src/types.ts';
import { toComparisonLines, toComparisonTable, toLegend } from './comparison.ts';
import { formatRate, type SuiteTable, toChoiceLines, toComparisons, toPositionTable, toSuiteTable } from './tables.ts';

/**
 * What the terminal shows of a run: the tables, the comparison with the baseline, what is to be said of them, and the
 * exit code's reason last.
 */
export function renderReport(
  summary: Summary,
  remarks: readonly string[],
  comparison: RunComparison | null = null,
): string {
  const compared = comparison === null ? '' : `\n${renderComparison(comparison)}`;
  return `\n${renderTables(summary)}${compared}\n${toLines(remarks)}`;
}

/** Two runs side by side as plain text: a titled table for each suite and agent, then what is said of it. */
export function renderComparison({ suites, not_compared }: RunComparison): string {
  const sections = suites.map((suite) => {
    const title = [suite.suite, suite.dataset].map((part) => escapeLine(part)).join(' · ');
    const table = drawTable(toComparisonTable(suite));
    return `${title} · B against A\n${toLines(toLegend(suite))}\n${table}\n${toLines(toComparisonLines(suite))}`;
  });
  return [...sections, ...(not_compared.length === 0 ? [] : [toLines(not_compared)])].join('\n');
}

function toLines(texts: readonly string[]): string {
  return texts.map((text) => `  ${escapeLine(text, 400)}\n`).join('');
}

/** The summary as plain text: one titled table for each suite and agent, and one that compares several agents. */
export function renderTables(summary: Summary): string {
  const tables = summary.suites.map(
    (suite) =>
      `${renderTitle(suite)}\n\n${drawTable(toSuiteTable(suite))}\n${renderMacro(suite)}${renderChoices(suite)}`,
  );
  const comparisons = toComparisons(summary).map(({ title, table }) => `${title}\n\n${drawTable(table)}`);
  return [...tables, ...comparisons].join('\n');
}

/** Names the suite, dataset and agent, and says of the committed sample that it measures nothing. */
export function renderTitle({ suite, dataset, agent }: SuiteSummary): string {
  const title = [suite, dataset, agent].map((part) => escapeLine(part)).join(' · ');
  return dataset === 'sample' && agent === 'replay' ? `${title} (made-up predictions, not a measurement)` : title;
}

function renderMacro({ macro_accuracy }: SuiteSummary): string {
  return macro_accuracy === null ? '' : `  mean of the groups: ${formatRate(macro_accuracy)}\n`;
}

/** What is said of multiple-choice questions alone; nothing of others. */
function renderChoices(suite: SuiteSummary): string {
  const lines = toChoiceLines(suite).map((line) => `  ${escapeLine(line, 400)}\n`);
  const positions = toPositionTable(suite);
  const table = positions === null ? '' : `  by position of the right option, as presented:\n\n${drawTable(positions)}`;
  return `${lines.join('')}${table}`;
}

function drawTable({ align, rows }: SuiteTable): string {
  const visible = rows.map((row) => row.map((cell) => escapeLine(cell, 60)));
  const widths = align.map((_, column) => Math.max(...visible.map((row) => row[column]?.length ?? 0)));
  const drawCell = (cell: string, column: number) =>
    align[column] === 'left' ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return visible.map((row) => `  ${row.map(drawCell).join('  ').trimEnd()}\n`).join('');
}
