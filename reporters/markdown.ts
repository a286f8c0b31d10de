import type { RunComparison } from '../src/compare/compare-runs.ts';
import { cut, escapeControls } from '../src/text/show.ts';
import type { SuiteSummary, Summary } from '../src/types.ts';
import { toComparisonLines, toComparisonTable, toLegend } from './comparison.ts';
import {
  describePartial,
  formatRate,
  type SuiteTable,
  toComparisons,
  toConfidenceTable,
  toPositionTable,
  toSuiteTable,
} from './tables.ts';
import { renderTitle } from './terminal.ts';

/**
 * The summary as Markdown: a table for each suite and agent, one for several agents side by side, the comparison with
 * the baseline, then what is said below the tables.
 */
export function renderMarkdown(
  summary: Summary,
  remarks: readonly string[],
  comparison: RunComparison | null = null,
): string {
  const sections = summary.suites.map((suite) => {
    const macro = suite.macro_accuracy === null ? '' : `\nMean of the groups: ${formatRate(suite.macro_accuracy)}\n`;
    return `## ${escapeMarkdown(renderTitle(suite))}\n\n${drawTable(toSuiteTable(suite))}${macro}${renderChoices(suite)}`;
  });
  const comparisons = toComparisons(summary).map(
    ({ title, table }) => `## ${escapeMarkdown(title)}\n\n${drawTable(table)}`,
  );
  const baseline = comparison === null ? '' : renderComparison(comparison);
  const parts = [...sections, ...comparisons, baseline, drawList(remarks)].filter((part) => part !== '');
  return `# Evaluation\n\n${parts.join('\n')}`;
}

/** Two runs side by side as Markdown: a titled table for each suite and agent, then what is said of it. */
export function renderComparison({ suites, not_compared }: RunComparison): string {
  const sections = suites.map((suite) => {
    const title = `## ${escapeMarkdown(`${suite.suite} · ${suite.dataset} · B against A`)}`;
    const table = drawTable(toComparisonTable(suite));
    return `${title}\n\n${drawList(toLegend(suite))}\n${table}\n${drawList(toComparisonLines(suite))}`;
  });
  return [...sections, drawList(not_compared)].filter((part) => part !== '').join('\n');
}

function drawList(texts: readonly string[]): string {
  return texts.map((text) => `- ${escapeMarkdown(text, 400)}\n`).join('');
}

/** What is said of multiple-choice questions alone; nothing of others. */
function renderChoices(suite: SuiteSummary): string {
  const chance = suite.chance === null ? null : `Chance level: ${formatRate(suite.chance)}`;
  const sentences = [chance, describePartial(suite)].filter((sentence) => sentence !== null);
  const confidence = toConfidenceTable(suite);
  const positions = toPositionTable(suite);
  return [
    ...sentences.map((sentence) => `${escapeMarkdown(sentence)}\n`),
    ...(confidence === null ? [] : [`By stated confidence:\n\n${drawTable(confidence)}`]),
    ...(positions === null ? [] : [`By position of the right option, as presented:\n\n${drawTable(positions)}`]),
  ]
    .map((part) => `\n${part}`)
    .join('');
}

function drawTable({ align, rows: [head = [], ...body] }: SuiteTable): string {
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
