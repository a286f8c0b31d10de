import { AgentError, type Answer, ERROR_KINDS, type ErrorKind, type Progress } from '../types.ts';

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
export function parseParts(line: string): CacheParts | null {
  const end = line.indexOf('}');
  if (!line.startsWith(HEAD) || !line.endsWith('}}')) return null;
  const parts = parse(line.slice(HEAD.length, end + 1));
  return isParts(parts) ? parts : null;
}

/** A line that a crash tore is no answer: the question is asked again. */
export function parseKept(line: string): KeptAnswer | null {
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
