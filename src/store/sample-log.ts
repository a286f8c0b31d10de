import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isCorrect } from '../states.ts';
import { escapeJson, escapeLines } from '../text/show.ts';
import type { SampleResult } from '../types.ts';
import { LineFile, readLines } from './line-file.ts';

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
  waiting.lines.push(`${escapeJson(result)}\n`);
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

/** What tells one trial of one sample from all others. */
export type TrialIdentity = Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'id' | 'trial'>;

export function toIdentity({ suite, dataset, agent, id, trial }: TrialIdentity): TrialIdentity {
  return { suite, dataset, agent, id, trial };
}

type Entry<T> = { readonly of: TrialIdentity; value: T };

/**
 * Values by trial. A trial is found by its id, its number, and then among the suites and agents of which a run has few:
 * to build one key of all parts takes longer than to look it up.
 */
export class TrialMap<T> {
  readonly #byId = new Map<string, Map<number, Entry<T>[]>>();
  #size = 0;

  /** How many trials have a value. */
  get size(): number {
    return this.#size;
  }

  get(trial: TrialIdentity): T | undefined {
    return find(this.#byId.get(trial.id)?.get(trial.trial), trial)?.value;
  }

  has(trial: TrialIdentity): boolean {
    return find(this.#byId.get(trial.id)?.get(trial.trial), trial) !== undefined;
  }

  /** A later value replaces the one before. */
  set(trial: TrialIdentity, value: T): void {
    const entries = this.#entriesOf(trial);
    const found = find(entries, trial);
    if (found !== undefined) {
      found.value = value;
      return;
    }
    this.#size += 1;
    entries.push({ of: trial, value });
  }

  #entriesOf({ id, trial }: TrialIdentity): Entry<T>[] {
    const numbers = this.#byId.get(id) ?? new Map<number, Entry<T>[]>();
    const entries = numbers.get(trial) ?? [];
    this.#byId.set(id, numbers.set(trial, entries));
    return entries;
  }
}

function find<T>(entries: readonly Entry<T>[] | undefined, trial: TrialIdentity): Entry<T> | undefined {
  return entries?.find(({ of }) => {
    return of.agent === trial.agent && of.suite === trial.suite && of.dataset === trial.dataset;
  });
}

/** What a generated test carries from its definition on: with it, a test that never ran is still counted. */
export type TrialMeta = Pick<
  SampleResult,
  'suite' | 'dataset' | 'agent' | 'id' | 'trial' | 'group' | 'prompt_hash' | 'question_hash'
> & {
  /** Name of the run folder that has the full row. */
  readonly run: string;
};

/** What a test carries until it has run; `kept` when its answer is in the cache. */
export type PlannedMeta = TrialMeta & { readonly kept?: true };

/** What a test shows in the Vitest UI and in JSON reports once it has run; small, since it is sent with each event. */
export type ResultMeta = TrialMeta &
  Pick<
    SampleResult,
    'state' | 'reason' | 'how' | 'latency_ms' | 'usage' | 'cost_usd' | 'cached' | 'steps' | 'model' | 'slots'
  > & {
    /** Present where no target is known. */
    readonly hidden?: true;
    readonly target?: string | null;
    readonly answer?: string | null;
    /** Of a case that is not right: what was asked, and why the answer does not match. */
    readonly question?: string | null;
    readonly explanation?: string | null;
  };

declare module 'vitest' {
  interface TaskMeta {
    eval?: PlannedMeta | ResultMeta;
  }
}

/**
 * A test's meta with its result, below 2 kB in all, in the order in which the Vitest UI shows it; `question` is null where
 * records must not be shown.
 */
export function toResultMeta(trial: TrialMeta, result: SampleResult, question: string | null): ResultMeta {
  const { state, reason, how, usage, cost_usd, cached, steps, model, slots, target, answer } = result;
  const latency_ms = result.latency_ms === null ? null : Math.round(result.latency_ms);
  const shared = { ...(slots === undefined ? {} : { slots }), ...(target === null ? { hidden: true as const } : {}) };
  const facts = { state, reason, how, latency_ms, usage, cost_usd, cached, steps, model, ...shared, ...trial };
  if (question === null) return facts;
  const shown = { target: cut(target, 300), answer: cut(answer, 300) };
  if (isCorrect(result)) return { ...shown, ...facts };
  return { question: cut(question, 350), ...shown, explanation: cut(result.explanation, 200), ...facts };
}

/** At most so many bytes of UTF-8, with control and direction marks written out: JSON escapes only some of them. */
function cut(whole: string | null, maxBytes: number): string | null {
  if (whole === null) return null;
  const text = copy(escapeLines(whole.slice(0, maxBytes + 1)));
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  return `${Buffer.from(text)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '')}...`;
}

/** Part of a string keeps the whole of it in memory: an answer the output that it was found in, for as long as its test is. */
function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
