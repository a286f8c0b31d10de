import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureFolder, readRegular, toErrorCode } from '../data/files/read-file.ts';
import { isFields } from '../words/fields.ts';
import { isKeyName } from '../words/hide-keys.ts';
import type { Json } from '../words/sample.ts';
import { HIDDEN } from '../words/secrets.ts';
import { escapeJson, quote, showPath, tryOrUndefined } from '../words/show.ts';
import { suggest } from '../words/similar-names.ts';
import { writing } from '../words/write-error.ts';
import { writeLines } from './line-file.ts';

/** The case that called a tool. Agents and prompts call tools in their own order. */
export type CaseName = Readonly<{
  suite: string;
  id: string;
  agent: string;
  /** As in rows; absent where the suite has one prompt. */
  prompt?: string | undefined;
  trial: number;
}>;

/** A call of a tool: its name and its arguments, which `toOrdered` has put in order. */
export type RecordedCall = Readonly<{ tool: string; arguments?: Json }>;

/** How a call ended. A tool that returned nothing has neither field. */
export type RecordedEnd = Readonly<{
  result?: Json;
  /** What it threw: name, message and fields of an error, or `{ thrown }` for any other value. */
  error?: Json;
  /** What it yielded, for an async generator. */
  yields?: readonly Json[];
  /** Whether its reader left before the end of these. */
  partial?: true;
  /** Whether it returned or threw at once, not by a promise. */
  sync?: true;
}>;

/** A line of a file of recordings. Equal calls of a case are in their order. */
export type Recording = CaseName & RecordedCall & RecordedEnd;

/** The folder of recordings, beside the eval files. */
const FOLDER = '__recordings__';

export function toRecordingsFile(evalFile: string, name: string): string {
  return join(dirname(evalFile), FOLDER, `${name}.jsonl`);
}

export function listRecordingsFiles(evalFile: string): readonly string[] {
  const folder = join(dirname(evalFile), FOLDER);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => join(folder, name));
}

/** JSON with the fields of all objects in one order, so that equal arguments have equal texts. */
export function toOrdered(value: Json): Json {
  if (Array.isArray(value)) return value.map(toOrdered);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).sort(([a], [b]) => compareTexts(a, b));
  return Object.fromEntries(fields.map(([name, each]) => [name, toOrdered(each)]));
}

/** Recorded results of tools, by case and call. */
export class Recordings {
  readonly #calls = new Map<string, Map<string, readonly Recording[]>>();

  constructor(recordings: readonly Recording[] = []) {
    for (const [call, same] of Map.groupBy(recordings, keyOfCall))
      this.#calls.set(call, Map.groupBy(same, keyOfCase));
  }

  get all(): readonly Recording[] {
    return [...this.#calls.values()].flatMap((cases) => [...cases.values()].flat());
  }

  /**
   * The recording of the n-th equal call (from 1) of a case, else that of a case with the same question
   * and agent, else with the same question, else of the first with one; undefined if there is none.
   */
  find(of: CaseName, call: RecordedCall, n: number): Recording | undefined {
    const cases = this.#calls.get(keyOfCall(call));
    const own = cases?.get(keyOfCase(of))?.[n - 1];
    if (own !== undefined || cases === undefined) return own;
    const others = [...cases.values()].flatMap((same) => same[n - 1] ?? []);
    const near = others.filter(({ suite, id }) => suite === of.suite && id === of.id);
    return near.find(({ agent }) => agent === of.agent) ?? near[0] ?? others[0];
  }

  /** How often a call is recorded in the case that has it most often. */
  count(call: RecordedCall): number {
    const cases = this.#calls.get(keyOfCall(call)) ?? new Map<string, readonly Recording[]>();
    return Math.max(0, ...[...cases.values()].map(({ length }) => length));
  }

  /** Takes the place of the first recordings of an equal call in the same case. */
  replace(calls: readonly Recording[]): void {
    const [first] = calls;
    if (first === undefined) return;
    const cases = this.#calls.get(keyOfCall(first)) ?? new Map<string, readonly Recording[]>();
    const before = cases.get(keyOfCase(first)) ?? [];
    cases.set(keyOfCase(first), [...calls, ...before.slice(calls.length)]);
    this.#calls.set(keyOfCall(first), cases);
  }
}

/** Equal for calls that get the same recordings: a key, or its absence, is no part of it. */
export function keyOfCall({ tool, arguments: given }: RecordedCall): string {
  return JSON.stringify([tool, given], (name, value: unknown) =>
    value === HIDDEN || (isKeyName(name) && (value === '' || value === null)) ? undefined : value,
  );
}

function keyOfCase({ suite, id, agent, prompt, trial }: CaseName): string {
  return JSON.stringify([suite, id, agent, prompt, trial]);
}

/** Reads a file of recordings; an absent one has none. Throws, with its place, for a damaged line. */
export function readRecordings(file: string): Recordings {
  if (!existsSync(file)) return new Recordings();
  const lines = readRegular(file)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n');
  return new Recordings(
    lines.flatMap((line, index) =>
      line.trim() === '' ? [] : parseRecording(line, `${showPath(file)}:${index + 1}`),
    ),
  );
}

function parseRecording(line: string, place: string): Recording {
  const value: unknown = tryOrUndefined(() => JSON.parse(line));
  if (!isFields(value)) throw new Error(`${place}: this line is not JSON. ${REPAIR}`);
  const { version, ...fields } = value;
  if (version !== 1)
    throw new Error(`${place}: version ${JSON.stringify(version)} is not known. ${RENEW}`);
  if (!isRecording(fields))
    throw new Error(`${place}: this line is not a recording of a tool. ${REPAIR}`);
  const other = Object.keys(fields).find((name) => !FIELDS.has(name));
  if (other !== undefined)
    throw new Error(
      `${place}: a recording has no field ${quote(other)}.${suggest(other, [...FIELDS])} ${REPAIR}`,
    );
  const { arguments: given, ...rest } = fields;
  // A person may have written it.
  return given === undefined ? rest : { ...rest, arguments: toOrdered(given) };
}

const FIELDS: ReadonlySet<string> = new Set([
  ...['suite', 'id', 'agent', 'prompt', 'trial', 'tool', 'arguments'],
  ...['result', 'error', 'yields', 'partial', 'sync'],
]);

function isRecording(fields: Readonly<Record<string, unknown>>): fields is Recording {
  const { suite, id, agent, prompt = '', trial, tool, yields = [] } = fields;
  const texts = [suite, id, agent, prompt, tool];
  const isNamed = texts.every((name) => typeof name === 'string');
  return isNamed && typeof trial === 'number' && Array.isArray(yields);
}

const REPAIR = 'Correct or delete it; EVAL_TOOLS=record then records it again.';
const RENEW = 'Update viva, or delete the file and record again with EVAL_TOOLS=record.';

/**
 * Adds recordings to a file: each list has the calls of one case that are equal, from the first on. The
 * file is sorted, so that it does not depend on which call ended first. Other processes may do the same
 * at the same time. Throws a WriteError, or what `readRecordings` throws.
 */
export async function addRecordings(
  file: string,
  lists: readonly (readonly Recording[])[],
): Promise<void> {
  writing(file, () => ensureFolder(dirname(file)));
  await whileLocked(file, () => {
    const recordings = readRecordings(file);
    for (const calls of lists) recordings.replace(calls);
    const sorted = recordings.all
      .map((each) => [sortKey(each), each] as const)
      .sort(([a], [b]) => compareKeys(a, b));
    writeLines(
      file,
      sorted.map(([, each]) => toLine(each)),
    );
  });
}

/** With its fields in one order. */
function toLine({ suite, id, agent, prompt, trial, ...call }: Recording): string {
  const { tool, arguments: given, result, error, yields, partial, sync } = call;
  const named = { version: 1, suite, id, agent, prompt, trial, tool, arguments: given };
  return `${escapeJson({ ...named, result, error, yields, partial, sync })}\n`;
}

type SortKey = readonly [...texts: string[]];

function sortKey({ suite, id, agent, prompt = '', ...call }: Recording): SortKey {
  const { trial, tool, arguments: given } = call;
  const order = String(trial).padStart(9, '0');
  return [suite, id, agent, prompt, order, tool, JSON.stringify(given) ?? ''];
}

/** Equal calls keep their order. */
function compareKeys(a: SortKey, b: SortKey): number {
  const at = a.findIndex((text, index) => text !== b[index]);
  return at === -1 ? 0 : compareTexts(a[at] ?? '', b[at] ?? '');
}

/** The same on every machine, whatever its language. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Longer than any process needs to write the file: the one that made the lock has died. */
const STALE_MS = 10_000;

async function whileLocked(file: string, work: () => void): Promise<void> {
  const lock = `${file}.lock`;
  while (!tryToLock(lock)) await sleep(5 + Math.random() * 20);
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryToLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx'));
    return true;
  } catch (error) {
    if (toErrorCode(error) !== 'EEXIST')
      writing(lock, () => {
        throw error;
      });
    const since = tryOrUndefined(() => statSync(lock).mtimeMs) ?? Date.now();
    if (Math.abs(Date.now() - since) > STALE_MS) rmSync(lock, { force: true });
    return false;
  }
}
