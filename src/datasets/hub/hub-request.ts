import { setTimeout as sleep } from 'node:timers/promises';
import { readRetryAfter } from '../../text/retry-after.ts';
import { cut, escapeControls, quote } from '../../text/show.ts';
import { type HubSettings, type HubSource, showHubSource } from './hub-source.ts';

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

export type HubErrorKind =
  | 'no_token'
  | 'bad_token'
  | 'not_granted'
  | 'no_dataset'
  | 'no_revision'
  | 'no_file'
  | 'rate_limit'
  | 'server'
  | 'network'
  | 'storage'
  | 'bad_response'
  | 'damaged'
  | 'disk_full'
  | 'not_writable'
  | 'not_cached';

/** Why a dataset could not be had from the Hub: the source, what happened, what was received, what to do. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly kind: HubErrorKind;

  constructor(
    source: HubSource,
    fault: { readonly kind: HubErrorKind; readonly detail: string; readonly cause?: unknown },
  ) {
    const [problem, remedy] = describe(source, fault.kind);
    const options = fault.cause === undefined ? undefined : { cause: fault.cause };
    super(`${showHubSource(source)}: ${problem} (${escapeControls(fault.detail)}). ${remedy}`, options);
    this.kind = fault.kind;
  }
}

function describe({ name, revision }: HubSource, kind: HubErrorKind): readonly [problem: string, remedy: string] {
  const page = `https://huggingface.co/datasets/${name}`;
  const tokens = 'https://huggingface.co/settings/tokens';
  const descriptions: Readonly<Record<HubErrorKind, readonly [string, string]>> = {
    no_token: [
      'the dataset is gated, private or not there, and no token was given',
      `Ask for access on ${page}, then set HF_TOKEN to a token with read permission (${tokens}).`,
    ],
    bad_token: [
      'the Hub does not take the token in HF_TOKEN',
      `Make a new one with read permission on ${tokens} and set HF_TOKEN to it.`,
    ],
    not_granted: [
      'the account of HF_TOKEN has no access to the dataset yet',
      `Open ${page}, accept the terms and wait until access is granted; a fine-grained token must also be allowed ` +
        'to read public gated repositories.',
    ],
    no_dataset: ['there is no such dataset', 'Check owner and name, or set HF_TOKEN if the dataset is private.'],
    no_revision: [
      `the dataset has no revision ${quote(revision)}`,
      `Choose a branch, tag or whole commit of ${page}/commits/main, or leave "@${revision}" out.`,
    ],
    no_file: ['a file is not in the dataset', 'Check the revision, or name another one.'],
    rate_limit: ['the Hub asks for a pause', 'Wait some minutes and run again: what has arrived is kept.'],
    server: ['the Hub is failing', 'Run again later: what has arrived is kept.'],
    network: ['the Hub cannot be reached', 'Check the connection and run again: what has arrived is kept.'],
    storage: [
      'the storage that the Hub leads to refuses a file, which the Hub itself grants',
      'Run again: its addresses expire, and what has arrived is kept. If it stays so, a proxy or firewall may refuse it.',
    ],
    bad_response: ['the Hub answers with something unexpected', 'Check HF_ENDPOINT, or run again later.'],
    damaged: [
      'a file did not arrive as the Hub describes it, and was thrown away',
      'Run again; if it stays so, a proxy may be changing files.',
    ],
    disk_full: ['the disk is full', 'Free some space or set HF_HOME to a folder on another disk, then run again.'],
    not_writable: ['the cache cannot be written', 'Make it writable, or set HF_HOME to another folder.'],
    not_cached: [
      'the cache does not hold what is needed',
      'Run once with the Hub in reach (HF_HUB_OFFLINE unset), or name another revision.',
    ],
  };
  return descriptions[kind];
}

/** The error for a failed write into the cache. */
export function toDiskError(source: HubSource, folder: string, cause: unknown): HubError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : 'not_writable';
  return new HubError(source, { kind, detail: `${code}, ${folder}`, cause });
}
