import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { NotRegular } from '../records/files.ts';
import { escapeLine } from '../text/show.ts';
import { AgentError, type Answer, ERROR_KINDS, type ErrorKind, type Progress } from '../types.ts';
import { LineFile, readLines } from './line-file.ts';

/** What was kept under the same parts. */
type Entry = {
  readonly parts: CacheParts;
  /** What gives its lines in the order in which they were kept, parsed when their answer is first asked for. */
  readonly lines: (() => string)[];
  parsed: KeptAnswer | null;
};

/**
 * Answers of earlier runs, one append-only JSONL file for each process, so that runs beside each other never write to
 * the same file. Every file of the folder is read when the cache is opened.
 */
export class AnswerCache {
  readonly folder: string;
  /** By question, of which few have several; what was kept last stands last. */
  readonly #entries = new Map<string, Entry[]>();
  readonly #passedOver: string[] = [];
  #file: LineFile | null = null;

  constructor(folder: string) {
    this.folder = folder;
    if (existsSync(folder)) this.#read();
  }

  /** What could not be read when the cache was opened, in one remark. */
  get remarks(): readonly string[] {
    const [first] = this.#passedOver;
    if (first === undefined) return [];
    const more = this.#passedOver.length === 1 ? '' : `, and ${this.#passedOver.length - 1} more`;
    return [`Passed over in the answer cache: ${first}${more}. What stood there is asked again.`];
  }

  /** The latest answer that can be read: a torn line is none, and hides no earlier one. */
  get(parts: CacheParts): KeptAnswer | null {
    const entry = this.#entriesOf(parts).find((other) => isSame(other.parts, parts));
    if (entry === undefined) return null;
    for (let read = entry.lines.pop(); read !== undefined; read = entry.lines.pop()) {
      const answer = parseKept(read());
      if (answer === null) continue;
      entry.parsed = answer;
      entry.lines.length = 0;
    }
    return entry.parsed;
  }

  /** Keeps an answer: it is on disk before this returns. Throws when the disk does not take it. */
  put(parts: CacheParts, kept: KeptAnswer): void {
    this.#file ??= this.#open();
    this.#index(this.#file.appendLine(toLine(parts, kept)), parts);
  }

  /**
   * Which parts differ between what is asked now and the nearest answer to this question, the latest among equally near
   * ones; an answer of another trial is only looked at where this one has none. Null for a new question.
   */
  explainMiss(parts: CacheParts): readonly (keyof CacheParts)[] | null {
    const earlier = this.#entriesOf(parts).map((entry) => entry.parts);
    const sameTrial = earlier.filter(({ trial }) => trial === parts.trial);
    if (earlier.length > 0 && sameTrial.length === 0) return ['trial'];
    const differences = sameTrial.map((other) => COMPARED.filter((part) => other[part] !== parts[part]));
    return differences.reduceRight<readonly (keyof CacheParts)[] | null>(
      (nearest, next) => (nearest === null || next.length < nearest.length ? next : nearest),
      null,
    );
  }

  /** How long this question's newest answer took, whatever else it depended on; null when that is not known. */
  lastLatencyMs(parts: CacheParts): number | null {
    const latest = this.#entriesOf(parts).at(-1);
    return latest === undefined ? null : (this.get(latest.parts)?.latency_ms ?? null);
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  #read(): void {
    // Names are in the order in which the files were begun: later answers replace earlier ones.
    for (const name of this.#names().sort()) this.#readFile(join(this.folder, name));
  }

  #readFile(file: string): void {
    try {
      for (const line of readLines(file, { onTooLong: () => this.#passOver(file, 'a line of more than 256 MB') })) {
        const parts = parseParts(line);
        if (parts !== null) this.#index(() => line, parts);
      }
    } catch (cause) {
      // A folder or a pipe that is named like a file of answers holds none.
      if (cause instanceof NotRegular) return;
      if (isDangling(cause)) {
        this.#passOver(file, cause.code);
        return;
      }
      const said = cause instanceof Error ? cause.message : String(cause);
      const remedy = 'Make it readable, or take it out of the folder: what it holds is then asked again';
      throw new Error(`${file}: this part of the answer cache cannot be read (${said}). ${remedy}.`, { cause });
    }
  }

  #passOver(file: string, why: string): void {
    this.#passedOver.push(`${escapeLine(basename(file))} (${why})`);
  }

  #entriesOf({ question }: CacheParts): Entry[] {
    return this.#entries.get(question) ?? [];
  }

  #index(read: () => string, parts: CacheParts): void {
    const entries = this.#entriesOf(parts);
    if (entries.length === 0) this.#entries.set(parts.question, entries);
    const place = entries.findLastIndex((other) => isSame(other.parts, parts));
    const [known] = place === -1 ? [] : entries.splice(place, 1);
    entries.push(
      known === undefined ? { parts, lines: [read], parsed: null } : { ...known, lines: [...known.lines, read] },
    );
  }

  #names(): string[] {
    return readdirSync(this.folder).filter((name) => name.endsWith('.jsonl'));
  }

  /** A file's number is the time in ms, and above all earlier numbers: a clock may be set back. */
  #open(): LineFile {
    mkdirSync(this.folder, { recursive: true });
    const last = this.#names().reduce((most, name) => Math.max(most, numberOf(name)), 0);
    const number = Math.max(Date.now(), last + 1)
      .toString(36)
      .padStart(9, '0');
    return new LineFile(join(this.folder, `${number}-${process.pid}.jsonl`));
  }
}

function numberOf(name: string): number {
  return Number.parseInt(/^([0-9a-z]{9})-\d+\.jsonl$/.exec(name)?.[1] ?? '0', 36);
}

const COMPARED = ['agent', 'prompt', 'limits'] as const;

function isSame(a: CacheParts, b: CacheParts): boolean {
  return a.question === b.question && a.trial === b.trial && COMPARED.every((part) => a[part] === b[part]);
}

/** A link to nothing, or to itself; also a file that was taken away since the folder was listed. */
function isDangling(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP');
}

/** What an answer depends on, each part hashed; never the target. Two equal sets of parts share an answer. */
export type CacheParts = {
  readonly agent: string;
  readonly prompt: string;
  /** Question, choices and the contents of the attachments. */
  readonly question: string;
  /** Deadline and step limit. */
  readonly limits: string;
  readonly trial: number;
};

/** What an agent gave, as it was kept. Times in ms, timestamps in ISO 8601. */
export type KeptAnswer = {
  readonly started_at: string;
  readonly answered_at: string;
  readonly latency_ms: number | null;
  /** How often the question was asked for this outcome; above 1 only after EVAL_CACHE=retry. */
  readonly attempts: number;
} & (
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'failed'; readonly error: KeptError }
);

type KeptError = {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly status: number | null;
  readonly request_id: string | null;
  readonly progress: Progress;
};

/** An error as it is kept, and back. */
export function toKeptError({ kind, message, status, requestId, progress }: AgentError): KeptError {
  return { kind, message, status, request_id: requestId, progress };
}

export function toAgentError({ kind, message, status, request_id, progress }: KeptError): AgentError {
  return new AgentError(kind, message, { status, requestId: request_id, progress });
}

const HEAD = '{"version":1,"parts":';

/** One line of the cache, without its line break. */
export function toLine(parts: CacheParts, kept: KeptAnswer): string {
  return JSON.stringify({ version: 1, parts, kept });
}

/** The parts stand first in a line and hold no nested object: they are read without parsing a long answer. */
function parseParts(line: string): CacheParts | null {
  const end = line.indexOf('}');
  if (!line.startsWith(HEAD) || !line.endsWith('}}')) return null;
  const parts = parse(line.slice(HEAD.length, end + 1));
  return isParts(parts) ? parts : null;
}

/** A line that a crash tore is no answer: the question is asked again. */
function parseKept(line: string): KeptAnswer | null {
  const whole = parse(line);
  const kept = isObject(whole) ? read(whole, 'kept') : null;
  return isKept(kept) ? kept : null;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isParts(value: unknown): value is CacheParts {
  return (
    isObject(value) &&
    ['agent', 'prompt', 'question', 'limits'].every((name) => typeof read(value, name) === 'string') &&
    typeof read(value, 'trial') === 'number'
  );
}

function isKept(value: unknown): value is KeptAnswer {
  if (!isObject(value) || !isTime(read(value, 'started_at')) || !isTime(read(value, 'answered_at'))) return false;
  const latencyMs = read(value, 'latency_ms');
  if (latencyMs !== null && typeof latencyMs !== 'number') return false;
  if (typeof read(value, 'attempts') !== 'number') return false;
  const outcome = read(value, 'outcome');
  return outcome === 'answered'
    ? isAnswer(read(value, 'answer'))
    : outcome === 'failed' && isError(read(value, 'error'));
}

function isAnswer(value: unknown): boolean {
  const text = isObject(value) ? read(value, 'text') : undefined;
  return typeof text === 'string' || text === null;
}

function isError(value: unknown): boolean {
  if (!isObject(value) || typeof read(value, 'message') !== 'string') return false;
  const kind = read(value, 'kind');
  return ERROR_KINDS.some((known) => known === kind) && isObject(read(value, 'progress'));
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function read(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
