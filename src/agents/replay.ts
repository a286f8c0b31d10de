import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readAnyText, readText } from '../records/files.ts';
import { parseJsonl } from '../records/json.ts';
import { RecordError } from '../records/record.ts';
import { hasRun } from '../states.ts';
import { GRADER_VERSION, hasManifest, readManifest } from '../store/manifest.ts';
import { readSampleLog } from '../store/sample-log.ts';
import { toCutShort } from '../text/hide-records.ts';
import { quote } from '../text/show.ts';
import { plural } from '../text/wording.ts';
import { type Agent, AgentError, type Answer, type SampleResult, type Usage } from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';

/** What a replay must know of the suite that it answers. */
export type ReplayedSuite = {
  readonly suite: string;
  /** Ids of the whole dataset. */
  readonly ids: readonly string[];
  /** The suite's own predictions, for a bare `replay`. */
  readonly predictions: string;
};

/**
 * The agents that `replay`, `replay:predictions.jsonl`, `replay:<run folder>` or `replay:<work folders>` stands for; a
 * run of several agents gives one replay for each. Throws when the file or run belongs to another dataset.
 */
export function createReplays({ target, text }: AgentSpec, suite: ReplayedSuite): readonly Agent[] {
  if (target === '') return [makeReplay(text, readPredictions(suite.predictions), ownPredictions(suite), suite)];
  if (!isFolder(target)) return [makeReplay(text, readPredictions(target), target, suite)];
  if (!hasManifest(target)) return [makeReplay(text, readAnswerFiles(target), target, suite)];
  const recordings = [...readRecordedRun(target, suite.suite)];
  if (recordings.length === 0) throw otherDataset(target, `no results of suite ${suite.suite}`);
  const { grader = 1 } = readManifest(target).suites.find((other) => other.suite === suite.suite) ?? {};
  const older =
    grader < GRADER_VERSION ? ['its run was graded by an older version: its outputs are graded again.'] : [];
  const toName = (agent: string) => (recordings.length === 1 ? text : `${text}#${agent}`);
  return recordings.map(([agent, recording]) => makeReplay(toName(agent), recording, target, suite, older));
}

function ownPredictions({ suite }: ReplayedSuite): string {
  return `EVAL_AGENT names no file of predictions, and the committed one of ${suite}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A file for another dataset would make every sample "missing": a figure of 0 that looks like a measurement. */
function makeReplay(
  name: string,
  recording: Recording,
  source: string,
  { ids }: ReplayedSuite,
  remarks: readonly string[] = [],
): Agent {
  const known = new Set(ids);
  const strangers = [...recording.keys()].filter((id) => !known.has(id));
  const [first = ''] = strangers;
  if (recording.size > 0 && strangers.length === recording.size) {
    throw otherDataset(source, `none of the dataset's ids; its first is ${quote(first)}`);
  }
  const count = plural(strangers.length, 'prediction is', 'predictions are');
  const stray = strangers.length === 0 ? [] : [`${count} for no sample of the dataset, such as ${quote(first)}.`];
  return replay(
    name,
    recording,
    [...remarks, ...stray].map((note) => `${name}: ${note}`),
  );
}

function otherDataset(source: string, found: string): Error {
  return new Error(
    `${source} holds ${found}. Name the predictions of this dataset in EVAL_AGENT=replay:FILE or replay:FOLDER, ` +
      'or run only the suite that they belong to, as in "pnpm vitest run evals/gaia".',
  );
}

/** What one agent said earlier, by sample and trial: an answer, or the error that it ended with. */
export type Recording = ReadonlyMap<string, ReadonlyMap<number, Answer | AgentError>>;

/** One recorded trial of a sample. */
export type RecordedTrial = {
  readonly id: string;
  readonly trial: number;
  readonly said: Answer | AgentError;
};

/** Collects trials; of a trial that is there twice the last one stays. */
export function toRecording(trials: readonly RecordedTrial[]): Recording {
  const recording = new Map<string, Map<number, Answer | AgentError>>();
  for (const { id, trial, said } of trials) {
    const known = recording.get(id) ?? new Map<number, Answer | AgentError>();
    recording.set(id, known.set(trial, said));
  }
  return recording;
}

const MISSING: Answer = { text: null, reason: 'missing', latencyMs: null };

/** An agent that repeats a recording, times included. What was not recorded is no answer, and counts as wrong. */
export function replay(name: string, recording: Recording, notes: readonly string[]): Agent {
  const recall = (id: string, trial: number) => recording.get(id)?.get(trial) ?? MISSING;
  return {
    name,
    notes,
    trials: [...recording.values()].reduce((most, trials) => Math.max(most, ...trials.keys()), 1),
    recall,
    answer: async ({ id }, { trial }) => {
      const said = recall(id, trial);
      if (said instanceof AgentError) throw said;
      return said;
    },
  };
}

/**
 * Reads a predictions file, one JSON object a line: `task_id` or `id`, and `output` (the whole text, from which the
 * answer is extracted) or `model_answer` (the leaderboard's form, scored as it is); optionally `latency_ms`, `usage`,
 * `cost_usd`, `steps`, `model` and `trial`. Throws a RecordError on a broken line, a mistyped field or a repeated id.
 */
export function readPredictions(file: string): Recording {
  const lineOf = new Map<string, number>();
  const trials = parseJsonl(file, readText(file)).map(({ line, value }) => {
    const prediction = parsePrediction(new Fields(file, line, value));
    const { id, trial } = prediction;
    const key = JSON.stringify([id, trial]);
    const earlier = lineOf.get(key);
    if (earlier !== undefined) {
      const problem = `the sample already has a prediction on line ${earlier}`;
      throw new RecordError({ file, line, id, problem, value: id, remedy: 'Keep one of the two lines.' });
    }
    lineOf.set(key, line);
    return prediction;
  });
  return toRecording(trials);
}

function parsePrediction(fields: Fields): RecordedTrial {
  const id = fields.text('task_id') ?? fields.text('id');
  if (id === null) throw fields.fault('task_id', 'is missing', 'Give each prediction the id of its sample.');
  const [output, given] = [fields.text('output'), fields.text('model_answer')];
  if (output !== null && given !== null) {
    throw fields.fault('model_answer', 'stands beside "output"', 'Keep the one that is to be scored.', given);
  }
  const text = output ?? given;
  if (text === null) {
    throw fields.fault(
      'output',
      'is missing, and so is "model_answer"',
      'Give the agent\'s text; "" if it said nothing.',
    );
  }
  return { id, trial: fields.position('trial') ?? 1, said: toPredictedAnswer(fields, text, output === null) };
}

function toPredictedAnswer(fields: Fields, text: string, verbatim: boolean): Answer {
  const [model, cost, steps, usage] = [
    fields.text('model'),
    fields.count('cost_usd'),
    fields.count('steps'),
    toUsage(fields),
  ];
  return {
    text,
    verbatim,
    latencyMs: fields.count('latency_ms'),
    ...(model === null ? {} : { model }),
    ...(cost === null ? {} : { cost }),
    ...(steps === null ? {} : { steps }),
    ...(usage === null ? {} : { usage }),
  };
}

function toUsage(fields: Fields): Usage | null {
  const usage = fields.object('usage');
  if (usage === null) return null;
  return {
    input_tokens: usage.count('input_tokens') ?? 0,
    output_tokens: usage.count('output_tokens') ?? 0,
    cached_tokens: usage.count('cached_tokens') ?? 0,
    reasoning_tokens: usage.count('reasoning_tokens') ?? 0,
  };
}

/** Typed access to the fields of one line; an absent or null field is null. */
class Fields {
  readonly #file: string;
  readonly #line: number;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(file: string, line: number, value: unknown) {
    this.#file = file;
    this.#line = line;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.fault(undefined, 'the line must be a JSON object', 'Write {"task_id": ..., "output": ...}.', value);
    }
    this.#values = new Map(Object.entries(value));
  }

  text(field: string): string | null {
    const value = this.#values.get(field) ?? null;
    if (value === null || typeof value === 'string') return value;
    throw this.fault(field, 'must be text', 'Write it in quotes.', value);
  }

  count(field: string): number | null {
    const value = this.#values.get(field) ?? null;
    if (value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0)) return value;
    throw this.fault(field, 'must be a number from 0 up', 'Correct it or leave the field out.', value);
  }

  position(field: string): number | null {
    const value = this.count(field);
    if (value === null || (Number.isSafeInteger(value) && value > 0)) return value;
    throw this.fault(field, 'must be a whole number from 1 up', 'Correct it or leave the field out.', value);
  }

  object(field: string): Fields | null {
    const value = this.#values.get(field) ?? null;
    return value === null ? null : new Fields(this.#file, this.#line, value);
  }

  fault(field: string | undefined, problem: string, remedy: string, ...received: [value?: unknown]): RecordError {
    const value = received.length === 0 ? {} : { value: received[0] };
    return new RecordError({ file: this.#file, line: this.#line, field, problem, remedy, ...value });
  }
}

/** What each agent of an earlier run said in one suite, by the agent's name. The last row of a sample wins. */
export function readRecordedRun(runFolder: string, suite: string): ReadonlyMap<string, Recording> {
  // Refuses a folder that is no run, or a run of another version.
  readManifest(runFolder);
  const { results } = readSampleLog(runFolder);
  const byAgent = Map.groupBy(
    results.filter((result) => result.suite === suite && hasRun(result)),
    ({ agent }) => agent,
  );
  return new Map([...byAgent].map(([agent, rows]) => [agent, toRecording(rows.map(toTrial))]));
}

function toTrial(row: SampleResult): RecordedTrial {
  return { id: row.id, trial: row.trial, said: toAnswer(row) };
}

export function toAnswer(row: SampleResult): Answer | AgentError {
  const cutShort = row.output === null ? null : toCutShort(row.reason);
  if (row.error !== null) {
    const { kind, message, status, request_id: requestId = null } = row.error;
    return new AgentError(kind, message, { status, requestId, latencyMs: row.latency_ms });
  }
  return {
    text: row.output,
    latencyMs: row.latency_ms,
    waitedMs: row.waited_ms,
    verbatim: row.how === 'as given',
    ...(row.state === 'no_answer' ? { reason: row.reason } : {}),
    ...(cutShort === null ? {} : { cutShort }),
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.usage === null ? {} : { usage: row.usage }),
    ...(row.cost_usd === null ? {} : { cost: row.cost_usd }),
    ...(row.cost_estimated === true ? { costEstimated: true as const } : {}),
    ...(row.steps === null ? {} : { steps: row.steps }),
  };
}

const NAME = 'answer.txt';
/** As much as a command may write. */
const MOST_BYTES = 10_000_000;

/**
 * Reads the work folders that another system left: the text of `<folder>/<task_id>/answer.txt` is the whole output of
 * that sample, and an empty one is an empty output. Throws where there is no such file at all.
 */
export function readAnswerFiles(folder: string): Recording {
  const ids = readdirSync(folder).filter((id) => existsSync(join(folder, id, NAME)));
  if (ids.length > 0) {
    return toRecording(
      ids.sort().map((id) => {
        const text = readAnyText(join(folder, id, NAME), MOST_BYTES);
        return { id, trial: 1, said: { text, latencyMs: null } };
      }),
    );
  }
  throw new Error(
    `${folder} is neither a run folder (no manifest.json) nor holds work folders (no <task_id>/${NAME}). ` +
      'Name one of the two in EVAL_AGENT=replay:FOLDER.',
  );
}
