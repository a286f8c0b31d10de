import { showValue } from '../records/show-value.ts';
import { AgentError, type Answer, ERROR_KINDS, type Progress, type Usage } from '../types.ts';
import { defined } from './defined.ts';
import { parseTrace } from './returned-trace.ts';
import { MAX_TOKENS as MAX_COUNT } from './token-counts.ts';

/** US dollars that no answer costs: one that said so would end every budget, and no sum would mean anything. */
const MAX_COST = 1_000_000;

/** By so much the agent's clock, and what it rounds, may pass ours. */
const CLOCKS_MS = 100;

/** What is read of a user's answer; `error` only where there is no text. */
export const ANSWER_FIELDS: readonly string[] = [
  'text',
  'reason',
  'verbatim',
  'model',
  'usage',
  'cost',
  'steps',
  'waitedMs',
  'trace',
  'error',
];

/**
 * Checks what a user's agent gave back: a text, or an object with `text` (null: no answer) and optionally `reason`,
 * `verbatim`, `model`, `usage`, `cost`, `steps`, `waitedMs`, `trace`; null counts as absent, other fields are ignored. Throws an
 * AgentError "bad_response" for anything else, also for numbers that cannot be, and the error that `error: {kind, message, status?}` states in its stead.
 */
export function parseAnswer(value: unknown, elapsedMs = MAX_COUNT): Answer {
  if (typeof value === 'string') return { text: value };
  if (!isObject(value)) {
    throw badResponse(`The agent's answer must be a text or an object with "text", got ${showValue(value)}.`);
  }
  const error = findError(value);
  const text: unknown = error === null ? Reflect.get(value, 'text') : null;
  if (typeof text !== 'string' && text !== null) throw mistyped('text', 'a text or null', text);
  const fields = {
    verbatim: read(value, 'verbatim', 'true or false', (field) => typeof field === 'boolean'),
    model: readText(value, 'model'),
    usage: readUsage(value),
    cost: readCount(value, 'cost', MAX_COST),
    steps: readCount(value, 'steps'),
    waitedMs: readWaited(value, elapsedMs),
    trace: parseTrace(Reflect.get(value, 'trace')) ?? undefined,
  };
  if (error !== null) throw toStated(error, defined(fields));
  if (text === null) return { text, ...defined({ ...fields, reason: readText(value, 'reason') }) };
  return { text, ...defined(isUncounted(text, fields) ? { ...fields, cost: undefined } : fields) };
}

/** A cost of 0 that comes of counting no token of a text is not known. */
function isUncounted(
  text: string,
  { usage, cost }: { readonly usage: Usage | undefined; readonly cost: number | undefined },
): boolean {
  return text !== '' && cost === 0 && usage !== undefined && usage.input_tokens + usage.output_tokens === 0;
}

/** What a user's agent reports while it works, checked like an answer; null for what has another form. */
export function parseProgress(value: unknown, elapsedMs?: number): Progress | null {
  if (!isObject(value)) return null;
  try {
    const { text: _, ...progress } = parseAnswer({ ...value, text: null, error: null }, elapsedMs);
    return progress;
  } catch {
    return null;
  }
}

/** What an object without a text says of the error that it ended with. */
export function findError(value: object): object | null {
  const error: unknown = Object.hasOwn(value, 'error') ? Reflect.get(value, 'error') : null;
  return isObject(error) && typeof Reflect.get(value, 'text') !== 'string' ? error : null;
}

function toStated(error: object, { verbatim: _, ...progress }: Progress & { readonly verbatim?: boolean }): AgentError {
  const kind: unknown = Reflect.get(error, 'kind');
  const known = ERROR_KINDS.find((other) => other === kind);
  if (known === undefined) return unknownKind(kind);
  const said = readText(error, 'message') ?? 'The agent gave no reason.';
  return new AgentError(known, said, { status: readCount(error, 'status') ?? null, progress });
}

/** An error of a kind that there is not would be counted under a name that nothing else knows. */
export function unknownKind(kind: unknown): AgentError {
  const problem = `"kind" of the agent's error must be one of ${ERROR_KINDS.join(', ')}, got ${showValue(kind)}.`;
  return new AgentError('bad_response', problem);
}

function readUsage(answer: object): Usage | undefined {
  const usage = read(answer, 'usage', 'an object', isObject);
  if (usage === undefined) return undefined;
  return {
    input_tokens: readTokens(usage, 'input_tokens'),
    output_tokens: readTokens(usage, 'output_tokens'),
    cached_tokens: readCount(usage, 'cached_tokens') ?? 0,
    reasoning_tokens: readCount(usage, 'reasoning_tokens') ?? 0,
  };
}

/** Usage in another provider's words would otherwise count as 0 tokens. */
function readTokens(usage: object, name: string): number {
  const tokens = readCount(usage, name);
  if (tokens === undefined) throw mistyped(name, 'a number from 0 up wherever "usage" is given', tokens);
  return tokens;
}

function readText(value: object, name: string): string | undefined {
  return read(value, name, 'a text', (field) => typeof field === 'string');
}

function readCount(value: object, name: string, most = MAX_COUNT): number | undefined {
  const accepts = (field: unknown): field is number => isCount(field, most);
  return read(value, name, `a number from 0 to ${most.toLocaleString('en-US')}`, accepts);
}

/** Whether a number can be a count, a status or a sum of what an agent did. */
export function isCount(value: unknown, most = MAX_COUNT): value is number {
  return typeof value === 'number' && value >= 0 && value <= most;
}

/** A wait is taken off the latency: an agent that says more than its call took would be the fastest of all. */
function readWaited(value: object, elapsedMs: number): number | undefined {
  const waited = readCount(value, 'waitedMs');
  if (waited === undefined || waited <= elapsedMs + CLOCKS_MS) return waited;
  throw mistyped('waitedMs', `at most the ${Math.round(elapsedMs)} ms that the call took`, waited);
}

function read<T>(value: object, name: string, allowed: string, accepts: (field: unknown) => field is T): T | undefined {
  const field: unknown = Reflect.get(value, name) ?? undefined;
  if (field === undefined || accepts(field)) return field;
  throw mistyped(name, allowed, field);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mistyped(name: string, allowed: string, received: unknown): AgentError {
  return badResponse(`"${name}" in the agent's answer must be ${allowed}, got ${showValue(received)}.`);
}

function badResponse(problem: string): AgentError {
  const remedy = 'Return the text itself, or {text, usage?, cost?, steps?, model?} as in src/types.ts.';
  return new AgentError('bad_response', `${problem} ${remedy}`);
}
