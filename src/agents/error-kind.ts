import type { ErrorKind } from '../types.ts';
import { countField, field, textField } from './outside-value.ts';

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
export function kindOfSaid(text: string | null): ErrorKind {
  const kind = kindOfCode(text ?? '');
  return kind === null || kind === 'bad_request' ? 'server' : kind;
}

/** The HTTP status that an error gives as its code, as routers do in a reply whose own status is 200. */
export function statedStatusOf(error: unknown): number | null {
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
