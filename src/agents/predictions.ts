import { existsSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { toJson } from '../data/files/json.ts';
import { parseJson } from '../data/files/json-records.ts';
import { isFolder, leadsOut, readAnyText, readText } from '../data/files/read-file.ts';
import { type RawRecord, RecordError } from '../data/files/record.ts';
import { parseTable } from '../data/files/table.ts';
import { AgentError, type Answer, type ErrorKind } from '../words/answer.ts';
import { field, isFields, omitNullish, textField } from '../words/fields.ts';
import type { Note } from '../words/sample.ts';
import { listUp, quote, showPath, toNotes, tryOrUndefined } from '../words/show.ts';
import { called, plainly, type Told, told } from '../words/told.ts';
import { Fields, isWhole } from './fields.ts';
import { listMisnamed, listMisnamedCounts } from './misnamed.ts';
import {
  factOf,
  findRival,
  listSpellings,
  PREDICTION_FIELDS,
  readFacts,
} from './prediction-fields.ts';
import { UnknownFields } from './returned-answer.ts';

/** An answer or failure that another system recorded. */
type Prediction = Readonly<{
  id: string;
  trial: number;
  outcome: Answer | AgentError;
}>;

/** Predictions, and which fields of their files were read or not. */
type Predictions = Readonly<{
  predictions: readonly Prediction[];
  notes: readonly Note[];
}>;

/**
 * Reads predictions that were made elsewhere: a file of JSON lines, with a JSON list or with an
 * object by id, a folder of such files, also one for each task, or a folder with
 * `<task_id>/answer.txt` for each. `prediction-fields.ts` lists the fields. Throws a RecordError on
 * a broken line, a mistyped field, a repeated id, or where "answer" may be the expected one.
 */
export function readPredictions(source: string): Predictions {
  if (!isFolder(source)) return readPredictionFiles([source]);
  const names = readdirSync(source).sort();
  const files = names.filter((name) => /\.jsonl?$/i.test(name)).map((name) => join(source, name));
  if (files.length > 0) return readPredictionFiles(files.map((file) => keepIn(source, file)));
  const ids = names.filter((id) => existsSync(join(source, id, ANSWER)));
  if (ids.length === 0)
    throw new Error(
      `${source} has neither a run (manifest.json) nor predictions (*.json, *.jsonl, <task_id>/${ANSWER}).`,
    );
  const predictions = ids.map((id) => {
    const text = readAnyText(keepIn(source, join(source, id, ANSWER)), MOST_BYTES);
    return { id, trial: 1, outcome: { output: text, latencyMs: null } };
  });
  return { predictions, notes: [] };
}

/** The file. Throws where links lead it out of the folder: another system may have made that. */
function keepIn(folder: string, file: string): string {
  if (existsSync(file) && !leadsOut(folder, file)) return file;
  const problem = told`is a link that leaves the folder of the predictions, or leads nowhere`;
  throw new Error(`${showPath(file)} ${problem}. Put the file itself there.`);
}

const ANSWER = 'answer.txt';
const MOST_BYTES = 10_000_000;

/** The predictions of files. A record without an id of its own has the name of its file. */
function readPredictionFiles(files: readonly string[]): Predictions {
  const parts = files.map((file) => ({ file, records: unfold(parseJson(file, readText(file))) }));
  return toPredictions(parts);
}

type PredictionFile = Readonly<{ file: string; records: readonly RawRecord[] }>;

/** The predictions in records of files; as `readPredictions`. */
export function toPredictions(files: readonly PredictionFile[]): Predictions {
  const unwrapped = files.map(({ file, records }) => ({
    file,
    records: records.map(({ line, value }) => ({ line, value: unwrap(value) })),
  }));
  const rival = findRival(unwrapped.flatMap(({ records }) => records.map(({ value }) => value)));
  const placeOf = new Map<string, string>();
  const outputs = new OutputNames();
  const misnamed = new MisnamedFields();
  const unknown = new UnknownFields(PREDICTION_FIELDS, (name) => factOf(name) !== undefined);
  const predictions = unwrapped.flatMap(({ file, records }) =>
    records.map(({ line, value }) => {
      const place = { file, line, isOneOfSeveral: files.length > 1 };
      const prediction = parsePrediction(place, value, rival, outputs);
      const { id, trial } = prediction;
      const key = `${trial} ${id}`;
      const earlier = placeOf.get(key);
      if (earlier !== undefined) {
        const problem = told`the sample already has a prediction on ${plainly(earlier)}`;
        const remedy = 'Keep one of the two.';
        throw new RecordError({ file, line, id, problem, value: id, remedy });
      }
      placeOf.set(key, files.length === 1 ? `line ${line}` : `${file}:${line}`);
      unknown.look(value);
      misnamed.look(value);
      return prediction;
    }),
  );
  return {
    predictions,
    notes: [...outputs.describe(), ...misnamed.describe(), ...unknown.describe()],
  };
}

/** Collects money, tokens and times that are not read, since their names leave the unit open. */
class MisnamedFields {
  readonly #remedyOf = new Map<string, string>();

  look(value: unknown): void {
    for (const { name, remedy } of isFields(value) ? listMisnamed(value, 'prediction') : [])
      if (factOf(name) === undefined) this.#remedyOf.set(name, remedy);
  }

  describe(): readonly Note[] {
    return toNotes(
      'unread',
      [...this.#remedyOf].map(([name, remedy]) => `its ${quote(name)} is not read: ${remedy}.`),
    );
  }
}

/** Collects which names of an output were read, and which weaker ones were not. */
class OutputNames {
  readonly #read = new Set<string>();
  readonly #unread = new Set<string>();

  look(read: string, unread: readonly string[]): void {
    this.#read.add(read);
    for (const name of unread) this.#unread.add(name);
  }

  /** A sentence for the report; none where no output was left unread. */
  describe(): readonly Note[] {
    if (this.#unread.size === 0) return [];
    const [read, unread] = [this.#read, this.#unread].map((names) => listUp([...names].map(quote)));
    return toNotes('unread', [`its outputs were read from ${read}, and not from ${unread}.`]);
  }
}

/** Reads a table of predictions (CSV or TSV), in which numbers and true and false are texts. */
export async function readTable(file: string): Promise<PredictionFile> {
  const { records } = await parseTable(file, readText(file));
  return { file, records: records.map((raw) => ({ ...raw, value: readCells(raw.value) })) };
}

function readCells(value: unknown): unknown {
  if (!isFields(value)) return value;
  const cells = Object.entries(value).map(([name, cell]) => {
    const fact = factOf(name) ?? '';
    if (TEXTS.has(fact) || typeof cell !== 'string') return [name, cell] as const;
    if (isNone(cell)) return [name, null] as const;
    const parsed: unknown = tryOrUndefined(() => JSON.parse(cell.trim().toLowerCase()));
    const isValue = ['number', 'boolean'].includes(typeof parsed);
    return [name, isValue ? parsed : cell] as const;
  });
  return Object.fromEntries(cells);
}

/** Facts that are texts, whatever they look like. */
const TEXTS: ReadonlySet<string> = new Set(['task_id', 'output', 'model_answer', 'model', 'error']);

/** Whether a text is how programs write that there is nothing. */
function isNone(text: string): boolean {
  return NONE.has(text.trim().toLowerCase());
}

const NONE: ReadonlySet<string> = new Set(',-,none,null,nil,undefined,nan,na,n/a,<na>'.split(','));

/** Texts that state no failure, as the flag of another system does. */
const NO_FAILURE: ReadonlySet<string> = new Set(['false', '0', 'no', 'no error', '[]', '{}']);

/** `{"Q01": "the output", "Q02": null}` as a record for each. */
function unfold(records: readonly RawRecord[]): readonly RawRecord[] {
  const [only] = records;
  if (only === undefined || records.length > 1 || !isFields(only.value)) return records;
  const outputs = Object.entries(only.value);
  const isById = outputs.every(
    ([name, output]) =>
      factOf(name) === undefined && (output === null || typeof output === 'string'),
  );
  if (!isById) return records;
  return outputs.map(([task_id, output]) => ({ line: only.line, value: { task_id, output } }));
}

/**
 * The fields of a row of OpenAI's hosted Evals, which has the question in `item` and what was
 * sampled for it in `sample`, and of a line that a batch of OpenAI or Anthropic answered.
 */
function unwrap(value: unknown): unknown {
  if (!isFields(value)) return value;
  const { item, datasource_item, sample, custom_id, response, result } = value;
  const asked = item ?? datasource_item;
  if (isFields(sample) && isFields(asked)) {
    const ids = Object.entries(asked).filter(([name]) => factOf(name) === 'task_id');
    return { ...Object.fromEntries(ids), ...readServerReply(sample, sample['error']) };
  }
  const body = field(response, 'body') ?? field(result, 'message');
  if (custom_id === undefined || !isFields(body)) return value;
  return { custom_id, ...readServerReply(body, value['error'] ?? field(body, 'error')) };
}

/** What a server answered, as a prediction. */
function readServerReply(reply: Readonly<Record<string, unknown>>, error: unknown) {
  const texts = listTexts(reply['output_text'] ?? reply['output'] ?? reply['choices'] ?? reply);
  const output = texts.length === 0 ? null : texts.join('\n');
  return { output, ...omitNullish({ error, model: textField(reply, 'model') }) };
}

/** The texts of a reply: of its choices, their messages and the parts of these. */
function listTexts(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth > MOST_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((each) => listTexts(each, depth + 1));
  const inner = field(value, 'text') ?? field(value, 'content') ?? field(value, 'message');
  return inner === undefined ? [] : listTexts(inner, depth + 1);
}

const MOST_DEPTH = 9;

type Place = Readonly<{ file: string; line: number; isOneOfSeveral: boolean }>;

/** `rival` is the field that keeps "answer" from being the output, if there is one. */
function parsePrediction(
  { file, line, isOneOfSeveral }: Place,
  value: unknown,
  rival: string | undefined,
  outputs: OutputNames,
): Prediction {
  const fault = (field: string | undefined, problem: Told, remedy: string, got?: unknown) =>
    new RecordError({ file, line, field, problem, remedy, ...omitNullish({ value: got }) });
  if (!isFields(value)) {
    const remedy = 'Write {"task_id": ..., "output": ...}.';
    throw fault(undefined, told`the line must be a JSON object`, remedy, value);
  }
  const { facts, nameOf, unread } = readFacts(value, rival === undefined, (disagreement) => {
    return new RecordError({ file, line, ...disagreement, remedy: 'Keep the right one.' });
  });
  const fields = new Fields(facts, (name, allowed, found) =>
    fault(
      nameOf(name),
      told`must be ${plainly(allowed)}`,
      'Correct it or leave the field out.',
      found,
    ),
  );
  checkUsage(facts['usage'], fault);
  const id = readId(fields) ?? (isOneOfSeveral ? parse(file).name : null);
  if (id === null) {
    const remedy = `Give each prediction the id of its sample: ${listSpellings('task_id')}.`;
    throw fault('task_id', told`is missing`, remedy);
  }
  const trial = fields.read('trial', 'a whole number from 1 up', isPosition) ?? 1;
  const latencyMs = fields.count('latency_ms') ?? null;
  const failure = readFailure(fields, facts['error']);
  if (failure !== null)
    return { id, trial, outcome: new AgentError(failure.kind, failure.message, { latencyMs }) };
  const output = facts['output'] == null ? undefined : toJson(facts['output']);
  const bare = fields.text('model_answer');
  if (output !== undefined && bare !== undefined) {
    const problem = told`must not be given together with ${called(nameOf('output'))}`;
    throw fault(nameOf('model_answer'), problem, 'Keep the one to score.', bare);
  }
  const recorded = output ?? bare ?? null;
  if (recorded === null && facts['output'] !== null && facts['model_answer'] !== null)
    throw missingOutput(fault, unread[0], rival);
  outputs.look(nameOf(bare === undefined ? 'output' : 'model_answer'), unread);
  const outcome = {
    output: recorded,
    ...(recorded === null ? { reason: 'empty' } : { verbatim: output === undefined }),
    latencyMs,
    ...readSpent(fields),
  };
  return { id, trial, outcome };
}

/** Refuses counts of tokens that would be lost. */
function checkUsage(
  usage: unknown,
  fault: (field: string, problem: Told, remedy: string) => RecordError,
): void {
  const [misnamed] = listMisnamedCounts(usage);
  if (misnamed === undefined) return;
  const { name, remedy } = misnamed;
  throw fault(name, told`is not read`, `${remedy.replace(/^write/, 'Write')}.`);
}

function readSpent(fields: Fields) {
  return omitNullish({
    model: fields.text('model'),
    costUsd: fields.count('cost_usd'),
    steps: fields.count('steps'),
    firstTokenMs: fields.count('first_token_ms'),
    usage: fields.usage(),
  });
}

/**
 * The error for a prediction without an output; `answer` is its field that may be the expected one.
 */
function missingOutput(
  fault: (field: string, problem: Told, remedy: string) => RecordError,
  answer: string | undefined,
  rival: string | undefined,
): RecordError {
  if (answer === undefined || rival === undefined)
    return fault('output', told`is missing, and so is "model_answer"`, NO_OUTPUT);
  const problem = told`may be the expected answer, since the file also has ${called(rival)}`;
  return fault(answer, problem, 'Call the output of the agent "output".');
}

const NO_OUTPUT = `Give the agent's output, or null if it gave none. It may be called ${listSpellings('output')}; a bare answer, as the leaderboard takes it, ${listSpellings('model_answer')}.`;

/** The id of a sample, which may be a number. */
function readId(fields: Fields): string | null {
  const isId = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  const id = fields.read('task_id', 'a string', isId);
  return id === undefined ? null : String(id);
}

/**
 * The failure that a prediction states: a string, an object with a message, or a flag. A table and
 * JSON may both have the text "None" or "False" for none.
 */
function readFailure(fields: Fields, error: unknown) {
  const isTimeout = fields.read(
    'timed_out',
    'true or false',
    (value) => typeof value === 'boolean',
  );
  const message = isFields(error)
    ? (textField(error, 'message') ?? Object.keys(error).length > 0)
    : error;
  const text = typeof message === 'string' ? message.trim() : '';
  const isFailure = text !== '' && !isNone(text) && !NO_FAILURE.has(text.toLowerCase());
  const isBare = message === true || text.toLowerCase() === 'true';
  const kind: ErrorKind = isTimeout ? 'timed_out' : 'agent_crash';
  if (isFailure && !isBare) return { kind, message: text };
  if (isTimeout) return { kind, message: 'the agent timed out' };
  return isBare ? { kind, message: 'the agent failed' } : null;
}

function isPosition(value: unknown): value is number {
  return isWhole(value) && value > 0;
}
