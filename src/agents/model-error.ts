import { maskKeyForms } from '../text/secrets.ts';
import { cut } from '../text/show.ts';
import { attempt } from '../text/thrown.ts';
import { AgentError, type ErrorKind } from '../types.ts';
import type { Received } from './fetch.ts';
import { countField, field, textField } from './fields.ts';

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

/** Base URLs of the two forms look alike, and with a wrong one nothing is found. */
const NOT_FOUND = "Check the model name, and the base URL: OpenAI's form ends in /v1, Anthropic's does not.";

/** How many characters of a server's words a message shows. */
const MAX_SAID = 600;

/** Where an error comes from, as far as that is known; `server` is a host with its port. */
type Origin = {
  readonly status?: number | null;
  readonly server?: string | null;
  readonly requestId?: string | null;
};

/** An AgentError with what was said, where it comes from and what to do. The run redacts and writers escape it. */
export function createModelError(kind: ErrorKind, message: string, origin: Origin = {}): AgentError {
  const { status = null, server = null, requestId = null } = origin;
  const said = cut(maskKeyForms(message.slice(0, 10_000)), MAX_SAID).replace(/[.\s]+$/, '');
  const remedies: Partial<Record<ErrorKind, string>> = REMEDIES;
  const remedy = status === 404 ? NOT_FOUND : remedies[kind];
  const whole = `${said}${server === null ? '' : describeOrigin(origin)}.`;
  return new AgentError(kind, remedy === undefined ? whole : `${whole} ${remedy}`, { status, requestId });
}

/** " (status 500, server api.example.com, request req_1)", without what is not known. */
function describeOrigin({ status, server, requestId }: Origin): string {
  const known = Object.entries({ status, server, request: requestId }).filter(([, value]) => (value ?? null) !== null);
  return known.length === 0 ? '' : ` (${known.map(([name, value]) => `${name} ${cut(String(value))}`).join(', ')})`;
}

/**
 * What a request to a model threw, as an AgentError with what is known of the server's reply: the SDKs leave that out of
 * the errors that they make of a wrong one.
 */
export function explain(error: unknown, received: Received | null, server: string): AgentError {
  const seen = { status: received?.status ?? null, requestId: received?.requestId ?? null, server };
  const unexpected = received === null ? null : (describeMove(received) ?? describeUnexpected(received));
  if (unexpected !== null) return createModelError('bad_response', unexpected, seen);
  const own = causesOf(error).find((cause) => cause instanceof AgentError);
  if (own === undefined) return toModelError(error, seen);
  const origin = { ...seen, status: own.status ?? seen.status, requestId: own.requestId ?? seen.requestId };
  return new AgentError(own.kind, `${own.message}${describeOrigin(origin)}`, origin);
}

/** To follow it would hand the question to a host that nobody chose, and grade the answer of that. */
function describeMove({ status, movedTo }: Received): string | null {
  if (movedTo === null) return null;
  const where = movedTo === '' ? 'nowhere' : `to ${JSON.stringify(cut(movedTo, 300))}`;
  return `The server answered ${status} and points ${where}, which is not followed`;
}

function describeUnexpected({ status, mediaType, streamAsked, unexpected }: Received): string | null {
  if (unexpected === null) return null;
  const wanted = streamAsked ? 'a stream of events' : 'JSON';
  const start = unexpected.start.trim();
  const shown = start === '' ? 'nothing' : JSON.stringify(cut(start, 200));
  const came = `The server answered ${status} with ${mediaType || 'a body of no stated type'} instead of ${wanted}: ${shown}`;
  if (!streamAsked || !/json/.test(mediaType)) return came;
  return `${came}. It seems not to stream: leave out stream=on, and keep max_tokens below 21,000 for anthropic`;
}

/**
 * What an SDK threw, as an AgentError: told by status and error code, which both SDKs keep, and never by class, so that
 * no SDK is loaded for it. The SDK's error is no cause of it, since it holds headers.
 */
export function toModelError(error: unknown, seen: Origin = {}): AgentError {
  const status = countField(error, 'status') || null;
  const kind = toKind(error, status ?? statedStatusOf(error)) ?? kindOfUnknown(error);
  const said = kind === 'bad_response' ? describeUnreadable(error) : withoutStatus(messageWithCauses(error), status);
  return createModelError(kind, said, {
    status: status ?? seen.status ?? null,
    requestId: textField(error, 'requestID') ?? seen.requestId ?? null,
    server: seen.server ?? null,
  });
}

/** An SDK keeps the error that an event of a stream states as `error`; one that says nothing known is the server's. */
function kindOfUnknown(error: unknown): ErrorKind {
  if (causesOf(error).some(isConnection)) return 'network';
  return (field(error, 'error') ?? null) === null ? 'bad_response' : 'server';
}

/** OpenAI's SDK puts the status before what the server said. */
function withoutStatus(message: string, status: number | null): string {
  const said = message.startsWith(`${status} `) ? message.slice(4) : message;
  return said === 'status code (no body)' ? 'The server did not say why' : said;
}

/** The SDKs throw a TypeError about their own code when a reply has another form. */
function describeUnreadable(error: unknown): string {
  if (error instanceof TypeError) return "The server's reply is empty, or no reply of this API";
  return error instanceof SyntaxError
    ? `The server's reply cannot be read (${error.message})`
    : messageWithCauses(error);
}

/**
 * What code of the user's threw, when it or a cause of it is a failure of a provider or of the connection to it, as SDKs,
 * fetch and sockets throw it; null for a fault of the code itself.
 */
export function toProviderError(error: unknown): AgentError | null {
  for (const cause of causesOf(error)) {
    const status = httpStatusOf(cause);
    const kind = status === null ? kindWithoutStatus(cause) : toKind(cause, status);
    const requestId = textField(cause, 'requestID');
    if (kind !== null && PROVIDER_KINDS.has(kind))
      return createModelError(kind, messageWithCauses(error), { status, requestId });
  }
  return null;
}

/** Failures of a provider or the connection, not of who asked: the next run asks again. */
const PROVIDER_KINDS: ReadonlySet<ErrorKind> = new Set(['rate_limit', 'quota', 'auth', 'server', 'network']);

/** A child process that failed has a status too: its exit code. */
function httpStatusOf(error: object): number | null {
  const status = countField(error, 'status') || countField(error, 'statusCode');
  return status >= 400 && status < 600 ? status : null;
}

/** Providers write their codes in small letters; those in capitals are Node's, for all that can go wrong on a machine. */
function kindWithoutStatus(error: object): ErrorKind | null {
  if (isConnection(error)) return 'network';
  const codes = [textField(error, 'code'), textField(error, 'type')].filter((code) => code !== null);
  return kindOfCode(codes.filter((code) => /^[a-z_]+$/.test(code)).join(' '));
}

/** A connection that failed or broke off: the SDKs' own class for it, or a socket's error. */
function isConnection(error: object): boolean {
  const isSocket =
    SOCKET_CODES.test(textField(error, 'code') ?? '') && !/^spawn/.test(textField(error, 'syscall') ?? '');
  return isSocket || /^APIConnection/.test(error.constructor?.name ?? '');
}

const SOCKET_CODES =
  /^(?:UND_ERR_\w+|ECONN(?:RESET|REFUSED|ABORTED)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET)$/;

/** Why a reply with status 200 is no answer: the error that it states, as some compatible servers do, else `problem`. */
export function toReplyError(reply: unknown, problem: string): AgentError {
  return toStatedError(reply, reply) ?? createModelError('bad_response', `${problem}: ${showReply(reply)}`);
}

/** The error that a part of a reply states in its field `error`, as an object or as a bare text; null without one. */
export function toStatedError(part: unknown, reply: unknown): AgentError | null {
  const error = field(part, 'error');
  const message = textField(part, 'error') ?? textField(error, 'message');
  const status = statedStatusOf(error);
  const code = textField(error, 'code') ?? textField(error, 'type');
  if (message === null && status === null && code === null) return null;
  const kind = toKind(error, status) ?? 'server';
  const said = `${code ?? 'error'}: ${message ?? showReply(error)}`;
  return createModelError(kind, said, { status, requestId: textField(reply, '_request_id') });
}

function showReply(reply: unknown): string {
  // JSON.parse reads a nesting that JSON.stringify has no stack for.
  return cut(attempt(() => JSON.stringify(reply) ?? 'nothing') ?? 'JSON that is nested too deep', 200);
}

/** The kind that a provider's own error code stands for, for replies and streams that fail with status 200. */
export function kindOfCode(code: string): ErrorKind | null {
  return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

const CODES: readonly (readonly [RegExp, ErrorKind])[] = [
  [/insufficient_quota|billing|credit balance/i, 'quota'],
  [/rate_limit/, 'rate_limit'],
  [/authentication|permission|invalid_api_key/, 'auth'],
  [/overloaded|server_error|api_error|timeout/, 'server'],
  [/invalid|not_found|unsupported|too_large/, 'bad_request'],
];

/** The kind of a failure by its HTTP status if it has one, else by its codes; null when neither tells. */
function toKind(error: unknown, status: number | null): ErrorKind | null {
  const kind = kindOfCode(codesOf(error));
  if (status === null || kind === 'quota') return kind;
  if (status === 402) return 'quota';
  if (status === 429) return 'rate_limit';
  if (status === 401 || status === 403) return 'auth';
  // 408 is a server's time-out, 409 its conflict: the SDKs repeat both.
  return status >= 500 || status === 408 || status === 409 ? 'server' : 'bad_request';
}

/** The HTTP status that an error gives as its code, as routers do in a reply whose own status is 200. */
function statedStatusOf(error: unknown): number | null {
  const code = String(field(error, 'code') ?? '');
  return /^[45]\d\d$/.test(code) ? Number(code) : null;
}

/** Anthropic says only in words that the credit is used up. */
function codesOf(error: unknown): string {
  const credit = /credit balance/i.exec(messageWithCauses(error))?.[0] ?? '';
  return [textField(error, 'code'), textField(error, 'type'), credit].filter((part) => part !== null).join(' ');
}

/** An error and its causes, at most five: a chain may be endless. */
function causesOf(error: unknown): readonly object[] {
  const causes: object[] = [];
  for (let next = error; typeof next === 'object' && next !== null && causes.length < 5; next = field(next, 'cause')) {
    causes.push(next);
  }
  return causes;
}

/** The message of anything thrown, with the cause beneath a bare "Connection error." or "fetch failed". */
function messageWithCauses(error: unknown): string {
  const said = causesOf(error).map(ownMessageOf);
  const first = said[0] ?? (typeof error === 'string' ? error : 'an error without a message');
  return said.slice(1).reduce((whole, next) => (whole.includes(next) ? whole : `${whole} ${next}`), first);
}

/** Anthropic's SDK makes the whole body its message, and keeps the provider's words apart. */
function ownMessageOf(error: object): string {
  const said = textField(error, 'apiMessage');
  if (said !== null) return `${textField(error, 'type') ?? countField(error, 'status')}: ${said}`;
  const message = error instanceof Error ? error.message : textField(error, 'message');
  return message || 'an error without a message';
}
