import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ensureFolder } from '../data/files/read-file.ts';
import { AgentError, type Answer, type ErrorKind, type Progress } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';
import { messageOf, tryOrUndefined } from '../words/show.ts';
import { LineFile, readLines } from './line-file.ts';

/**
 * A line of the cache, parsed when its answer is needed. A short one is then replaced by its
 * answer.
 */
type Entry = { readonly parts: CacheParts; line: string | null; kept: CachedAnswer | null };

/**
 * In characters. Longer lines have traces: parsed, all of them together may not fit into the heap
 * of a worker.
 */
const MOST_PARSED = 4096;

/**
 * Answers of earlier runs, in one append-only JSONL file for each process: runs at the same time
 * never write to the same file. All files of the folder are read when the cache is opened. Later
 * answers of other runs are found by the next run.
 */
export class AnswerCache {
  readonly folder: string;
  /** By question; the latest entry is last. */
  readonly #entries = new Map<string, Entry[]>();
  #file: LineFile | null = null;

  constructor(folder: string) {
    this.folder = folder;
    // Names sort by the time when the files were begun: later answers replace earlier ones.
    for (const name of this.#names().sort()) this.#readFile(join(folder, name));
  }

  /**
   * The latest answer that can be read. A line that a crash cut off does not hide an earlier
   * answer.
   */
  get(parts: CacheParts): CachedAnswer | null {
    for (const entry of this.#entriesOf(parts).toReversed()) {
      if (ALL_PARTS.some((part) => entry.parts[part] !== parts[part])) continue;
      const kept = entry.line === null ? entry.kept : parseKept(entry.line);
      if (entry.line !== null && entry.line.length <= MOST_PARSED)
        Object.assign(entry, { line: null, kept });
      if (kept !== null) return kept;
    }
    return null;
  }

  /** Writes an answer to the disk before it returns. Throws if the disk refuses it. */
  put(parts: CacheParts, kept: CachedAnswer): void {
    this.open().append(`${toLine(parts, kept)}\n`);
  }

  /** Makes the file of this process, once. */
  open(): LineFile {
    this.#file ??= this.#makeFile();
    return this.#file;
  }

  /**
   * Which parts differ between this question and the cached answer with the fewest differences, the
   * latest of several. Answers of other trials count only if this trial has none. Null if the agent
   * of this name was not asked before.
   */
  explainMiss(parts: CacheParts): readonly (keyof CacheParts)[] | null {
    const isSame = ({ name }: CacheParts) => name === undefined || name === parts.name;
    const earlier = this.#entriesOf(parts).flatMap((entry) =>
      isSame(entry.parts) ? entry.parts : [],
    );
    const sameTrial = earlier.filter(({ trial }) => trial === parts.trial);
    if (earlier.length > 0 && sameTrial.length === 0) return ['trial'];
    const differences = sameTrial.map((other) =>
      COMPARED.filter((part) => other[part] !== parts[part]),
    );
    return differences.toReversed().toSorted((a, b) => a.length - b.length)[0] ?? null;
  }

  #names(): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder).filter((name) => name.endsWith('.jsonl'));
  }

  #readFile(file: string): void {
    try {
      // A broken link, a folder or a pipe may have the name of a cache file. It has no answers.
      if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
      for (const line of readLines(file)) {
        const parts = parseParts(line);
        if (parts === null) continue;
        const entry = { parts, line, kept: null };
        const known = this.#entries.get(parts.question);
        if (known === undefined) this.#entries.set(parts.question, [entry]);
        else known.push(entry);
      }
    } catch (cause) {
      const problem = `${file}: this file of the answer cache cannot be read (${messageOf(cause)})`;
      const remedy = 'Make it readable, or remove it: its questions are then asked again';
      throw new Error(`${problem}. ${remedy}.`, { cause });
    }
  }

  #entriesOf({ question }: CacheParts): readonly Entry[] {
    return this.#entries.get(question) ?? [];
  }

  /** A file's number is the time in ms, or above all earlier numbers if the clock was set back. */
  #makeFile(): LineFile {
    ensureFolder(this.folder);
    const numbers = this.#names().map(
      (name) => /^([0-9a-z]{9})-\d+\.jsonl$/.exec(name)?.[1] ?? '0',
    );
    const last = numbers.reduce((most, number) => Math.max(most, Number.parseInt(number, 36)), 0);
    const number = Math.max(Date.now(), last + 1).toString(36);
    return new LineFile(join(this.folder, `${number.padStart(9, '0')}-${process.pid}.jsonl`));
  }
}

const COMPARED = ['agent', 'prompt', 'limits'] as const;
const ALL_PARTS = [...COMPARED, 'question', 'trial'] as const;

/** What an answer depends on, each part hashed, without the target. Equal parts share an answer. */
export type CacheParts = Readonly<{
  agent: string;
  /** Of the agent, hashed; it only explains misses. */
  name?: string;
  prompt: string;
  /** Question, choices and the contents of the attachments. */
  question: string;
  /** Deadline and step limit. */
  limits: string;
  trial: number;
}>;

/** A cached answer or failure. Times in ms, timestamps in ISO 8601. */
export type CachedAnswer = Readonly<{
  started_at: string;
  answered_at: string;
  latency_ms: number | null;
  /** How often the question was asked until this outcome. Above 1 only with EVAL_CACHE=retry. */
  attempts: number;
}> &
  (
    | Readonly<{ outcome: 'answered'; answer: Answer }>
    | Readonly<{ outcome: 'failed'; error: CachedError }>
  );

type CachedError = Readonly<{
  kind: ErrorKind;
  message: string;
  status: number | null;
  request_id: string | null;
  progress: Progress;
}>;

/** Converts an error for the cache; `toAgentError` converts it back. */
export function toCachedError({
  kind,
  message,
  status,
  requestId,
  progress,
}: AgentError): CachedError {
  return { kind, message, status, request_id: requestId, progress };
}

export function toAgentError({
  kind,
  message,
  status,
  request_id,
  progress,
}: CachedError): AgentError {
  return new AgentError(kind, message, { status, requestId: request_id, progress });
}

/** One line of the cache, without its line break. */
export function toLine(parts: CacheParts, kept: CachedAnswer): string {
  const json = JSON.stringify(kept);
  return `{"version":1,"parts":${JSON.stringify(parts)},"sum":${crc32(json)},"kept":${json}}`;
}

/**
 * The parts are first in a line and have no nested object, so they are read without parsing a long
 * answer.
 */
function parseParts(line: string): CacheParts | null {
  const [, parts] = HEAD.exec(line) ?? [];
  const fields = parts === undefined ? {} : parseObject(parts);
  return isParts(fields) ? fields : null;
}

const HEAD = /^\{"version":1,"parts":(\{[^}]*\}),"sum":(\d+),"kept":/;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a JSON object; no fields for any other text. */
function parseObject(json: string): Fields {
  const value = tryOrUndefined((): unknown => JSON.parse(json));
  return isFields(value) ? value : {};
}

function isParts(value: Fields): value is Fields & CacheParts {
  const texts = [value['agent'], value['prompt'], value['question'], value['limits']];
  return texts.every((part) => typeof part === 'string') && typeof value['trial'] === 'number';
}

/** A bit that flipped on the disk must not become a figure, and a torn line is no answer. */
function parseKept(line: string): CachedAnswer | null {
  const [head = '', , sum] = HEAD.exec(line) ?? [];
  const json = line.slice(head.length, -1);
  return Number(sum) === crc32(json) && line.endsWith('}') ? JSON.parse(json) : null;
}
