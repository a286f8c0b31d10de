import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toVisibleJson } from '../text/visible-json.ts';
import type { SampleResult } from '../types.ts';
import { LineFile } from './line-file.ts';
import { readLines } from './read-lines.ts';
import type { TrialIdentity } from './trial-map.ts';

const FILE = 'samples.jsonl';

/** Makes the log of a run that has no results yet, so that a run that ends without any has one too. */
export function startLog(runFolder: string): void {
  appendFileSync(join(runFolder, FILE), '');
}

/** Appends one result to the run folder: so that a crash or a full disk tears one line. */
export function appendResult(runFolder: string, result: SampleResult): void {
  appendResultSoon(runFolder, result);
  flushResults();
}

/** Rows that were handed in and are not yet in their file. */
let waiting: { readonly runFolder: string; readonly lines: string[] } | null = null;

const MOST_WAITING = 64;

/**
 * As `appendResult`, some rows in one write: for results that cost nothing to have again, such as replayed ones. The
 * last ones need a `flushResults`.
 */
export function appendResultSoon(runFolder: string, result: SampleResult): void {
  if (waiting?.runFolder !== runFolder) {
    flushResults();
    waiting = { runFolder, lines: [] };
  }
  waiting.lines.push(`${toVisibleJson(result)}\n`);
  if (waiting.lines.length >= MOST_WAITING) flushResults();
}

/** Writes the rows that wait, in the order in which they were handed in. */
export function flushResults(): void {
  const rows = waiting;
  waiting = null;
  if (rows !== null && rows.lines.length > 0) openLog(rows.runFolder).append(rows.lines.join(''));
}

process.on('exit', flushResults);

/** The log that was last written to stays open: opening it costs more than writing a row. */
let opened: { readonly runFolder: string; readonly file: LineFile } | null = null;

function openLog(runFolder: string): LineFile {
  if (opened?.runFolder === runFolder) return opened.file;
  opened?.file.close();
  opened = null;
  opened = { runFolder, file: new LineFile(join(runFolder, FILE)) };
  return opened.file;
}

/** What a run folder's samples.jsonl holds; a crash or a full disk leaves lines that cannot be read. */
export type SampleLog = {
  readonly results: readonly SampleResult[];
  readonly unreadable: number;
};

/**
 * Reads samples.jsonl in the order in which it was written; a folder without one has no results yet. A torn line is
 * counted, not fatal: its sample is then missing, which the report says. Another version's file is refused.
 */
export function readSampleLog(runFolder: string): SampleLog {
  const file = join(runFolder, FILE);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return { results: [], unreadable: 0 };
  let tooLong = 0;
  const rows = readLines(file, { onTooLong: () => (tooLong += 1) })
    .map((line) => parseRow(line, file))
    .toArray();
  const results = rows.filter((row) => row !== null);
  return { results, unreadable: rows.length - results.length + tooLong };
}

/** One trial of one sample: the key by which a later line of the log replaces an earlier one. */
export function resultKey(result: TrialIdentity): string {
  return JSON.stringify([result.suite, result.dataset, result.agent, result.id, result.trial]);
}

function parseRow(line: string, file: string): SampleResult | null {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return null;
  }
  if (isResult(row)) return row;
  throw new Error(
    `${file}: not a result of version 1: ${line.slice(0, 80)}. Read this folder with the version of viva that wrote it.`,
  );
}

function isResult(row: unknown): row is SampleResult {
  return (
    typeof row === 'object' &&
    row !== null &&
    'version' in row &&
    row.version === 1 &&
    'id' in row &&
    typeof row.id === 'string' &&
    'state' in row &&
    typeof row.state === 'string'
  );
}
