import { findSplitOfSize } from '../src/metrics/full-split.ts';
import { isCorrect, isGraded } from '../src/states.ts';
import type { SuiteManifest } from '../src/store/manifest.ts';
import { escapeControls, escapeJson } from '../src/text/show.ts';
import type { SampleResult } from '../src/types.ts';

/** answers.csv: what was expected and what came, a row for each trial of each question; several trials are numbered. */
export function renderAnswers(results: readonly SampleResult[]): string {
  const head = ['task_id', 'level', 'expected_answer', 'actual_answer', 'match'];
  if (results.every(({ trial }) => trial === 1)) return toCsv([head, ...results.map(toAnswerRow)]);
  return toCsv([[...head, 'trial'], ...results.map((row) => [...toAnswerRow(row), String(row.trial)])]);
}

/**
 * The tasks of a submission. The leaderboard counts the rows of each level, and its test split has one of level 3 that
 * is no question (301 in all): a whole split is submitted with that row, unanswered, at its end.
 */
export function submissionIds(suite: SuiteManifest): readonly string[] {
  return findSplitOfSize(suite.groups) !== null ? [...suite.ids, ...suite.placeholders] : suite.ids;
}

/**
 * The lines of submission.jsonl in the leaderboard's form: every task in the order of the dataset, its first
 * trial, "" where no answer came.
 */
export function* renderSubmission(ids: readonly string[], results: readonly SampleResult[]): Generator<string, void> {
  const byId = new Map(results.filter(({ trial }) => trial === 1).map((result) => [result.id, result]));
  for (const id of ids) yield `${escapeJson(toSubmissionRow(id, byId.get(id)))}\n`;
}

function toAnswerRow(result: SampleResult): string[] {
  const { id, group, target, answer } = result;
  const match = isGraded(result) ? String(isCorrect(result)) : '';
  return [id, group.replace(/^level /, ''), target ?? '?', answer ?? '', match];
}

function toSubmissionRow(id: string, result: SampleResult | undefined) {
  return { task_id: id, model_answer: result?.answer ?? '', reasoning_trace: result?.output ?? '' };
}

/**
 * Rows of cells as CSV (RFC 4180, CRLF), in which a spreadsheet finds no formula, whichever of comma, semicolon, tab or
 * bar separates its lists.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(text: string): string {
  if (/^[a-z0-9][a-z0-9 .:-]*$/i.test(text)) return text;
  const safe = disarm(writeOutLines(text));
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines stay lines; what acts on a terminal that prints the file is written out. */
function writeOutLines(text: string): string {
  if (!/[^ -~]/.test(text)) return text;
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeControls(part)))
    .join('');
}

/** What separates cells or rows in the sheet of some user, beside the comma. */
const SEPARATOR = /([;|\t\r\n])/;

/**
 * A spreadsheet runs a cell that begins with one of these; an apostrophe before it makes it text. Plain numbers stay.
 * A part behind another separator gets one too: a sheet that separates by it takes our quotes for text of the cell
 * before, and begins a new cell there.
 */
function disarm(text: string): string {
  if (/^[+-]?\d{1,30}(\.\d{1,30})?$/.test(text)) return text;
  const parts = text.split(SEPARATOR).map((part) => (/^["\s]*[=+\-@]/.test(part) ? `'${part}` : part));
  return `${/^[\t\r\n]/.test(text) ? "'" : ''}${parts.join('')}`;
}

/**
 * Checks a submission against what the leaderboard demands: JSON lines with `task_id` and `model_answer` as text,
 * `reasoning_trace` text if there, each task once, and all of the expected tasks. Returns what is wrong.
 */
export function checkSubmission(text: string, expected: readonly string[]): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const rows = lines.map((line, index) => parseRow(line, index + 1));
  const problems = rows.flatMap((row) => (typeof row === 'string' ? [row] : []));
  const ids = rows.flatMap((row) => (typeof row === 'string' ? [] : [row.id]));
  const [present, wanted] = [new Set(ids), new Set(expected)];
  const missing = expected.filter((id) => !present.has(id));
  const unknown = ids.filter((id) => !wanted.has(id));
  return [
    ...problems,
    ...repeated(ids).map((id) => `task ${JSON.stringify(id)} is there more than once`),
    ...missing.map((id) => `task ${JSON.stringify(id)} is missing`),
    ...unknown.map((id) => `task ${JSON.stringify(id)} is not of the dataset`),
  ];
}

function repeated(ids: readonly string[]): readonly string[] {
  const counts = Map.groupBy(ids, (id) => id);
  return [...counts].flatMap(([id, { length }]) => (length > 1 ? [id] : []));
}

function parseRow(line: string, number: number): { readonly id: string } | string {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return `line ${number} is not JSON`;
  }
  if (typeof row !== 'object' || row === null) return `line ${number} is not a JSON object`;
  const { task_id, model_answer, reasoning_trace = '' }: Readonly<Record<string, unknown>> = { ...row };
  if (typeof task_id !== 'string' || task_id === '') return `line ${number} has no task_id`;
  if (typeof model_answer !== 'string') return `line ${number} has no model_answer`;
  return typeof reasoning_trace === 'string' ? { id: task_id } : `line ${number} has a reasoning_trace that is no text`;
}
