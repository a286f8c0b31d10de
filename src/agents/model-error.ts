import { maskKeyForms, redactMessage } from '../text/secrets.ts';
import { cut, escapeLine } from '../text/show.ts';
import { AgentError, type ErrorKind } from '../types.ts';
import { countField, field, textField } from './outside-value.ts';

/** What the user can do about a failure. */
const REMEDIES: Readonly<Partial<Record<ErrorKind, string>>> = {
  rate_limit: 'Lower EVAL_CONCURRENCY or ask for a higher limit.',
  quota: "Top up the account or raise its limit at the provider's.",
  auth: 'Check the API key and what it may use.',
  bad_request: 'Check the model name and the parameters in EVAL_AGENT.',
  server: 'Run the sample again later.',
  network: 'Check the base URL and the connection.',
  bad_response: 'Check that the base URL is that of an API of this kind.',
};

/** How many characters of what a server said are shown. */
const MAX_SAID = 600;

/** Base URLs of the two forms look alike, and a wrong one finds nothing. */
const NOT_FOUND = "Check the model name, and the base URL: OpenAI's form ends in /v1, Anthropic's does not.";

/**
 * What an SDK threw, as an AgentError: told by status and error code, which both SDKs keep, and never by class, so that
 * no SDK is loaded for it. `secrets` are cut out of the message, and nothing of the SDK's error is kept as cause: it
 * holds headers.
 */
export function toModelError(error: unknown, secrets: readonly string[], seen: Partial<Origin> = {}): AgentError {
  const status = countField(error, 'status') || null;
  const kind = toKind(error, status);
  const said = kind === 'bad_response' ? describeUnreadable(error) : withoutStatus(messageOf(error), status);
  return createModelError(kind, said, {
    status: status ?? seen.status ?? null,
    requestId: textField(error, 'requestID') ?? seen.requestId ?? null,
    server: seen.server ?? null,
    secrets,
  });
}

/** Where an error comes from, as far as that is known; `server` is a host with its port. */
export type Origin = {
  readonly status: number | null;
  readonly server: string | null;
  readonly requestId: string | null;
};

/** OpenAI's SDK puts the status before what the server said. */
function withoutStatus(message: string, status: number | null): string {
  if (status === null || !message.startsWith(`${status} `)) return message;
  const said = message.slice(`${status} `.length);
  return said === 'status code (no body)' ? 'The server did not say why' : said;
}

/** What an SDK stumbled over in a reply that is none; its TypeErrors speak of its own code. */
function describeUnreadable(error: unknown): string {
  if (error instanceof TypeError) return "The server's reply is empty, or no reply of this API";
  return error instanceof SyntaxError ? `The server's reply cannot be read (${error.message})` : messageOf(error);
}

export function createModelError(
  kind: ErrorKind,
  message: string,
  {
    status = null,
    server = null,
    requestId = null,
    secrets = [],
  }: Partial<Origin> & { readonly secrets?: readonly string[] } = {},
): AgentError {
  const said = toSaid(hideKeys(message.slice(0, 10_000), secrets));
  const origin = describeOrigin({ status: server === null ? null : status, server, requestId });
  const remedy = status === 404 ? NOT_FOUND : REMEDIES[kind];
  return new AgentError(kind, `${said}${origin}.${remedy === undefined ? '' : ` ${remedy}`}`, { status, requestId });
}

/** Without its full stop. The mark of a cut stays: before it half a key is known as one, as viva learns of keys later. */
function toSaid(hidden: string): string {
  return escapeLine(hidden, MAX_SAID).replace(/[.\s]+$/, '');
}

/** " (status 500, server api.example.com, request req_1)", without what is not known. */
export function describeOrigin({ status, server, requestId }: Origin): string {
  const parts = [
    status === null ? [] : `status ${status}`,
    server === null ? [] : `server ${escapeLine(server, 100)}`,
    requestId === null ? [] : `request ${escapeLine(requestId, 100)}`,
  ].flat();
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The error of ours that an SDK wrapped into one of its own, or was given to throw. */
export function findAgentError(error: unknown): AgentError | null {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    if (current instanceof AgentError) return current;
    current = current.cause;
  }
  return null;
}

/** Why a reply with status 200 is none: `problem`, or the error that it states, as some compatible servers do. */
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
  const kindOfWords = code === null ? kindOfSaid(message) : (kindOfCode(code) ?? 'server');
  const kind = status === null ? kindOfWords : toKind(error, status);
  const said = `${code ?? 'error'}: ${message ?? showReply(error)}`;
  return createModelError(kind, said, { status, requestId: textField(reply, '_request_id') });
}

function showReply(reply: unknown): string {
  return cut(stringify(reply), 200);
}

/** JSON.parse reads a nesting that JSON.stringify has no stack for. */
function stringify(reply: unknown): string {
  try {
    return JSON.stringify(reply) ?? 'nothing';
  } catch {
    return 'JSON that is nested too deep';
  }
}

/** Cuts keys out of a message: those that are known, and whatever looks like one. */
export function hideKeys(message: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= 4);
  return maskKeyForms(redactMessage(message, known));
}

/** The kind that a provider's own error code stands for, for replies and streams that fail with status 200. */
export function kindOfCode(code: string): ErrorKind | null {
  return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

const CODES: readonly (readonly [RegExp, ErrorKind])[] = [
  [/insufficient_quota|billing|credit balance/i, 'quota'],
  [/rate[_ ]limit/i, 'rate_limit'],
  [/authentication|permission|invalid_api_key/i, 'auth'],
  [/overloaded|server_error|api_error|timeout/i, 'server'],
  [/invalid|not_found|unsupported|too_large/i, 'bad_request'],
];

/** What kind of failure an error is, by its HTTP status if it has one, else by its codes and causes. */
export function toKind(error: unknown, status: number | null): ErrorKind {
  const code = codesOf(error);
  if (status === null) return kindOfStated(error, code);
  if (status === 402 || kindOfCode(code) === 'quota') return 'quota';
  if (status === 429) return 'rate_limit';
  if (status === 401 || status === 403) return 'auth';
  return status >= 500 || BUSY_STATUSES.has(status) ? 'server' : 'bad_request';
}

/** Below 500, and yet no fault of the request: time out, conflict, too early, and the proxy's own "client closed". */
const BUSY_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 499]);

/** An SDK keeps the error that an event of a stream states as `error`; one that says nothing known is the server's. */
function kindOfStated(error: unknown, code: string): ErrorKind {
  const status = statedStatusOf(error);
  const known = status === null ? kindOfCode(code) : toKind(error, status);
  if (known !== null) return known;
  if (isNetwork(error)) return 'network';
  const stated = field(error, 'error') ?? null;
  return stated === null ? 'bad_response' : kindOfSaid(textField(error, 'error'));
}

/** What kind of failure words without a code speak of: the server's, unless they name another that is no one's fault. */
function kindOfSaid(text: string | null): ErrorKind {
  const kind = kindOfCode(text ?? '');
  return kind === null || kind === 'bad_request' ? 'server' : kind;
}

/** The HTTP status that an error gives as its code, as routers do in a reply whose own status is 200. */
function statedStatusOf(error: unknown): number | null {
  const code = field(error, 'code');
  return /^[45]\d\d$/.test(typeof code === 'number' ? `${code}` : (textField(error, 'code') ?? ''))
    ? Number(code)
    : null;
}

/** Anthropic says only in words that the credit is used up. */
function codesOf(error: unknown): string {
  const credit = /credit balance/i.exec(messageOf(error))?.[0] ?? '';
  return [textField(error, 'code'), textField(error, 'type'), credit].filter((part) => part !== null).join(' ');
}

/** Causes below this are not looked at: a chain may be endless. */
export const MAX_CAUSES = 5;

/** A connection that failed or broke off: the SDKs' own class for it, or a system or socket error somewhere beneath. */
function isNetwork(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    if (/Connection/.test(current.constructor.name)) return true;
    if (/^terminated$|\b(?:stream|request) ended\b/.test(current.message)) return true;
    if (/^(UND_ERR|E[A-Z]{3,})/.test(textField(current, 'code') ?? '')) return true;
    current = current.cause;
  }
  return false;
}

/** The message of anything thrown, with the cause beneath a bare "Connection error." or "fetch failed". */
export function messageOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) {
    return textField(error, 'message') ?? (typeof error === 'object' ? 'an error without a message' : String(error));
  }
  // Anthropic's SDK makes the whole body its message, and keeps the provider's words apart.
  const said = textField(error, 'apiMessage');
  if (said !== null) return `${textField(error, 'type') ?? countField(error, 'status')}: ${said}`;
  const cause = error.cause instanceof Error && depth < MAX_CAUSES ? messageOf(error.cause, depth + 1) : '';
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message} ${cause}`;
}

const MARK = '[DONE]';
/** As a field: in a text of the model its quotes would be written out. */
const REASON = '"finish_reason"';

/**
 * Notices the mark that ends a streamed reply of the chat API, which the SDK takes away, and whether its chunks name a
 * finish reason at all, which the SDK puts into each.
 */
export class StreamEnd {
  #sawMark = false;
  #sawReason = false;

  /**
   * Whether the mark alone says that the last reply is whole. Where chunks name the finish reason the last one gives it;
   * a proxy whose source broke off sends the mark all the same.
   */
  get isMarked(): boolean {
    return this.#sawMark && !this.#sawReason;
  }

  /** A fetch whose replies are watched. */
  wrap(send: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#sawMark = false;
      this.#sawReason = false;
      const response = await send(input, init);
      const { body, status, headers, ok } = response;
      if (!ok || body === null) return response;
      return new Response(body.pipeThrough(this.#watch()), { status, headers });
    };
  }

  #watch(): TransformStream<Uint8Array, Uint8Array> {
    let before = Buffer.alloc(0);
    return new TransformStream({
      transform: (chunk, controller) => {
        const joined = Buffer.concat([before, chunk]);
        this.#sawMark ||= joined.includes(MARK);
        this.#sawReason ||= joined.includes(REASON);
        before = joined.subarray(1 - REASON.length);
        controller.enqueue(chunk);
      },
    });
  }
}
