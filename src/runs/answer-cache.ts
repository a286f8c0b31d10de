import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../files/make-folders.ts';
import { type CacheParts, type KeptAnswer, parseKept, parseParts, toLine } from './kept-answer.ts';
import { LineFile } from './line-file.ts';
import { readLines } from './read-lines.ts';

/**
 * Answers of earlier runs, one append-only JSONL file for each process, so that runs beside each other never write to
 * the same file. Every file of the folder is read when the cache is opened.
 */
export class AnswerCache {
  readonly folder: string;
  /** By key: what gives the lines in the order in which they were kept, parsed when their answer is first asked for. */
  readonly #lines = new Map<string, (() => string)[]>();
  readonly #parsed = new Map<string, KeptAnswer>();
  /** The parts under which each question was answered, the latest last, for saying what changed. */
  readonly #partsOf = new Map<string, CacheParts[]>();
  #file: LineFile | null = null;

  constructor(folder: string) {
    this.folder = folder;
    if (existsSync(folder)) this.#read();
  }

  /** The latest answer that can be read: a torn line is none, and hides no earlier one. */
  get(parts: CacheParts): KeptAnswer | null {
    const key = toKey(parts);
    const lines = this.#lines.get(key) ?? [];
    for (let read = lines.pop(); read !== undefined; read = lines.pop()) {
      const answer = parseKept(read());
      if (answer === null) continue;
      this.#lines.delete(key);
      this.#parsed.set(key, answer);
      break;
    }
    return this.#parsed.get(key) ?? null;
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
    const earlier = this.#partsOf.get(parts.question) ?? [];
    const sameTrial = earlier.filter(({ trial }) => trial === parts.trial);
    if (earlier.length > 0 && sameTrial.length === 0) return ['trial'];
    const differences = sameTrial.map((other) => COMPARED.filter((part) => other[part] !== parts[part]));
    return differences.reduceRight<readonly (keyof CacheParts)[] | null>(
      (nearest, next) => (nearest === null || next.length < nearest.length ? next : nearest),
      null,
    );
  }

  /** How long this question's newest answer took, whatever else it depended on; null when that is not known. */
  lastLatencyMs({ question }: CacheParts): number | null {
    const earlier = this.#partsOf.get(question)?.at(-1);
    return earlier === undefined ? null : (this.get(earlier)?.latency_ms ?? null);
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  #read(): void {
    const entries = readdirSync(this.folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.name.endsWith('.jsonl') && !isEndless(entry));
    // Names begin with the time at which their process began: later answers replace earlier ones.
    for (const name of names.map((entry) => entry.name).sort()) this.#readFile(join(this.folder, name));
  }

  #readFile(file: string): void {
    try {
      for (const line of readLines(file)) {
        const parts = parseParts(line);
        if (parts !== null) this.#index(() => line, parts);
      }
    } catch (cause) {
      const said = cause instanceof Error ? cause.message : String(cause);
      const remedy = 'Make it readable, or take it out of the folder: what it holds is then asked again';
      throw new Error(`${file}: this part of the answer cache cannot be read (${said}). ${remedy}.`, { cause });
    }
  }

  #index(read: () => string, parts: CacheParts): void {
    const key = toKey(parts);
    const lines = this.#lines.get(key);
    const others = this.#partsOf.get(parts.question) ?? [];
    const isKnown = lines !== undefined || this.#parsed.has(key);
    this.#partsOf.set(parts.question, [...(isKnown ? others.filter((other) => toKey(other) !== key) : others), parts]);
    if (lines === undefined) this.#lines.set(key, [read]);
    else lines.push(read);
  }

  #open(): LineFile {
    makeFolders(this.folder);
    return new LineFile(join(this.folder, `${Date.now().toString(36).padStart(9, '0')}-${process.pid}.jsonl`));
  }
}

/** Opening a pipe waits for who writes to it. */
function isEndless(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice();
}

function toKey({ agent, prompt, question, limits, trial }: CacheParts): string {
  return `${agent} ${prompt} ${question} ${limits} ${trial}`;
}

const COMPARED = ['agent', 'prompt', 'limits'] as const;
