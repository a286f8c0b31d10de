import { setTimeout as sleep } from 'node:timers/promises';
import { cut, quote } from '../../records/show-value.ts';
import { readRetryAfter } from '../../text/retry-after.ts';
import { HubError, type HubErrorKind } from './hub-error.ts';
import type { HubSettings } from './hub-settings.ts';
import type { HubSource } from './hub-source.ts';

/** Where requests go and what they are for. */
export type Hub = { readonly settings: HubSettings; readonly source: HubSource };

/** A longer pause that the Hub asks for is not waited for: a run that stands still looks hung. */
const MAX_PAUSE_MS = 60_000;

/**
 * A `fetch` for the Hub that rejects with a HubError on everything but success, after it tried again what may pass: a
 * broken connection, a failing server, a rate limit. The deadline for headers and body together is `stallMs`, unless
 * the caller brings a signal.
 */
export function hubFetch(hub: Hub): typeof fetch {
  return (input, init) => withRetries(hub, () => requestOnce(hub, input, init));
}

/** Runs a request again after each pause of the settings while it fails for a reason that may pass. */
export async function withRetries<T>({ settings }: Hub, request: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request(attempt);
    } catch (error) {
      const pause = settings.retryDelaysMs[attempt];
      if (pause === undefined || !(error instanceof HubError) || !PASSING.includes(error.kind)) throw error;
      const wanted = pauseOf(error) ?? pause;
      if (wanted > MAX_PAUSE_MS) throw error;
      await sleep(wanted);
    }
  }
}

/** One request; rejects with a HubError when there is no answer or none of success. */
export async function requestOnce(hub: Hub, input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const signal = init.signal ?? AbortSignal.timeout(hub.settings.stallMs);
  const response = await fetch(input, { ...init, signal }).catch((cause: unknown) => {
    throw toNetworkError(hub, cause);
  });
  if (response.ok) return response;
  throw await toStatusError(hub, response);
}

/** The error for a connection that could not be made or broke. */
export function toNetworkError({ source, settings }: Hub, cause: unknown): HubError {
  if (cause instanceof HubError) return cause;
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const timedOut = inner instanceof Error && (inner.name === 'TimeoutError' || inner.name === 'AbortError');
  const said = inner instanceof Error ? inner.message || inner.name : String(inner);
  const detail = timedOut ? `nothing came for ${settings.stallMs / 1000} s` : said;
  const host = URL.parse(settings.url)?.host ?? 'HF_ENDPOINT';
  // The address may hold a password.
  return new HubError(source, { kind: 'network', detail: `${host}: ${detail.replaceAll(settings.url, host)}`, cause });
}

const PASSING: readonly HubErrorKind[] = ['network', 'server', 'rate_limit', 'storage'];

class Pause {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

function pauseOf({ cause }: HubError): number | null {
  return cause instanceof Pause ? cause.ms : null;
}

async function toStatusError({ source, settings }: Hub, response: Response): Promise<HubError> {
  const { status, headers } = response;
  const code = headers.get('x-error-code') ?? '';
  const said = headers.get('x-error-message') ?? (await readMessage(response));
  const detail = [`HTTP ${status}`, code, said === '' ? '' : quote(said)].filter((part) => part !== '').join(', ');
  const pauseMs = readRetryAfter(headers.get('retry-after'));
  const pause = pauseMs === null ? {} : { cause: new Pause(pauseMs) };
  const asked = pauseMs === null ? detail : `${detail}, a pause of ${Math.ceil(pauseMs / 1000)} s`;
  const kind = isElsewhere(response, settings) ? toStorageKind(status) : toKind(status, code, settings.token !== null);
  return new HubError(source, { kind, detail: asked, ...pause });
}

/** Files come from a storage that the Hub leads to, at addresses that are good for some minutes. */
function isElsewhere({ url }: Response, settings: HubSettings): boolean {
  const [answered, hub] = [URL.parse(url)?.host, URL.parse(settings.url)?.host];
  return answered !== undefined && answered !== hub;
}

function toStorageKind(status: number): HubErrorKind {
  if (status === 429) return 'rate_limit';
  return status >= 500 || status === 408 ? 'server' : 'storage';
}

function toKind(status: number, code: string, hasToken: boolean): HubErrorKind {
  if (code === 'RevisionNotFound') return 'no_revision';
  if (code === 'EntryNotFound') return 'no_file';
  if (status === 429) return 'rate_limit';
  if (status >= 500 || status === 408) return 'server';
  // The Hub answers 401, not 404, to who asks without a token for a dataset that does not exist.
  if (status === 401) return hasToken ? 'bad_token' : 'no_token';
  if (status === 403) return hasToken ? 'not_granted' : 'no_token';
  return status === 404 ? 'no_dataset' : 'bad_response';
}

async function readMessage(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  if (!(response.headers.get('content-type') ?? '').includes('json')) return '';
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'error' in body ? cut(String(body.error)) : '';
  } catch {
    return '';
  }
}
