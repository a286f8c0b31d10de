import { existsSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { toJson } from '../records/json.ts';
import { parseJson } from '../records/json-records.ts';
import {
  isFields,
  isFolder,
  omitNullish,
  RecordError,
  readAnyText,
  readText,
} from '../records/record.ts';
import { AgentError, type Answer, type ErrorKind } from '../types.ts';
import { Fields, isWhole } from './fields.ts';
import type { UnknownFields } from './returned-answer.ts';

/** An answer or failure that another system recorded. */
export type Prediction = Readonly<{
  id: string;
  trial: number;
  outcome: Answer | AgentError;
}>;

/**
 * Reads predictions that were made elsewhere: a file of JSON lines or with a JSON list, a folder of
 * such files, also one for each task, or a folder with `<task_id>/answer.txt` for each. Adds the
 * names of fields that are not read to `unknown`. Throws a RecordError on a broken line, a mistyped
 * field or a repeated id.
 */
export function readPredictions(source: string, unknown: UnknownFields): readonly Prediction[] {
  if (!isFolder(source)) return readFiles([source], unknown);
  const names = readdirSync(source).sort();
  const files = names.filter((name) => /\.jsonl?$/i.test(name)).map((name) => join(source, name));
  if (files.length > 0) return readFiles(files, unknown);
  const ids = names.filter((id) => existsSync(join(source, id, ANSWER)));
  if (ids.length === 0)
    throw new Error(
      `${source} has neither a run (manifest.json) nor predictions (*.json, *.jsonl, <task_id>/${ANSWER}).`,
    );
  return ids.map((id) => {
    const text = readAnyText(join(source, id, ANSWER), MOST_BYTES);
    return { id, trial: 1, outcome: { output: text, latencyMs: null } };
  });
}

const ANSWER = 'answer.txt';
const MOST_BYTES = 10_000_000;

/**
 * Each record has `task_id` or `id` (else the name of its file), and `output` (the whole text, from
 * which the answer is extracted), `model_answer` (the leaderboard's form, scored as it is), null if
 * the agent returned none, or `error` or `timed_out`; optionally a duration, `usage`, `cost_usd`,
 * `steps`, `model` and `trial`.
 */
function readFiles(files: readonly string[], unknown: UnknownFields): readonly Prediction[] {
  const placeOf = new Map<string, string>();
  return files.flatMap((file) =>
    parseJson(file, readText(file)).map(({ line, value }) => {
      const prediction = parsePrediction(file, line, value, files.length > 1);
      const { id, trial } = prediction;
      const key = `${trial} ${id}`;
      const earlier = placeOf.get(key);
      if (earlier !== undefined) {
        const problem = `the sample already has a prediction on ${earlier}`;
        const remedy = 'Keep one of the two.';
        throw new RecordError({ file, line, id, problem, value: id, remedy });
      }
      placeOf.set(key, files.length === 1 ? `line ${line}` : `${file}:${line}`);
      unknown.look(value);
      return prediction;
    }),
  );
}

/** The fields that are read. */
export const PREDICTION_FIELDS = [
  'task_id',
  'id',
  'output',
  'model_answer',
  'reasoning_trace',
  'error',
  'timed_out',
  'latency_ms',
  'duration_ms',
  'duration_seconds',
  'first_token_ms',
  'usage',
  'cost_usd',
  'steps',
  'model',
  'trial',
];

function parsePrediction(
  file: string,
  line: number,
  value: unknown,
  isOneOfSeveral: boolean,
): Prediction {
  const fault = (field: string | undefined, problem: string, remedy: string, given?: unknown) =>
    new RecordError({ file, line, field, problem, remedy, ...omitNullish({ value: given }) });
  if (!isFields(value)) {
    const remedy = 'Write {"task_id": ..., "output": ...}.';
    throw fault(undefined, 'the line must be a JSON object', remedy, value);
  }
  const fields = new Fields(value, (name, allowed, found) =>
    fault(name, `must be ${allowed}`, 'Correct it or leave the field out.', found),
  );
  const id =
    fields.text('task_id') ?? fields.text('id') ?? (isOneOfSeveral ? parse(file).name : null);
  if (id === null)
    throw fault('task_id', 'is missing', 'Give each prediction the id of its sample.');
  const trial = fields.read('trial', 'a whole number from 1 up', isPosition) ?? 1;
  const latencyMs = readDuration(fields);
  const failure = readFailure(fields, value['error']);
  if (failure !== null)
    return { id, trial, outcome: new AgentError(failure.kind, failure.message, { latencyMs }) };
  const output = value['output'] == null ? undefined : toJson(value['output']);
  const given = fields.text('model_answer');
  if (output !== undefined && given !== undefined) {
    const problem = 'must not be given together with "output"';
    throw fault('model_answer', problem, 'Keep the one to score.', given);
  }
  const recorded = output ?? given ?? null;
  if (recorded === null && value['output'] !== null && value['model_answer'] !== null) {
    const remedy = "Give the agent's output, or null if it gave none.";
    throw fault('output', 'is missing, and so is "model_answer"', remedy);
  }
  const answer = {
    output: recorded,
    ...(recorded === null ? { reason: 'empty' } : { verbatim: output === undefined }),
    latencyMs,
    ...omitNullish({
      model: fields.text('model'),
      cost: fields.count('cost_usd'),
      steps: fields.count('steps'),
      firstTokenMs: fields.count('first_token_ms'),
      usage: fields.usage({ isWhole: false }),
    }),
  };
  return { id, trial, outcome: answer };
}

/** Milliseconds; null if they were not recorded. */
function readDuration(fields: Fields): number | null {
  const seconds = fields.count('duration_seconds');
  const inMs = seconds === undefined ? undefined : seconds * 1000;
  return fields.count('latency_ms') ?? fields.count('duration_ms') ?? inMs ?? null;
}

/** The failure that a prediction states: a string, an object with a message, or a flag. */
function readFailure(fields: Fields, error: unknown) {
  const isTimeout = fields.read('timed_out', 'true or false', isFlag) === true;
  const message = isFields(error) ? error['message'] : error;
  const text = typeof message === 'string' ? message.trim() : '';
  const kind: ErrorKind = isTimeout ? 'timed_out' : 'agent_crash';
  if (isTimeout) return { kind, message: text === '' ? 'the agent timed out' : text };
  if (text !== '') return { kind, message: text };
  const isStated = error === true || (isFields(error) && Object.keys(error).length > 0);
  return isStated ? { kind, message: 'the agent failed' } : null;
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isPosition(value: unknown): value is number {
  return isWhole(value) && value > 0;
}
