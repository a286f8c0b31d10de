import { AgentError, type ErrorKind } from '../words/answer.ts';
import { field, omitNullish, textField } from '../words/fields.ts';
import { maskKeyForms } from '../words/secrets.ts';
import { cut, tryOrUndefined } from '../words/show.ts';
import { causesOf } from '../words/thrown.ts';

/** The response to the last request. The SDKs leave some of this out of their errors. */
export type Received = Readonly<{
  status: number;
  requestId: string | null;
}>;

/** What the user can do about a failure. */
export const REMEDIES = {
  rate_limit: 'Lower EVAL_CONCURRENCY or ask for a higher limit.',
  quota: 'Top up the account or raise its limit.',
  auth: 'Check the API key and what it may use.',
  bad_request: 'Check the model name and the parameters in EVAL_AGENT.',
  server: 'Run it again later.',
  network: 'Check the base URL and the connection.',
  bad_response: 'Check that the base URL is that of an API of this kind.',
} as const satisfies Partial<Record<ErrorKind, string>>;

/** An AgentError that says what happened, where, and what to do. */
export function createModelError(
  kind: ErrorKind,
  message: string,
  origin: Origin = {},
): AgentError {
  const { status = null, server = null, requestId = null } = origin;
  const shown = cut(maskKeyForms(message.slice(0, 10_000)), 600).replace(/[.\s]+$/, '');
  const remedies: Partial<Record<ErrorKind, string>> = REMEDIES;
  const remedy = status === 404 ? NOT_FOUND : remedies[kind];
  const whole = `${shown}${server === null ? '' : describeOrigin(origin)}.`;
  return new AgentError(kind, remedy === undefined ? whole : `${whole} ${remedy}`, {
    status,
    requestId,
  });
}

/**
 * Turns an error of a request to a model into an AgentError, with the facts that `fetch` saw in the
 * reply.
 */
export function explain(error: unknown, received: Received | null, server: string): AgentError {
  const seen = { status: received?.status ?? null, requestId: received?.requestId ?? null, server };
  const thrown = causesOf(error).find((cause) => cause instanceof AgentError);
  if (thrown === undefined) return toModelError(error, seen);
  const origin = {
    ...seen,
    status: thrown.status ?? seen.status,
    requestId: thrown.requestId ?? seen.requestId,
  };
  return new AgentError(thrown.kind, `${thrown.message}${describeOrigin(origin)}`, origin);
}

/**
 * Turns an error of an SDK into an AgentError. It uses status and error code, not the class, so it
 * needs no SDK. The SDK's error does not become the cause, since it contains headers.
 */
export function toModelError(error: unknown, seen: Origin = {}): AgentError {
  const status = countField(error, 'status') || null;
  const kind = toKind(error, status ?? statedStatusOf(error)) ?? kindOfUnknown(error);
  const problem =
    kind === 'bad_response'
      ? describeUnreadable(error)
      : withoutStatus(messageWithCauses(error), status);
  return createModelError(kind, problem, {
    status: status ?? seen.status ?? null,
    requestId: textField(error, 'requestID') ?? seen.requestId ?? null,
    server: seen.server ?? null,
  });
}

/**
 * Turns an error of the user's code into an AgentError if it, or a cause, comes from a provider or
 * a connection (SDKs, fetch, sockets). Null for a fault of the code itself.
 */
export function toProviderError(error: unknown): AgentError | null {
  for (const cause of causesOf(error)) {
    const status = httpStatusOf(cause);
    const kind = status === null ? kindWithoutStatus(cause) : toKind(cause, status);
    const requestId = textField(cause, 'requestID');
    if (kind !== null && PROVIDER_KINDS.includes(kind))
      return createModelError(kind, messageWithCauses(error), { status, requestId });
  }
  return null;
}

/**
 * The error for a reply with status 200 that is no answer: the error inside the reply, which some
 * compatible servers send, else `problem`.
 */
export function toReplyError(reply: unknown, problem: string): AgentError {
  return (
    toStatedError(reply, reply) ??
    createModelError('bad_response', `${problem}: ${showReply(reply)}`)
  );
}

/**
 * The error in the field `error` (an object or a string) of a reply or a part of it; null without
 * one.
 */
export function toStatedError(part: unknown, reply: unknown): AgentError | null {
  const error = field(part, 'error');
  const message = textField(part, 'error') ?? textField(error, 'message');
  const status = statedStatusOf(error);
  const code = textField(error, 'code') ?? textField(error, 'type');
  if (message === null && status === null && code === null) return null;
  const kind = toKind(error, status) ?? 'server';
  const problem = `${code ?? 'error'}: ${message ?? showReply(error)}`;
  return createModelError(kind, problem, { status, requestId: textField(reply, '_request_id') });
}

/**
 * The error kind of a provider's code; null for an unknown code. Replies and streams may fail with
 * status 200.
 */
export function kindOfCode(code: string): ErrorKind | null {
  return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** A stream that ends before its reply. The next run asks again. */
export function streamEnded(): AgentError {
  return createModelError('network', 'The stream ended before the reply: it gave no finish reason');
}

/** A provider that gives up a reply with status 200. */
export function replyFailed(): AgentError {
  const problem = 'The provider ended the reply with the finish reason "error"';
  return createModelError('server', problem);
}

/** The origin of an error. `server` is a host with its port. */
type Origin = Readonly<{
  status?: number | null;
  server?: string | null;
  requestId?: string | null;
}>;

/** A 404 may mean a wrong base URL: those of the two APIs look alike. */
const NOT_FOUND =
  "Check the model name, and the base URL: OpenAI's form ends in /v1, Anthropic's does not.";

/** " (status 500, server api.example.com, request req_1)" */
function describeOrigin({ status, server, requestId }: Origin): string {
  const facts = Object.entries(omitNullish({ status, server, request: requestId }));
  const shown = facts.map(([name, value]) => `${name} ${cut(String(value))}`).join(', ');
  return shown === '' ? '' : ` (${shown})`;
}

/** SDKs put the error of a stream's event into the field `error`. */
function kindOfUnknown(error: unknown): ErrorKind {
  if (causesOf(error).some(isConnection)) return 'network';
  return (field(error, 'error') ?? null) === null ? 'bad_response' : 'server';
}

/** Removes the status that OpenAI's SDK puts before the server's message. */
function withoutStatus(message: string, status: number | null): string {
  const reason = message.startsWith(`${status} `) ? message.slice(4) : message;
  return reason === 'status code (no body)' ? 'The server gave no reason' : reason;
}

/**
 * For a malformed reply an SDK throws a TypeError about its own code, so this gives a better
 * message.
 */
function describeUnreadable(error: unknown): string {
  if (error instanceof TypeError) return "The server's reply is empty, or not a reply of this API";
  return error instanceof SyntaxError
    ? `The server's reply cannot be read (${error.message})`
    : messageWithCauses(error);
}

/** Errors that are not the agent's fault: the next run asks again. */
const PROVIDER_KINDS: readonly ErrorKind[] = ['rate_limit', 'quota', 'auth', 'server', 'network'];

/**
 * The HTTP status of an error. The status of a child process's error is its exit code, so the range
 * is checked.
 */
function httpStatusOf(error: object): number | null {
  const status = countField(error, 'status') || countField(error, 'statusCode');
  return status >= 400 && status < 600 ? status : null;
}

/** Providers write codes in lowercase, Node in uppercase. */
function kindWithoutStatus(error: object): ErrorKind | null {
  if (isConnection(error)) return 'network';
  const codes = [textField(error, 'code') ?? '', textField(error, 'type') ?? ''];
  return kindOfCode(codes.filter((code) => /^[a-z_]+$/.test(code)).join(' '));
}

function isConnection(error: object): boolean {
  const isSocket =
    SOCKET_CODES.test(textField(error, 'code') ?? '') &&
    !/^spawn/.test(textField(error, 'syscall') ?? '');
  return isSocket || /^APIConnection/.test(error.constructor?.name ?? '');
}

const SOCKET_CODES =
  /^(?:UND_ERR_\w+|ECONN(?:RESET|REFUSED|ABORTED)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET)$/;

function showReply(reply: unknown): string {
  // JSON.stringify throws at deep nesting, which JSON.parse can read.
  return cut(tryOrUndefined(() => JSON.stringify(reply) ?? 'nothing') ?? 'deeply nested JSON', 200);
}

const CODES: readonly (readonly [RegExp, ErrorKind])[] = [
  [/insufficient_quota|billing|credit balance/i, 'quota'],
  [/rate_limit/, 'rate_limit'],
  [/authentication|permission|invalid_api_key/, 'auth'],
  [/overloaded|server_error|api_error|timeout/, 'server'],
  [/invalid|not_found|unsupported|too_large/, 'bad_request'],
];

/** The kind of a failure by its HTTP status, else by its codes; null if neither says. */
function toKind(error: unknown, status: number | null): ErrorKind | null {
  const kind = kindOfCode(codesOf(error));
  if (status === null || kind === 'quota') return kind;
  if (status === 402) return 'quota';
  if (status === 429) return 'rate_limit';
  if (status === 401 || status === 403) return 'auth';
  // 408 is a timeout and 409 a conflict of the server. Both are asked again.
  return status >= 500 || status === 408 || status === 409 ? 'server' : 'bad_request';
}

/** Routers put the HTTP status of a provider into `code`, in a reply with status 200. */
function statedStatusOf(error: unknown): number | null {
  const code = String(field(error, 'code') ?? '');
  return /^[45]\d\d$/.test(code) ? Number(code) : null;
}

/**
 * The codes of an error, and the words "credit balance" of its message: Anthropic has no code for a
 * used-up credit.
 */
function codesOf(error: unknown): string {
  const credit = /credit balance/i.exec(messageWithCauses(error))?.[0] ?? '';
  return [textField(error, 'code'), textField(error, 'type'), credit].join(' ');
}

/** The messages of an error and its causes: "fetch failed" alone is not enough. */
function messageWithCauses(error: unknown): string {
  const messages = causesOf(error).map(ownMessageOf);
  if (messages.length === 0) return typeof error === 'string' ? error : NO_MESSAGE;
  return messages.reduce((whole, next) => (whole.includes(next) ? whole : `${whole} ${next}`));
}

/** In Anthropic's SDK the message is the whole body, and `apiMessage` is the provider's message. */
function ownMessageOf(error: object): string {
  const stated = textField(error, 'apiMessage');
  if (stated !== null)
    return `${textField(error, 'type') ?? countField(error, 'status')}: ${stated}`;
  const message = error instanceof Error ? error.message : textField(error, 'message');
  return message || NO_MESSAGE;
}

const NO_MESSAGE = 'an error without a message';

/** A number field above 0; else 0. */
function countField(value: unknown, name: string): number {
  const found = field(value, name);
  return typeof found === 'number' && Number.isFinite(found) && found > 0 ? found : 0;
}
