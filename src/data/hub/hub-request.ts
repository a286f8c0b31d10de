import { readRetryAfter, retry } from '../../processes/retry.ts';
import { maskKeys } from '../../words/secrets.ts';
import { escapeControls, quote } from '../../words/show.ts';
import { causesOf, messageOf } from '../../words/thrown.ts';
import { type HubSettings, type HubSource, showHubSource } from './hub-source.ts';

/** The settings for requests, and the dataset that they ask for. */
export type Hub = Readonly<{ settings: HubSettings; source: HubSource }>;

/** As the global `fetch`; rejects with a HubError unless the response is a success. */
export type HubFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Has `use` send requests and read their bodies, once more as long as its error may be temporary.
 * `onData` says that bytes arrived: a silent server is given up. Rejects with a HubError, or with
 * the error of the file system.
 */
export function request<T>(
  hub: Hub,
  use: (fetchHub: HubFetch, onData: () => void) => Promise<T>,
): Promise<T> {
  const { stallMs, retries } = hub.settings;
  const attempt = async () => {
    const stall = new AbortController();
    const timer = setTimeout(() => stall.abort(new DOMException('', 'TimeoutError')), stallMs);
    const fetchHub: HubFetch = (url, init) => {
      timer.refresh();
      return send(hub, String(url), { ...init, signal: stall.signal });
    };
    try {
      return await use(fetchHub, () => timer.refresh());
    } catch (error) {
      // Only errors of the file system have a `syscall` field.
      throw error instanceof Error && 'syscall' in error ? error : toHubError(hub, error);
    } finally {
      clearTimeout(timer);
      stall.abort();
    }
  };
  return retry(retries, attempt, (error) =>
    error instanceof HubError && error.isTransient ? error : null,
  );
}

async function send(hub: Hub, url: string, init: RequestInit): Promise<Response> {
  const { token, url: endpoint } = hub.settings;
  const { protocol = '', username, password } = URL.parse(endpoint) ?? {};
  if (!/^https?:$/.test(protocol) || username || password) {
    const shown = quote(endpoint.replace(/^.*@/s, '[...]@'));
    throw new HubError(hub.source, 'bad_endpoint', shown);
  }
  // The error of `fetch` would show such a token.
  if (token !== null && /[^\x21-\x7e]/.test(token)) {
    const problem = 'it contains a space or a character that is not ASCII';
    throw new HubError(hub.source, 'bad_token', problem);
  }
  const headers = new Headers(init.headers);
  // Only the Hub gets the token: `fetch` drops it on a redirect to another origin. The library is
  // not given it, because @huggingface/hub 2.17.5 takes none without "hf_", as those of other
  // servers are (https://github.com/huggingface/huggingface.js/issues/2521).
  if (token !== null && URL.parse(url)?.origin === URL.parse(endpoint)?.origin)
    headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(url, { ...init, headers });
  if (response.ok) return response;
  await response.body?.cancel();
  throw toStatusError(hub, response);
}

/**
 * The error for a body of another form, or for a connection that failed or broke, with the code or
 * the words of its first cause.
 */
function toHubError({ source, settings }: Hub, error: unknown): HubError {
  if (error instanceof HubError) return error;
  // So the library fails on a body of another form. `fetch` gives each TypeError a cause.
  const isForm =
    error instanceof SyntaxError || (error instanceof TypeError && error.cause === undefined);
  if (isForm) return new HubError(source, 'failed', 'its response is not valid');
  const first = causesOf(error).at(-1) ?? error;
  const isSilent = first instanceof Error && first.name === 'TimeoutError';
  const code = first instanceof Error && 'code' in first ? first.code : null;
  // An address in the message may contain a password.
  const cause = typeof code === 'string' ? code : maskKeys(messageOf(first));
  const detail = isSilent ? `no data for ${settings.stallMs / 1000} s` : cause;
  return new HubError(source, 'network', `${URL.parse(settings.url)?.host}: ${detail}`);
}

export type HubErrorKind = keyof ReturnType<typeof describe>;

/** Why the Hub did not provide a dataset: what happened, what was received, what to do. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly kind: HubErrorKind;
  readonly retryAfterMs: number | null;

  constructor(
    source: HubSource,
    kind: HubErrorKind,
    detail: string,
    { retryAfterMs = null, remedy }: { retryAfterMs?: number | null; remedy?: string } = {},
  ) {
    const [problem, usual] = describe(source)[kind];
    super(`${showHubSource(source)}: ${problem} (${escapeControls(detail)}). ${remedy ?? usual}`);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return PASSING.includes(this.kind);
  }
}

function toStatusError({ source, settings }: Hub, { status, headers, url }: Response): HubError {
  const host = URL.parse(url)?.host ?? '';
  // Files come from storage URLs that expire, so a refusal there does not mean a missing
  // permission.
  const isStorage = host !== URL.parse(settings.url)?.host;
  const said = headers.get('x-error-message');
  const retryAfterMs = readRetryAfter(headers);
  const { longestMs = Number.POSITIVE_INFINITY } = settings.retries;
  const detail = [
    `HTTP ${status}${isStorage ? ` from ${host}` : ''}`,
    headers.get('x-error-code') ?? '',
    said === null ? '' : quote(said),
    retryAfterMs === null ? '' : `it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`,
    (retryAfterMs ?? 0) > longestMs ? `viva waits at most ${longestMs / 1000} s` : '',
  ];
  const kind = isStorage && status !== 429 ? 'failed' : toKind(status, settings.token !== null);
  const shown = detail.filter((part) => part !== '').join(', ');
  return new HubError(source, kind, shown, { retryAfterMs });
}

function toKind(status: number, hasToken: boolean): HubErrorKind {
  // Without a token the Hub answers 401, not 404, for a dataset that does not exist.
  if (status === 401) return hasToken ? 'bad_token' : 'no_token';
  if (status === 403) return hasToken ? 'not_granted' : 'no_token';
  if (status === 404) return 'not_found';
  return status === 429 ? 'rate_limit' : 'failed';
}

const PASSING: readonly HubErrorKind[] = ['rate_limit', 'network', 'failed'];

/** What is wrong, and what to do. */
function describe({ name }: HubSource) {
  const page = `https://huggingface.co/datasets/${name}`;
  const tokens = 'https://huggingface.co/settings/tokens';
  const again = 'run again; the files that have arrived are kept.';
  return {
    no_token: [
      'the dataset is gated, private or missing, and no token is set',
      `Ask for access on ${page}, then set HF_TOKEN to a token with read permission (${tokens}).`,
    ],
    bad_token: [
      'the Hub does not accept the token in HF_TOKEN',
      `Make a new one with read permission on ${tokens} and set HF_TOKEN to it.`,
    ],
    bad_endpoint: [
      'HF_ENDPOINT is not an address that can be asked',
      'Set it to an address that begins with https:// and has no password, or unset it for https://huggingface.co.',
    ],
    not_granted: [
      'the account of HF_TOKEN has no access to the dataset yet',
      `Open ${page}, accept the terms and wait until access is granted. A fine-grained token must also be allowed to ` +
        'read public gated repositories.',
    ],
    not_found: [
      'the Hub has no such dataset, revision or file',
      `Check the name and the revision on ${page}, or set HF_TOKEN if the dataset is private.`,
    ],
    rate_limit: ['the Hub limits the rate of requests', `Wait some minutes and ${again}`],
    network: ['the Hub cannot be reached', `Check the connection and ${again}`],
    failed: [
      "the Hub's response cannot be used",
      `Wait and ${again} If it fails again, check HF_ENDPOINT and your proxy.`,
    ],
    disk: ['the cache cannot be written', 'Set HF_HOME to another folder.'],
    not_cached: [
      'the cache does not contain the needed files',
      'Run once online (HF_HUB_OFFLINE unset), or name another revision.',
    ],
  } as const;
}
