import type { RunComparison, SuiteComparison } from '../src/figures/compare-runs.ts';
import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import type { Summary } from '../src/words/figures.ts';
import { cut, escapeControls, escapeLine } from '../src/words/show.ts';
import {
  listPairs,
  listPromptDiffs,
  MOST_PAIRED,
  type PromptDiff,
  toComparisonLines,
  toComparisonTable,
  toDiffLines,
  toLegend,
  toPairLines,
} from './comparison.ts';
import {
  describeNotJudged,
  type NamedPair,
  toPreferenceLines,
  toPreferenceTable,
} from './preference.ts';
import { toSuiteLines } from './remarks.ts';
import {
  listSubtables,
  nameDataset,
  type Table,
  toOverview,
  toScoreTable,
  toSideBySide,
  toSuiteTable,
  toSuiteTitle,
} from './tables.ts';
import {
  drawLine,
  drawTable,
  findTerminal,
  type Line,
  type Terminal,
  toLines,
} from './terminal.ts';

/** What a run is judged by: its gates, its baseline, and its variants compared with each other. */
type Compared = Partial<Pick<RunOutcome, 'comparison' | 'pairs' | 'gates'>>;

/** The terminal's view of a run: the tables, the comparisons, the remarks in blocks. */
export function renderText(
  summary: Summary,
  remarks: readonly (readonly Line[])[],
  compared: Compared = {},
  terminal = findTerminal(),
): string {
  const blocks = toRunBlocks(summary, remarks, compared, true);
  return `\n${joinBlocks(blocks, (block) => drawText(block, terminal))}`;
}

/** The same as Markdown, for summary.md and the page of a CI job. */
export function renderMarkdown(
  summary: Summary,
  remarks: readonly Line[],
  compared: Compared = {},
): string {
  return `# Evaluation\n\n${joinBlocks(toRunBlocks(summary, [remarks], compared, false), drawMarkdown)}`;
}

/** Two runs side by side: a titled table for each suite and agent, then its lines. */
export function renderComparison(comparison: RunComparison, asMarkdown: boolean): string {
  const terminal = findTerminal();
  const drawBlock = asMarkdown ? drawMarkdown : (block: Block) => drawText(block, terminal);
  return joinBlocks(toComparisonBlocks(comparison), drawBlock);
}

/** A table for the terminal. */
export function renderTable(table: Table): string {
  return drawTable(table, findTerminal());
}

/** One part of the output. Blank lines separate blocks; `lead` are lines that belong to a title. */
type Block =
  | Readonly<{ title: string; lead?: readonly string[] }>
  | { readonly table: Table }
  | { readonly lines: readonly Line[] }
  | PromptDiff;

function toRunBlocks(
  summary: Summary,
  remarks: readonly (readonly Line[])[],
  { comparison = null, pairs = [], gates }: Compared,
  isBrief: boolean,
): readonly Block[] {
  const overview = toOverview(summary, gates);
  const first = overview === null ? [] : [{ title: 'Overview' }, { table: overview }];
  const tables = toSummaryBlocks(summary, pairs, isBrief);
  const compared = toComparisonBlocks(comparison, isBrief);
  return [...first, ...tables, ...compared, ...remarks.map((lines) => ({ lines }))];
}

function toSummaryBlocks(
  summary: Summary,
  comparisons: readonly SuiteComparison[],
  isBrief: boolean,
): readonly Block[] {
  const suites = summary.suites.flatMap((suite): readonly Block[] => {
    const tables = [toSuiteTable(suite), toScoreTable(suite)];
    return [
      { title: toSuiteTitle(suite, summary) },
      ...tables.flatMap((table) => (table === null ? [] : [{ table }])),
      { lines: toSuiteLines(suite, isBrief ? 'printed' : 'all') },
      ...listSubtables(suite).flatMap(({ title, table }) => [
        { lines: toLines('note', [`${title}:`]) },
        { table },
      ]),
    ];
  });
  const sides = toSideBySide(summary).flatMap(({ title, table, ...suite }) => [
    { title },
    { table },
    { lines: toLines('note', toPairLines(comparisons, suite, isBrief)) },
    ...toPreferenceBlocks(listPairs(comparisons, suite, MOST_PAIRED).pairs),
  ]);
  return [...suites, ...sides];
}

/** Brief ones do not say how prompts, models and settings differ. */
function toComparisonBlocks(comparison: RunComparison | null, isBrief = false): readonly Block[] {
  if (comparison === null) return [];
  const suites = comparison.suites.flatMap((suite): readonly Block[] => [
    { title: `${nameDataset(suite)} · B against A`, lead: toLegend(suite) },
    { table: toComparisonTable(suite) },
    { lines: toComparisonLines(suite, isBrief) },
    ...toPreferenceBlocks([toNamedPair(suite)]),
    { lines: toLines('warning', describeNotJudged(toNamedPair(suite))) },
  ]);
  const diffs = isBrief ? [] : listPromptDiffs(comparison.suites);
  return [...suites, ...diffs, { lines: toLines('note', comparison.not_compared) }];
}

function toNamedPair(comparison: SuiteComparison): NamedPair {
  return { name: 'B against A', a: 'A', b: 'B', comparison };
}

function toPreferenceBlocks(pairs: readonly NamedPair[]): readonly Block[] {
  const table = toPreferenceTable(pairs);
  if (table === null) return [];
  return [{ table }, { lines: toLines('note', toPreferenceLines(pairs)) }];
}

function joinBlocks(blocks: readonly Block[], drawBlock: (block: Block) => string): string {
  return blocks
    .map(drawBlock)
    .filter((text) => text !== '')
    .join('\n');
}

/** The most that a line in Markdown shows: the exit line may name several agents and reasons. */
const MAX_LINE = 1000;

function drawText(block: Block, terminal: Terminal): string {
  const drawLines = (lines: readonly Line[]) =>
    lines.map(({ text, level }) => drawLine(text, level, terminal)).join('');
  if ('title' in block)
    return `${drawLine(block.title, 'title', terminal, '')}${drawLines(toLines('note', block.lead ?? []))}`;
  if ('lines' in block) return drawLines(block.lines);
  if ('diff' in block) return drawLines(toDiffLines(block));
  return drawTable(block.table, terminal);
}

function drawMarkdown(block: Block): string {
  // Lines that begin with two spaces become a list below the line before them.
  const drawLine = (line: string) =>
    `${line.startsWith('  ') ? '  ' : ''}- ${escapeMarkdown(line, MAX_LINE)}\n`;
  const drawLines = (lines: readonly string[]) => lines.map(drawLine).join('');
  if ('title' in block) {
    const { title, lead = [] } = block;
    return `## ${escapeMarkdown(title)}\n${lead.length === 0 ? '' : `\n${drawLines(lead)}`}`;
  }
  if ('lines' in block) return drawLines(block.lines.map(({ text }) => text));
  if ('diff' in block) return `${escapeMarkdown(block.subject, MAX_LINE)}\n\n${fence(block.diff)}`;
  const { align, rows } = block.table;
  const [head = '', ...body] = rows.map(
    (row) => `| ${row.map((cell) => escapeMarkdown(cell)).join(' | ')} |\n`,
  );
  return [
    head,
    `| ${align.map((side) => (side === 'left' ? '---' : '--:')).join(' | ')} |\n`,
    ...body,
  ].join('');
}

/** A block of code. Its fence is longer than any in the lines. */
function fence(lines: readonly string[]): string {
  const longest = lines
    .flatMap((line) => line.match(/`+/g) ?? [])
    .reduce((most, { length }) => Math.max(most, length), 2);
  const mark = '`'.repeat(longest + 1);
  return [`${mark}diff`, ...lines.map((line) => escapeLine(line, MAX_LINE)), mark, ''].join('\n');
}

/**
 * Text that Markdown shows as it is: no markup, no HTML, no line breaks, no automatic links, no
 * mention of a user.
 */
function escapeMarkdown(text: string, maxLength = 200): string {
  return escapeControls(cut(text, maxLength))
    .trimStart()
    .replace(
      /[\\`*_{}[\]()#+!|~<>&]|:(?=\/\/)|(?<=www)\./gi,
      (character) => ENTITIES[character] ?? `\\${character}`,
    )
    .replace(/^([-=])/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(REFERENCE, '&#8203;');
}

/**
 * The place inside @user, #1 and GH-1 where a space without width breaks them. GitHub finds these
 * after all escapes, and would notify the user and write in the other issue.
 */
const REFERENCE = /(?<=(?<![a-z0-9])@|\\#|\bGH-)(?=\w)/gi;

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
