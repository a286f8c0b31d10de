import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../make-folders.ts';
import { AgentError, type Answer, type ErrorKind, type Progress } from '../types.ts';
import { LineFile } from './line-file.ts';

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

/**
 * Answers of earlier runs, one append-only JSONL file for each process, so that runs beside each other never write to
 * the same file. Every file of the folder is read when the cache is opened.
 */
export class AnswerCache {
  readonly folder: string;
  /** By key: lines, each parsed when its answer is first asked for. */
  readonly #kept = new Map<string, string | KeptAnswer>();
  /** The parts under which each question was answered, for saying what changed. */
  readonly #partsOf = new Map<string, CacheParts>();
  #file: LineFile | null = null;

  constructor(folder: string) {
    this.folder = folder;
    if (existsSync(folder)) this.#read();
  }

  get(parts: CacheParts): KeptAnswer | null {
    const key = toKey(parts);
    const kept = this.#kept.get(key) ?? null;
    if (typeof kept !== 'string') return kept;
    const answer = parseKept(kept);
    if (answer !== null) this.#kept.set(key, answer);
    return answer;
  }

  /** Keeps an answer: it is on disk before this returns. Throws when the disk does not take it. */
  put(parts: CacheParts, kept: KeptAnswer): void {
    const line = JSON.stringify({ version: 1, parts, kept });
    this.#file ??= this.#open();
    this.#file.append(`${line}\n`);
    this.#index(line, parts);
  }

  /** Which parts differ between this question's newest answer and what is asked now; null for a new question. */
  explainMiss(parts: CacheParts): readonly (keyof CacheParts)[] | null {
    const earlier = this.#partsOf.get(parts.question);
    if (earlier === undefined) return null;
    return (['agent', 'prompt', 'limits', 'trial'] as const).filter((part) => earlier[part] !== parts[part]);
  }

  /** How long this question's newest answer took, whatever else it depended on; null when that is not known. */
  lastLatencyMs({ question }: CacheParts): number | null {
    const earlier = this.#partsOf.get(question);
    return earlier === undefined ? null : (this.get(earlier)?.latency_ms ?? null);
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  #read(): void {
    const files = readdirSync(this.folder).filter((name) => name.endsWith('.jsonl'));
    // Names begin with the time at which their process began: later answers replace earlier ones.
    for (const name of files.sort()) {
      for (const line of readFileSync(join(this.folder, name), 'utf8').split('\n')) {
        const parts = parseParts(line);
        if (parts !== null) this.#index(line, parts);
      }
    }
  }

  #index(line: string, parts: CacheParts): void {
    this.#kept.set(toKey(parts), line);
    this.#partsOf.set(parts.question, parts);
  }

  #open(): LineFile {
    makeFolders(this.folder);
    return new LineFile(join(this.folder, `${Date.now().toString(36).padStart(9, '0')}-${process.pid}.jsonl`));
  }
}

/** An error as it is kept, and back. */
export function toKeptError({ kind, message, status, requestId, progress }: AgentError): KeptError {
  return { kind, message, status, request_id: requestId, progress };
}

export function toAgentError({ kind, message, status, request_id, progress }: KeptError): AgentError {
  return new AgentError(kind, message, { status, requestId: request_id, progress });
}

function toKey({ agent, prompt, question, limits, trial }: CacheParts): string {
  return `${agent} ${prompt} ${question} ${limits} ${trial}`;
}

const HEAD = '{"version":1,"parts":';

/** The parts stand first in a line and hold no nested object: they are read without parsing a long answer. */
function parseParts(line: string): CacheParts | null {
  const end = line.indexOf('}');
  if (!line.startsWith(HEAD) || !line.endsWith('}}')) return null;
  try {
    return JSON.parse(line.slice(HEAD.length, end + 1));
  } catch {
    return null;
  }
}

/** A line that a crash tore is no answer: the question is asked again. */
function parseKept(line: string): KeptAnswer | null {
  try {
    return JSON.parse(line).kept;
  } catch {
    return null;
  }
}
