import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ensureFolder, keepToUser, readRegular } from '../data/files/read-file.ts';
import { AgentError, type Outcome } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';
import { isAskedAgain } from '../words/row.ts';
import { toText, tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { explainWrite } from '../words/write-error.ts';
import { LineFile, LineReader } from './line-file.ts';

/**
 * A line of the cache, parsed when its answer is needed. A short one is then replaced by its
 * answer.
 */
type Entry = { readonly key: CacheKey; line: string | null; kept: Outcome | null };

type CacheMode = 'on' | 'off' | 'refresh' | 'only' | 'retry';

/**
 * In characters. Longer lines have traces: parsed, all of them together may not fit into the heap
 * of a worker.
 */
const MOST_PARSED = 4096;

/**
 * Answers of all runs, in one append-only JSONL file for each process: runs at the same time never
 * write to the same file. All files of the folder are read when the cache is opened, and
 * `findLate` reads what other runs have added since. It is used as EVAL_CACHE says; `isOn` is false
 * for a suite whose agent is asked every time.
 */
export class AnswerCache {
  readonly folder: string;
  readonly mode: CacheMode;
  readonly isOn: boolean;
  /** By question; the latest entry is last. */
  readonly #entries = new Map<string, Entry[]>();
  readonly #isPrivate: boolean;
  /** What agents depend on, by their hash. */
  readonly #agents = new Map<string, AgentParts>();
  readonly #written = new Set<string>();
  /** What differs between two agents, by their hashes. */
  readonly #changes = new Map<string, Changes>();
  #file: LineFile | null = null;
  /** The name of its file; "" before there is one. */
  #ownName = '';
  /** The bytes of whole lines that were read of each file, and its size then. */
  readonly #read = new Map<string, Readonly<{ whole: number; size: number; changedAt: number }>>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #lookedAtAll = Number.NEGATIVE_INFINITY;
  /** The files of runs that began before this one and answer beside it. */
  readonly #ahead = new Set<string>();

  /** `isPrivate`: only the user may read it. */
  constructor(folder: string, mode: CacheMode = 'on', isOn = true, isPrivate = false) {
    this.folder = folder;
    this.mode = mode;
    this.isOn = isOn;
    this.#isPrivate = isPrivate;
    // Names sort by the time when the files were begun: later answers replace earlier ones.
    for (const name of this.#names().sort()) this.#readMore(name);
  }

  /**
   * How many runs that began before this one have answered beside it. In one order, all would ask the
   * same questions at the same time.
   */
  get runsAhead(): number {
    return this.#ahead.size;
  }

  /** The cached outcome to use; null if the question must be asked. */
  find(key: CacheKey): Outcome | null {
    if (!this.#isRead) return null;
    const kept = this.#latest(key);
    return kept === null || (this.mode === 'retry' && isFailure(kept)) ? null : kept;
  }

  /** As `find`, also among what other runs have answered since. */
  findLate(key: CacheKey): Outcome | null {
    if (!this.#isRead) return null;
    this.#look();
    return this.find(key);
  }

  get #isRead(): boolean {
    return this.isOn && this.mode !== 'off' && this.mode !== 'refresh';
  }

  /**
   * Writes an outcome to the disk before it returns it with its number of attempts. Calls `onLoss`
   * with the reason if the disk refuses it.
   */
  put(key: CacheKey, outcome: Outcome, onLoss: (why: string) => void): Outcome {
    const attempts = this.mode === 'retry' ? (this.#latest(key)?.attempts ?? 0) + 1 : 1;
    const counted = { ...outcome, attempts };
    const isKept = outcome.outcome === 'answered' || !isAskedAgain(outcome.error.kind);
    if (!this.isOn || this.mode === 'off' || !isKept) return counted;
    try {
      this.#open().append(`${toLine(key, counted)}\n`);
      this.#writeAgent(key.agent);
    } catch (error) {
      const { why, remedy } = explainWrite(error);
      const problem = `An answer cannot be cached in ${this.folder}: ${why}`;
      // A RangeError is an answer longer than a line can be: it is asked again, and others are
      // cached.
      if (!(error instanceof RangeError)) onLoss(`${problem}. ${remedy}, and run again.`);
    }
    return counted;
  }

  /** Says what an agent depends on, so that a later run can name what has changed. */
  describeAgent(agent: string, parts: AgentParts): void {
    this.#agents.set(agent, parts);
  }

  /** A file for each agent, since many answers are of one. Without it a run only knows less. */
  #writeAgent(agent: string): void {
    const parts = this.#agents.get(agent);
    if (parts === undefined || this.#written.has(agent)) return;
    this.#written.add(agent);
    const file = this.#fileOf(agent);
    tryOrUndefined(() => {
      ensureFolder(dirname(file));
      if (this.#isPrivate) keepToUser(dirname(file));
      if (!existsSync(file))
        writeFileSync(file, JSON.stringify({ version: 1, parts }), { mode: this.#fileMode });
    });
  }

  #readAgent(agent: string): AgentParts | null {
    const known = this.#agents.get(agent);
    if (known !== undefined) return known;
    const read = () => JSON.parse(readRegular(this.#fileOf(agent)).toString('utf8'));
    const value: unknown = /^\w+$/.test(agent) ? tryOrUndefined(read) : null;
    const parts = isFields(value) && isFields(value['parts']) ? value['parts'] : null;
    if (parts !== null) this.#agents.set(agent, parts);
    return parts;
  }

  /** No suite has this name. */
  #fileOf(agent: string): string {
    return join(`${this.folder},agents`, `${agent}.json`);
  }

  /**
   * Makes the file of this run's answers. Throws if the folder refuses it, before anything is paid
   * for.
   */
  open(): void {
    try {
      this.#open();
    } catch (error) {
      const { why, remedy } = explainWrite(error, 'set EVAL_CACHE=off to ask without a cache');
      throw new Error(`No answer can be cached in ${this.folder}: ${why}. ${remedy}.`);
    }
  }

  #open(): LineFile {
    this.#file ??= this.#makeFile();
    return this.#file;
  }

  /**
   * The latest outcome that can be read. A line that a crash cut off does not hide an earlier one.
   */
  #latest(key: CacheKey): Outcome | null {
    for (const entry of this.#entriesOf(key).toReversed()) {
      if (PARTS.some((part) => entry.key[part] !== key[part])) continue;
      if (entry.key.deadline > key.deadline) continue;
      const kept = entry.line === null ? entry.kept : parseKept(entry.line);
      if (entry.line !== null && entry.line.length <= MOST_PARSED)
        Object.assign(entry, { line: null, kept });
      // With more time it might have answered.
      if (kept !== null && (entry.key.deadline === key.deadline || !isTimeout(kept))) return kept;
    }
    return null;
  }

  /**
   * What differs between this question and the cached answer with the fewest differences, the latest of
   * several: names of parts, or of what changed in the agent, as in "src/agent.ts". Answers of other
   * trials count only if this trial has none. Null if the agent of this name was not asked before.
   */
  explainMiss(key: CacheKey): readonly string[] | null {
    const isSame = ({ name }: CacheKey) => name === undefined || name === key.name;
    const earlier = this.#entriesOf(key).flatMap((entry) => (isSame(entry.key) ? entry.key : []));
    const sameTrial = earlier.filter(({ trial }) => trial === key.trial);
    if (earlier.length > 0 && sameTrial.length === 0) return ['trial'];
    const differences = sameTrial.map((other) => this.#compare(other, key));
    const [nearest] = differences
      .toReversed()
      .toSorted((a, b) => a.parts - b.parts || a.all - b.all);
    return nearest?.shown ?? null;
  }

  /** What differs between two keys, with the number of parts and of all that differs in these. */
  #compare(other: CacheKey, key: CacheKey) {
    const parts = COMPARED.filter((part) => other[part] !== key[part]);
    const inAgent = parts.includes('agent') ? this.#nameChanges(other.agent, key.agent) : NO_CHANGE;
    const shown = parts.flatMap((part) => (part === 'agent' ? inAgent.shown : part));
    return { shown, parts: parts.length, all: inAgent.all };
  }

  #nameChanges(before: string, now: string): Changes {
    const earlier = this.#changes.get(before + now);
    if (earlier !== undefined) return earlier;
    const [a, b] = [this.#readAgent(before), this.#readAgent(now)];
    const changes = a === null || b === null ? UNKNOWN_CHANGE : toChanges(a, b);
    this.#changes.set(before + now, changes);
    return changes;
  }

  #names(): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder).filter((name) => name.endsWith('.jsonl'));
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    const isFull = now - this.#lookedAtAll >= LOOK_AT_ALL_MS;
    if (isFull) this.#lookedAtAll = now;
    const isLive = (name: string) => now - (this.#read.get(name)?.changedAt ?? now) < QUIET_MS;
    // Too few open files are no reason to ask nothing: what cannot be read now is read later.
    const all = isFull ? tryOrUndefined(() => this.#names()) : undefined;
    const names = all ?? [...this.#read.keys()].filter(isLive);
    for (const name of names)
      if (name !== this.#ownName) tryOrUndefined(() => this.#readMore(name));
  }

  /** Reads the lines that a file has gained; all of them at first. */
  #readMore(name: string): void {
    const file = join(this.folder, name);
    try {
      const before = this.#read.get(name);
      const stats = statSync(file, { throwIfNoEntry: false });
      // A broken link, a folder or a pipe may have the name of a cache file. It has no answers.
      if (stats?.isFile() !== true || stats.size <= (before?.size ?? -1)) return;
      const reader = new LineReader(file, undefined, before?.whole);
      try {
        for (const line of reader.readWhole()) this.#addLine(line);
        const whole = reader.wholeBytes;
        for (const line of reader.readRest()) this.#addLine(line);
        const ageMs = before === undefined ? Date.now() - stats.mtimeMs : 0;
        this.#read.set(name, { whole, size: stats.size, changedAt: performance.now() - ageMs });
        if (name < this.#ownName) this.#ahead.add(name);
      } finally {
        reader.close();
      }
    } catch (cause) {
      const problem = `${file}: this file of the answer cache cannot be read (${messageOf(cause)})`;
      const remedy = 'Make it readable, or remove it: its questions are then asked again';
      throw new Error(`${problem}. ${remedy}.`, { cause });
    }
  }

  #addLine(line: string): void {
    const key = parseKey(line);
    if (key === null) return;
    const entry = { key, line, kept: null };
    const ofQuestion = this.#entries.get(key.question);
    if (ofQuestion === undefined) this.#entries.set(key.question, [entry]);
    else ofQuestion.push(entry);
  }

  #entriesOf({ question }: CacheKey): readonly Entry[] {
    return this.#entries.get(question) ?? [];
  }

  /** A file's number is the time in ms, or above all earlier numbers if the clock was set back. */
  #makeFile(): LineFile {
    ensureFolder(this.folder);
    if (this.#isPrivate) keepToUser(this.folder);
    const numbers = this.#names().map(
      (name) => /^([0-9a-z]{9})-\d+\.jsonl$/.exec(name)?.[1] ?? '0',
    );
    const last = numbers.reduce((most, number) => Math.max(most, Number.parseInt(number, 36)), 0);
    const number = Math.max(Date.now(), last + 1).toString(36);
    this.#ownName = `${number.padStart(9, '0')}-${process.pid}.jsonl`;
    return new LineFile(join(this.folder, this.#ownName), this.#fileMode);
  }

  get #fileMode(): number | undefined {
    return this.#isPrivate ? 0o600 : undefined;
  }
}

/** Names for a message, and how many names differ. */
type Changes = Readonly<{ shown: readonly string[]; all: number }>;

const NO_CHANGE: Changes = { shown: [], all: 0 };
const UNKNOWN_CHANGE: Changes = { shown: ['agent'], all: Number.MAX_SAFE_INTEGER };

function toChanges(a: AgentParts, b: AgentParts): Changes {
  const names = Object.keys({ ...b, ...a }).filter((name) => a[name] !== b[name]);
  // A file that a changed one imports since, or no longer, says less.
  const changed = names.filter((name) => name in a && name in b);
  const shown = changed.length > 0 ? changed : names;
  return names.length === 0 ? UNKNOWN_CHANGE : { shown, all: names.length };
}

/** What another run wrote within so many ms is as good as in flight. */
const LOOK_MS = 5;

/** So often new files are looked for, and those that have not grown for long. */
const LOOK_AT_ALL_MS = 100;

const QUIET_MS = 60_000;

const PARTS = ['agent', 'prompt', 'steps', 'question', 'order', 'trial'] as const;
const COMPARED = ['agent', 'prompt', 'order', 'steps', 'deadline'] as const;

/** A hash of each part of an agent, by its name. */
type AgentParts = Readonly<Record<string, unknown>>;

/** What an answer depends on, each part hashed, without the target. Equal parts share an answer. */
export type CacheKey = Readonly<{
  agent: string;
  /** Of the agent, hashed; it only explains misses. */
  name?: string;
  prompt: string;
  /** Question, choices and the contents of the attachments. */
  question: string;
  /** The order of its options in this trial; absent for that of the dataset. */
  order?: string | undefined;
  /** The step limit; null without one. */
  steps: number | null;
  /** In ms; 0 where it does not matter. An answer counts under any later deadline too, a timeout does not. */
  deadline: number;
  trial: number;
}>;

/**
 * EVAL_CACHE=retry asks failures again, never wrong answers: another try would raise the accuracy.
 */
function isFailure(kept: Outcome): boolean {
  return kept.outcome === 'failed' || toText(kept.answer.output ?? '').trim() === '';
}

function isTimeout(kept: Outcome): boolean {
  return kept.outcome === 'failed' && kept.error.kind === 'timed_out';
}

/** One line of the cache, without its line break. */
export function toLine(key: CacheKey, { cached: _, slots: __, ...kept }: Outcome): string {
  const json = JSON.stringify(
    kept.outcome === 'answered' ? kept : { ...kept, error: toErrorFields(kept.error) },
  );
  return `{"version":1,"parts":${JSON.stringify(key)},"sum":${crc32(json)},"kept":${json}}`;
}

function toErrorFields({ kind, message, status, requestId, progress }: AgentError) {
  return { kind, message, status, request_id: requestId, progress };
}

/**
 * The key is first in a line and has no nested object, so it is read without parsing a long answer.
 */
function parseKey(line: string): CacheKey | null {
  const [, json = ''] = HEAD.exec(line) ?? [];
  const value = tryOrUndefined((): unknown => JSON.parse(json));
  return isFields(value) && isCacheKey(value) ? value : null;
}

const HEAD = /^\{"version":1,"parts":(\{[^}]*\}),"sum":(\d+),"kept":/;

type Fields = Readonly<Record<string, unknown>>;

function isCacheKey(value: Fields): value is Fields & CacheKey {
  const texts = [value['agent'], value['prompt'], value['question'], value['order'] ?? ''];
  const numbers = [value['trial'], value['deadline'], value['steps'] ?? 0];
  return (
    texts.every((part) => typeof part === 'string') &&
    numbers.every((part) => typeof part === 'number')
  );
}

/** A bit that flipped on the disk must not become a figure, and a torn line is no answer. */
function parseKept(line: string): Outcome | null {
  const [head = '', , sum] = HEAD.exec(line) ?? [];
  const json = line.slice(head.length, -1);
  if (Number(sum) !== crc32(json) || !line.endsWith('}')) return null;
  const kept = { ...JSON.parse(json), cached: true };
  if (kept.outcome === 'answered') return kept;
  const { kind, message, status, request_id, progress }: ReturnType<typeof toErrorFields> =
    kept.error;
  return {
    ...kept,
    error: new AgentError(kind, message, { status, requestId: request_id, progress }),
  };
}
