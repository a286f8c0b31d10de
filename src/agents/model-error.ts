import { hideInMessage } from '../secrets/hide-in-message.ts';
import { maskKeyForms } from '../secrets/mask-keys.ts';
import { toVisible } from '../text/visible-text.ts';
import { AgentError, type ErrorKind } from '../types.ts';
import { kindOfCode, kindOfSaid, MAX_CAUSES, messageOf, statedStatusOf, toKind } from './error-kind.ts';
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
  const said = toVisible(hidden, MAX_SAID).replace(/[.\s]+$/, '');
  return hidden.length > MAX_SAID ? `${said}...` : said;
}

/** " (status 500, server api.example.com, request req_1)", without what is not known. */
export function describeOrigin({ status, server, requestId }: Origin): string {
  const parts = [
    status === null ? [] : `status ${status}`,
    server === null ? [] : `server ${toVisible(server, 100)}`,
    requestId === null ? [] : `request ${toVisible(requestId, 100)}`,
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
  const shown = stringify(reply);
  return shown.length > 200 ? `${shown.slice(0, 200)}...` : shown;
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
  return maskKeyForms(hideInMessage(message, known));
}
