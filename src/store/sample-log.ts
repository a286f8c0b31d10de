import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_STATES, type SampleResult } from '../words/row.ts';
import type { Sample } from '../words/sample.ts';
import { escapeJson, tryOrUndefined } from '../words/show.ts';
import { writing } from '../words/write-error.ts';
import {
  anything,
  assertValid,
  fields,
  flag,
  mapOf,
  namedScores,
  number,
  oneOf,
  oneVersion,
  optional,
  orNull,
  roughly,
  text,
} from './field-checks.ts';
import { LineFile, LineReader, readLines, writeLines } from './line-file.ts';
import type { TrialMeta } from './trial-meta.ts';

const FILE = 'samples.jsonl';

/** The log that was last written stays open: opening it costs more than writing a row. */
let opened: OpenLog | null = null;

type OpenLog = Readonly<{ runFolder: string; file: LineFile; waiting: string[] }>;

const MOST_WAITING = 64;

/** Makes an empty log when a run begins, so that a run without results has one too. */
export function startLog(runFolder: string): void {
  const file = join(runFolder, FILE);
  writing(file, () => appendFileSync(file, ''));
}

/**
 * Appends one result to the run folder in one write. A crash or a full disk cuts off at most one
 * line.
 */
export function appendResult(runFolder: string, result: SampleResult): void {
  appendResultSoon(runFolder, result);
  flushResults();
}

/**
 * Like `appendResult`, but writes several rows at once: for results that cost nothing to get again.
 */
export function appendResultSoon(runFolder: string, result: SampleResult): void {
  const { waiting } = openLog(runFolder);
  waiting.push(`${escapeJson(result)}\n`);
  if (waiting.length >= MOST_WAITING) flushResults();
}

/**
 * Opens the log, before the first question: calls that run may use up the open files that a process
 * may have.
 */
export function openLog(runFolder: string): OpenLog {
  if (opened?.runFolder === runFolder) return opened;
  flushResults();
  opened?.file.close();
  opened = null;
  opened = { runFolder, file: new LineFile(join(runFolder, FILE)), waiting: [] };
  return opened;
}

/** Writes the waiting rows in their order. */
export function flushResults(): void {
  const rows = opened?.waiting.splice(0) ?? [];
  if (rows.length > 0) opened?.file.append(rows.join(''));
}

/** Writes the logs of several runs into one, with the lines that were cut off. */
export function joinLogs(runFolders: readonly string[], target: string): void {
  const files = runFolders.map((folder) => join(folder, FILE)).filter(isThere);
  writeLines(join(target, FILE), joinLines(files));
}

function* joinLines(files: readonly string[]): Generator<string, void> {
  for (const file of files) for (const line of readLines(file)) yield `${line}\n`;
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** The content of a run folder's samples.jsonl, in the order of writing. */
export type SampleLog = Readonly<{
  results: readonly SampleResult[];
  /**
   * How many lines a crash or a full disk cut off. Their samples are missing; the report says so.
   */
  unreadable: number;
}>;

/**
 * Reads samples.jsonl. A folder without one has no results yet. Throws for a file of another
 * version.
 */
export function readSampleLog(runFolder: string): SampleLog {
  if (!isThere(join(runFolder, FILE))) return { results: [], unreadable: 0 };
  const rows = new RowFollower(runFolder);
  try {
    const results = [...rows.readMore(), ...rows.readRest()];
    return { results, unreadable: rows.unreadable };
  } finally {
    rows.close();
  }
}

/** Follows the rows of a run while they are written. Throws if there is no samples.jsonl. */
export class RowFollower {
  readonly #file: string;
  readonly #reader: LineReader;
  #unreadable = 0;
  #line = 0;

  constructor(runFolder: string) {
    this.#file = join(runFolder, FILE);
    this.#reader = new LineReader(this.#file);
  }

  /** How many lines were cut off so far. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** The rows since the last call. Throws for a row of another version. */
  readMore(): readonly SampleResult[] {
    return this.#parse(this.#reader.readWhole());
  }

  /** The last row, if its line has no end. */
  readRest(): readonly SampleResult[] {
    return this.#parse(this.#reader.readRest());
  }

  close(): void {
    this.#reader.close();
  }

  #parse(lines: Iterable<string>): readonly SampleResult[] {
    const rows: SampleResult[] = [];
    for (const line of lines) {
      this.#line += 1;
      const row = parseRow(line, `${this.#file}, line ${this.#line}`);
      if (row === null) this.#unreadable++;
      else rows.push(row);
    }
    return rows;
  }
}

/** The row of a trial without a result: the agent was not asked, or its answer was lost. */
export function toNotRun(
  { run: _run, ...trial }: TrialMeta,
  target: Sample['target'],
  reason: string,
  explanation: string,
): SampleResult {
  return {
    version: 1,
    ...trial,
    target,
    state: 'not_run',
    reason,
    explanation,
    output: null,
    answer: null,
    how: null,
    rules: null,
    latency_ms: null,
    error: null,
    model: null,
    waited_ms: 0,
    usage: null,
    cost_usd: null,
    cached: false,
    attempts: 0,
    steps: null,
    confidence: null,
    started_at: null,
    answered_at: null,
  };
}

const ROW = roughly<SampleResult>(
  fields({
    version: oneVersion,
    suite: text,
    dataset: text,
    agent: text,
    prompt: optional(text),
    model: orNull(text),
    id: text,
    trial: number,
    group: text,
    groups: optional(mapOf(text)),
    target: anything,
    state: oneOf(ALL_STATES),
    reason: orNull(text),
    output: anything,
    answer: anything,
    how: orNull(text),
    rules: orNull(fields({})),
    explanation: text,
    error: orNull(fields({ kind: text, message: text, status: orNull(number) })),
    latency_ms: orNull(number),
    first_token_ms: optional(number),
    waited_ms: number,
    usage: orNull(fields({})),
    accepts: optional(text),
    accepted: optional(anything),
    scores: optional(namedScores),
    cost_usd: orNull(number),
    cached: flag,
    attempts: number,
    steps: orNull(number),
    certain: optional(flag),
    started_at: orNull(text),
    answered_at: orNull(text),
    prompt_hash: text,
    question_hash: text,
  }),
);

function parseRow(line: string, place: string): SampleResult | null {
  const row = tryOrUndefined((): unknown => JSON.parse(line));
  if (row === undefined) return null;
  assertValid(ROW, row, place);
  return row;
}
