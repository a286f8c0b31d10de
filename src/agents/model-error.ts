import { AgentError, type TokenCounts } from '../words/answer.ts';
import { field, omitNullish, textField } from '../words/fields.ts';
import { maskKeyForms } from '../words/secrets.ts';
import { cut, tryOrUndefined } from '../words/show.ts';
import { causesOf } from '../words/thrown.ts';
import { readErrorWords, withoutEcho } from './error-words.ts';
import { type Ending, type FailureKind, findFailure, REMEDIES } from './failures.ts';

/** The response to the last request. The SDKs leave some of this out of their errors. */
export type Received = Readonly<{
  status: number;
  requestId: string | null;
  /** The pause before a retry that the server asks for, in milliseconds. */
  retryAfterMs: number | null;
  /** Whether the server says that a retry may help; null if it does not say. */
  shouldRetry: boolean | null;
  /** The text of a refusal. */
  body?: string;
  /** Whether a stream said that it is complete: "data: [DONE]". */
  isDone?: boolean;
}>;

/** The origin of an error. `server` is a host with its port. */
type Origin = Readonly<{
  status?: number | null;
  server?: string | null;
  requestId?: string | null;
}>;

/** A failure of a request to a model. */
export class ModelError extends AgentError {
  /** Why this prompt was refused, as the server calls it; null for any other failure. */
  readonly refusal: string | null;
  /** How often the request is sent again. */
  readonly retries: number;
  /** What the server counted for the reply that failed, which is paid for; null if nothing. */
  usage: TokenCounts | null = null;

  constructor(
    kind: FailureKind,
    message: string,
    { status = null, requestId = null, retries, code = '' }: Facts,
  ) {
    super(kind === 'refusal' ? 'bad_request' : kind, message, { status, requestId });
    this.refusal = kind === 'refusal' ? code || String(status ?? 'refusal') : null;
    this.retries = retries ?? (PASSING.has(kind) ? MOST_RETRIES : 0);
  }
}

type Facts = Origin & { readonly retries?: number | undefined; readonly code?: string };

/** How often a request is sent again whose failure passes. */
export const MOST_RETRIES = 4;

/** Of a reply that its server has broken: a wrong address gives one each time. */
const BROKEN_RETRIES = 2;

const PASSING: ReadonlySet<FailureKind> = new Set(['rate_limit', 'server', 'network']);

/** A ModelError that says what happened, where, and what to do. */
export function createModelError(
  kind: FailureKind,
  problem: string,
  facts: Facts & { readonly remedy?: string } = {},
): ModelError {
  const remedies: Partial<Record<FailureKind, string>> = REMEDIES;
  const { remedy = remedies[kind] } = facts;
  const shown = cut(maskKeyForms(problem.slice(0, 10_000)), 600).replace(/[.\s]+$/, '');
  const whole = `${shown}${(facts.server ?? null) === null ? '' : describeOrigin(facts)}.`;
  return new ModelError(kind, remedy === undefined ? whole : `${whole} ${remedy}`, facts);
}

/** A reply that is none: the next run asks again, since another try may give a whole one. */
export function brokenReply(problem: string, remedy: string = REMEDIES.server): ModelError {
  return createModelError('server', problem, { remedy, retries: BROKEN_RETRIES });
}

/** A stream that ends before its reply. */
export function streamEnded(): ModelError {
  return createModelError('network', 'The stream ended before the reply: it gave no finish reason');
}

/** Refuses a reply that its provider gave up, or in which it could not read what the model wrote. */
export function refuseBroken(ending: Ending, stop: string | null): void {
  if (ending === 'broken')
    throw createModelError(
      'server',
      `The provider ended the reply with the finish reason ${JSON.stringify(stop)}`,
    );
  if (ending === 'malformed')
    throw brokenReply(
      `The provider could not read what the model wrote: finish reason ${JSON.stringify(stop)}`,
    );
}

/**
 * Turns an error of a request to a model into a ModelError, with the facts that `fetch` saw in the
 * reply.
 */
export function explain(error: unknown, received: Received | null, server: string): ModelError {
  const thrown = causesOf(error).find((cause) => cause instanceof AgentError);
  if (thrown === undefined) return toModelError(error, received, server);
  const seen = { status: received?.status ?? null, requestId: received?.requestId ?? null, server };
  const origin = {
    ...seen,
    status: thrown.status ?? seen.status,
    requestId: thrown.requestId ?? seen.requestId,
  };
  const { retries, refusal } = thrown instanceof ModelError ? thrown : {};
  const kind = (refusal ?? null) === null ? thrown.kind : 'refusal';
  const code = refusal ?? '';
  return new ModelError(kind, `${thrown.message}${describeOrigin(origin)}`, {
    ...origin,
    retries,
    code,
  });
}

/**
 * Turns an error of an SDK into a ModelError, by the body of the refusal if there is one: the SDKs
 * keep less of it. The SDK's error does not become the cause, since it contains headers.
 */
function toModelError(error: unknown, received: Received | null, server: string): ModelError {
  const status = countField(error, 'status') || null;
  const origin = {
    status: status ?? received?.status ?? null,
    requestId: textField(error, 'requestID') ?? received?.requestId ?? null,
    server,
  };
  const isRefused = received !== null && received.status >= 400;
  const refused = isRefused ? received.status : (status ?? statedStatusOf(error));
  const failed = toFailed((isRefused && received.body) || error, refused);
  const failure = findFailure(failed);
  const problem = withWords(withoutStatus(messageWithCauses(error), status), failed.texts);
  if (failure !== null)
    return createModelError(failure.kind, problem, { ...origin, ...failure, code: failed.codes });
  if (causesOf(error).some(isConnection)) return createModelError('network', problem, origin);
  // SDKs put the error of a stream's event into the field `error`.
  if ((field(error, 'error') ?? null) !== null) return createModelError('server', problem, origin);
  return createModelError('server', describeUnreadable(error), {
    ...origin,
    remedy: REMEDIES.bad_response,
    retries: BROKEN_RETRIES,
  });
}

/**
 * Turns an error of the user's code into an AgentError if it, or a cause, comes from a provider or
 * a connection (SDKs, fetch, sockets). Null for a fault of the code itself.
 */
export function toProviderError(error: unknown): ModelError | null {
  for (const cause of causesOf(error)) {
    const status = httpStatusOf(cause);
    const failure =
      status === null ? findWithoutStatus(cause) : findFailure(toFailed(cause, status));
    const facts = { status, requestId: textField(cause, 'requestID') };
    if (failure !== null && PROVIDER_KINDS.includes(failure.kind))
      return createModelError(failure.kind, messageWithCauses(error), { ...facts, ...failure });
  }
  return null;
}

/**
 * The error for a reply with status 200 that is no answer: the error inside the reply, which some
 * compatible servers send, else `problem`.
 */
export function toReplyError(reply: unknown, problem: string): ModelError {
  return (
    toStatedError(reply, reply) ??
    brokenReply(`${problem}: ${showReply(reply)}`, REMEDIES.bad_response)
  );
}

/**
 * The error in the field `error` (an object or a string) of a reply or a part of it; null without
 * one. It is what its code says, as if its status were that of the response.
 */
export function toStatedError(part: unknown, reply: unknown): ModelError | null {
  const error = field(part, 'error') ?? toMiniMaxError(field(part, 'base_resp'));
  const message = typeof error === 'string' ? error || null : textField(error, 'message');
  const status = statedStatusOf(error);
  const code = textField(error, 'code') ?? textField(error, 'type');
  if (message === null && status === null && code === null) return null;
  // Some gateways say in this field that there is no error.
  if (code === '0' || /^(?:success|ok)$/i.test(message ?? '')) return null;
  const failed = toFailed(error, status);
  const { kind, ...rule } = findFailure(failed) ?? { kind: 'server' as const };
  const problem = withWords(`${code ?? 'error'}: ${message ?? showReply(error)}`, failed.texts);
  const requestId = textField(reply, '_request_id');
  return createModelError(kind, problem, {
    ...rule,
    status,
    requestId,
    code: failed.codes,
  });
}

/** MiniMax states an error beside a reply; its code 0 is none. */
function toMiniMaxError(stated: unknown): unknown {
  const code = field(stated, 'status_code') ?? 0;
  return code === 0 ? undefined : { code: String(code), message: field(stated, 'status_msg') };
}

/** " (status 500, server api.example.com, request req_1)" */
function describeOrigin({ status, server, requestId }: Origin): string {
  const facts = Object.entries(omitNullish({ status, server, request: requestId }));
  const shown = facts.map(([name, value]) => `${name} ${cut(String(value))}`).join(', ');
  return shown === '' ? '' : ` (${shown})`;
}

/** Removes the status that OpenAI's SDK (7.55) puts before the server's message. */
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
const PROVIDER_KINDS: readonly FailureKind[] = [
  'rate_limit',
  'quota',
  'auth',
  'server',
  'network',
  'refusal',
];

/**
 * The HTTP status of an error. The status of a child process's error is its exit code, so the range
 * is checked.
 */
function httpStatusOf(error: object): number | null {
  const status = countField(error, 'status') || countField(error, 'statusCode');
  return status >= 400 && status < 600 ? status : null;
}

/** Providers write codes in lowercase, Node in uppercase. */
function findWithoutStatus(error: object): ReturnType<typeof findFailure> {
  if (isConnection(error)) return { kind: 'network' };
  const codes = [textField(error, 'code') ?? '', textField(error, 'type') ?? ''];
  const known = codes.filter((code) => /^[a-z_]+$/.test(code)).join(' ');
  return findFailure({ status: null, codes: known, text: '' });
}

function isConnection(error: object): boolean {
  const isSocket =
    SOCKET_CODES.test(textField(error, 'code') ?? '') &&
    !/^spawn/.test(textField(error, 'syscall') ?? '');
  return isSocket || /^APIConnection/.test(error.constructor?.name ?? '') || isCutBody(error);
}

/** A body that ends early: fetch throws "terminated", and JSON.parse fails at its end. */
function isCutBody(error: object): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === 'terminated' || /^Premature close/.test(error.message);
}

const SOCKET_CODES =
  /^(?:UND_ERR_\w+|ECONN(?:RESET|REFUSED|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET|ERR_STREAM_PREMATURE_CLOSE|Z_BUF_ERROR)$/;

function showReply(reply: unknown): string {
  // JSON.stringify throws at deep nesting, which JSON.parse can read.
  return cut(tryOrUndefined(() => JSON.stringify(reply) ?? 'nothing') ?? 'deeply nested JSON', 200);
}

/** Routers put the HTTP status of a provider into `code` or `status`, in a reply with status 200. */
function statedStatusOf(error: unknown): number | null {
  const stated = [field(error, 'code'), field(error, 'status'), field(error, 'http_code')];
  const status = stated.map((each) => String(each ?? '')).find((each) => /^[45]\d\d$/.test(each));
  return status === undefined ? null : Number(status);
}

/** What an error, or the body of a refusal, says of its cause. */
function toFailed(error: unknown, status: number | null) {
  const { texts, codes } = readErrorWords(error);
  const text = withoutStatus(withoutEcho(texts.join('\n')), status);
  return { status, codes: codes.join(' ').toLowerCase(), text, texts };
}

/** A message with the words that it lacks, such as those of the provider behind a router. */
function withWords(message: string, texts: readonly string[]): string {
  const more = texts.filter((text) => !message.includes(text));
  return [message, ...more.map((text) => cut(text, 300))].join(': ');
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
