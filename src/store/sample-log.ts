import { join } from 'node:path';
import { isFile } from '../data/files/read-file.ts';
import { ALL_STATES, type SampleResult } from '../words/row.ts';
import type { Sample } from '../words/sample.ts';
import { tryOrUndefined } from '../words/show.ts';
import {
  anything,
  assertValid,
  fields,
  flag,
  listOf,
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
import { LineReader } from './line-file.ts';
import { withAnswer } from './row-line.ts';
import { RUN_FILES } from './run-folder.ts';
import type { TrialMeta } from './trial-meta.ts';

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
  if (!isFile(join(runFolder, RUN_FILES.rows.name))) return { results: [], unreadable: 0 };
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
    this.#file = join(runFolder, RUN_FILES.rows.name);
    this.#reader = new LineReader(this.#file);
  }

  /** How many lines were cut off so far. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** The rows since the last call. Throws for a row of another version. */
  readMore(): readonly SampleResult[] {
    return [...this.readEach()];
  }

  /** As `readMore`, row by row: those that were not taken yet, all of which must be, stay in the file. */
  readEach(): Iterable<SampleResult> {
    return this.#parse(this.#reader.readWhole());
  }

  /** The last row, if its line has no end. */
  readRest(): readonly SampleResult[] {
    return [...this.#parse(this.#reader.readRest())];
  }

  close(): void {
    this.#reader.close();
  }

  *#parse(lines: Iterable<string>): Generator<SampleResult, void> {
    for (const line of lines) {
      this.#line += 1;
      const row = parseRow(line, `${this.#file}, line ${this.#line}`);
      if (row === null) this.#unreadable++;
      else yield row;
    }
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
    cluster: optional(text),
    target: anything,
    state: oneOf(ALL_STATES),
    reason: orNull(text),
    output: anything,
    answer: anything,
    answer_in_output: optional(anything),
    how: orNull(text),
    rules: orNull(fields({})),
    explanation: text,
    error: orNull(fields({ kind: text, message: text, status: orNull(number) })),
    latency_ms: orNull(number),
    first_token_ms: optional(number),
    waited_ms: number,
    own_delay_ms: optional(number),
    machine_load: optional(number),
    usage: orNull(fields({})),
    accepts: optional(text),
    accepted: optional(anything),
    presented: optional(fields({ seed: number, order: listOf(text) })),
    scores: optional(namedScores),
    cost_usd: orNull(number),
    cached: flag,
    attempts: number,
    steps: orNull(number),
    certain: optional(flag),
    pairs: optional(
      listOf(
        fields({
          other: fields({ agent: text, prompt: optional(text), run: optional(text) }),
          other_hash: text,
          outcome: orNull(oneOf(['win', 'tie', 'loss'])),
          models: listOf(text),
          verdicts: listOf(listOf(text)),
          reasons: listOf(listOf(text)),
          cost_usd: orNull(number),
        }),
      ),
    ),
    seen_copy: optional(oneOf(['text', 'page', 'none'])),
    tool_calls: optional(fields({ live: number, replayed: number, mocked: number })),
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
  return withAnswer(row);
}
