import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isFields } from '../records/record.ts';
import { isCorrect } from '../states.ts';
import { escapeJson, escapeLines } from '../text/show.ts';
import { attempt } from '../text/thrown.ts';
import type { Sample, SampleResult } from '../types.ts';
import { LineFile, readLines } from './line-file.ts';

const FILE = 'samples.jsonl';

/** The log that was last written to stays open: opening it costs more than writing a row. */
let opened: { readonly runFolder: string; readonly file: LineFile; readonly waiting: string[] } | null = null;

const MOST_WAITING = 64;

/** Makes the log of a run that has no results yet, so that a run that ends without any has one too. */
export function startLog(runFolder: string): void {
  appendFileSync(join(runFolder, FILE), '');
}

/** Appends one result to the run folder in one write: a crash or a full disk tears one line at most. */
export function appendResult(runFolder: string, result: SampleResult): void {
  appendResultSoon(runFolder, result);
  flushResults();
}

/** As `appendResult`, with other rows in one write: for results that cost nothing to have again. */
export function appendResultSoon(runFolder: string, result: SampleResult): void {
  if (opened?.runFolder !== runFolder) {
    flushResults();
    opened?.file.close();
    opened = null;
    opened = { runFolder, file: new LineFile(join(runFolder, FILE)), waiting: [] };
  }
  opened.waiting.push(`${escapeJson(result)}\n`);
  if (opened.waiting.length >= MOST_WAITING) flushResults();
}

/** Writes the rows that wait, in their order. */
export function flushResults(): void {
  const rows = opened?.waiting.splice(0) ?? [];
  if (rows.length > 0) opened?.file.append(rows.join(''));
}

/** What a run folder's samples.jsonl holds, in the order in which it was written. */
export type SampleLog = {
  readonly results: readonly SampleResult[];
  /** How many lines a crash or a full disk has torn; their samples are missing, which the report says. */
  readonly unreadable: number;
};

/** Reads samples.jsonl; a folder without one has no results yet. Throws for the file of another version. */
export function readSampleLog(runFolder: string): SampleLog {
  const file = join(runFolder, FILE);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return { results: [], unreadable: 0 };
  const rows = [...readLines(file)].map((line) => parseRow(line, file));
  const results = rows.filter((row) => row !== null);
  return { results, unreadable: rows.length - results.length };
}

/** What tells one trial of one sample from all others. */
export type TrialIdentity = Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'id' | 'trial'>;

export function toIdentity({ suite, dataset, agent, id, trial }: TrialIdentity): TrialIdentity {
  return { suite, dataset, agent, id, trial };
}

/** The key of a trial, by which a later line of the log replaces an earlier one. */
export function resultKey({ suite, dataset, agent, id, trial }: TrialIdentity): string {
  return JSON.stringify([suite, dataset, agent, id, trial]);
}

/** What a generated test carries from its definition on: with it, a test that never ran is still counted. */
export type TrialMeta = TrialIdentity &
  Pick<SampleResult, 'group' | 'prompt_hash' | 'question_hash'> & {
    /** Name of the run folder that has the full row. */
    readonly run: string;
  };

/** What a test carries until it has run; `cached` when its answer is in the cache. */
export type PlannedMeta = TrialMeta & { readonly cached?: boolean };

/** What a test shows in the Vitest UI and in JSON reports once it has run; small, since it is sent with each event. */
export type ResultMeta = TrialMeta &
  Pick<
    SampleResult,
    'state' | 'reason' | 'how' | 'latency_ms' | 'usage' | 'cost_usd' | 'cached' | 'steps' | 'model' | 'slots'
  > & {
    /** Present where no target is known. */
    readonly no_target?: true;
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
  const shared = {
    ...(slots === undefined ? {} : { slots }),
    ...(target === null ? { no_target: true as const } : {}),
  };
  const facts = { state, reason, how, latency_ms, usage, cost_usd, cached, steps, model, ...shared, ...trial };
  if (question === null) return facts;
  const shown = { target: toShort(target, 300), answer: toShort(answer, 300) };
  if (isCorrect(result)) return { ...shown, ...facts };
  return { question: toShort(question, 350), ...shown, explanation: toShort(result.explanation, 200), ...facts };
}

/** The row of a trial that has no result: the agent was not asked, or what it said was lost. */
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

function parseRow(line: string, file: string): SampleResult | null {
  const row = attempt((): unknown => JSON.parse(line));
  if (row === undefined) return null;
  if (isResult(row)) return row;
  const remedy = 'Read this folder with the version of viva that wrote it.';
  throw new Error(`${file}: not a result of version 1: ${line.slice(0, 80)}. ${remedy}`);
}

function isResult(row: unknown): row is SampleResult {
  return isFields(row) && row['version'] === 1 && typeof row['id'] === 'string' && typeof row['state'] === 'string';
}

/** The escaped text in at most so many bytes of UTF-8. */
function toShort(whole: string | null, maxBytes: number): string | null {
  if (whole === null) return null;
  let length = maxBytes;
  let text = escapeLines(whole, length);
  while (Buffer.byteLength(text) > maxBytes) {
    length = Math.floor(Math.min(length, whole.length) * 0.8);
    text = escapeLines(whole, length);
  }
  // A copy: a part of a string keeps the whole of it in memory for as long as its test is there.
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
