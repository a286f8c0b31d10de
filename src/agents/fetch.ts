import { AsyncLocalStorage } from 'node:async_hooks';
import {
  isEventStream,
  limitBody,
  type ReplyLimits,
  readRetryAfter,
  retry,
} from '../processes/retry.ts';
import type { Progress } from '../words/answer.ts';
import { field, isFields } from '../words/fields.ts';
import { cut, tryOrUndefined } from '../words/show.ts';
import {
  createModelError,
  explain,
  MOST_RETRIES,
  ModelError,
  type Received,
} from './model-error.ts';

/**
 * The requests of one conversation, which follow one another. A failed one is sent again while its
 * failure may pass, also where it shows only in the body of a reply; each retry and the good reply
 * after it are reported, and the waiting time is added up. Its `fetch` follows no redirect, because
 * a redirect would send the question to an unknown host, and limits the length of replies.
 */
export class ModelFetch {
  received: Received | null = null;
  /** What caused the latest retry; null after a good reply. */
  backOff: NonNullable<Progress['backOff']> | null = null;
  readonly #send: typeof globalThis.fetch;
  readonly #limits: ReplyLimits;
  readonly #pauseMs: number;
  readonly #onBackOff: (isBusy: boolean) => void;
  #failedAt: number | null = null;
  #waitedMs = 0;
  #waitingTools = 0;

  constructor(
    { fetch: send = patientFetch, replyLimits = LIMITS, pauseMs = PAUSE_MS }: FetchSetting,
    onBackOff: (isBusy: boolean) => void = () => {},
  ) {
    this.#send = send;
    this.#limits = replyLimits;
    this.#pauseMs = pauseMs;
    this.#onBackOff = onBackOff;
  }

  /** Milliseconds of waiting for servers that refused a request. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#failedAt === null ? 0 : performance.now() - this.#failedAt);
  }

  /** The `fetch` of a client that many conversations share: that of the one which calls it. */
  static readonly ofConversation: typeof globalThis.fetch = (input, init) =>
    (current.getStore() ?? new ModelFetch({})).fetch(input, init);

  /** Runs a conversation whose client has the `fetch` above. */
  run<T>(conversation: () => T): T {
    return current.run(this, conversation);
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.received = null;
    const response = await this.#send(input, { ...init, redirect: 'manual' });
    const { status, headers } = response;
    this.received = readReceived(response);
    if (status >= 300 && status < 400) {
      const address = cut(headers.get('location') ?? 'no address', 300);
      const problem = `The server answered ${status} with a redirect to ${JSON.stringify(address)}`;
      throw createModelError('bad_response', `${problem}; viva follows no redirects`, { status });
    }
    if (!response.ok) {
      const [refused, body] = await readError(response, init?.signal);
      this.received = { ...this.received, body };
      return refused;
    }
    const wantsStream = asksForStream(input, init?.body);
    const onDone = () => {
      if (this.received !== null) this.received = { ...this.received, isDone: true };
    };
    const isJson = /json/.test(headers.get('content-type') ?? '');
    // Servers that do not stream reply as to all others, which `limitBody` makes an event.
    const reply = wantsStream && isJson ? withType(response, 'text/event-stream') : response;
    const limited = limitBody(reply, this.#limits, { onExcess, onDone });
    if (!wantsStream && isEventStream(reply)) return toWhole(await limited.text(), limited);
    if (isJson || isEventStream(reply)) return limited;
    // The SDKs (openai 7.55, Anthropic's 1.11) take a reply of another type for a text, but some
    // gateways name none or a wrong one.
    return withType(limited, 'application/json');
  };

  /**
   * Sends a request and reads its reply, again while its failure may pass. Throws a ModelError, or
   * the signal's reason. `server` is the host, for messages.
   */
  async repeat<T>(send: () => Promise<T>, server: string, signal: AbortSignal): Promise<T> {
    let sent = 0;
    let startedAt = 0;
    const sendOnce = async () => {
      startedAt = performance.now();
      sent += 1;
      this.#resume();
      try {
        const reply = await send();
        // An aborted stream may simply end.
        signal.throwIfAborted();
        this.#recover();
        return reply;
      } catch (thrown) {
        signal.throwIfAborted();
        throw explain(thrown, this.received, server);
      }
    };
    const toPassing = (error: unknown) => {
      if (!(error instanceof ModelError) || isLast(error, this.received, sent)) return null;
      this.#delay(startedAt, error);
      return { retryAfterMs: this.received?.retryAfterMs ?? null };
    };
    const retries = { times: MOST_RETRIES, pauseMs: this.#pauseMs };
    return retry(retries, sendOnce, toPassing, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }

  /**
   * Counts the time until `until` settles as waiting for a tool's server. Several tools may wait at
   * once.
   */
  waitForTool(why: NonNullable<Progress['backOff']>, until: Promise<unknown>): void {
    this.backOff = why;
    this.#failedAt ??= performance.now();
    this.#waitingTools += 1;
    const end = () => {
      this.#waitingTools -= 1;
      if (this.#waitingTools === 0) this.#resume();
    };
    until.then(end, end);
    this.#onBackOff(false);
  }

  #resume(): void {
    this.#waitedMs = this.waitedMs;
    this.#failedAt = null;
  }

  #recover(): void {
    if (this.backOff === null) return;
    this.backOff = null;
    this.#onBackOff(false);
  }

  #delay(startedAt: number, { kind, status, requestId }: ModelError): void {
    this.#failedAt = startedAt;
    const known = kind === 'network' || kind === 'rate_limit' ? kind : 'server';
    this.backOff = { kind: known, status, requestId };
    this.#onBackOff(kind === 'rate_limit' || (status !== null && OVERLOADED.has(status)));
  }
}

function isLast({ retries }: ModelError, received: Received | null, sent: number): boolean {
  // A server may overrule what its status means, as in the SDKs of model APIs.
  const stated = received?.shouldRetry ?? null;
  return sent > (stated === null ? retries : stated ? MOST_RETRIES : 0);
}

function readReceived({ status, headers }: Response): Received {
  const stated = headers.get('x-should-retry');
  return {
    status,
    requestId: headers.get('x-request-id') ?? headers.get('request-id'),
    retryAfterMs: readRetryAfter(headers),
    shouldRetry: stated === 'true' ? true : stated === 'false' ? false : null,
  };
}

const current = new AsyncLocalStorage<ModelFetch>();

/** Settings for tests. */
export type FetchSetting = Readonly<{
  fetch?: typeof globalThis.fetch;
  replyLimits?: ReplyLimits;
  /** Before the first retry, in milliseconds. */
  pauseMs?: number;
}>;

/**
 * Node's fetch without its limits of 300 s for headers and for pauses: a server may think about a
 * long answer for many minutes. The sample's deadline ends the request. Settings of the current
 * dispatcher, such as a proxy, remain.
 */
export const patientFetch: typeof globalThis.fetch = (input, init) => {
  // Node's fetch and the package undici look for it here too.
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (!isDispatcher(dispatcher)) return fetch(input, init);
  const dispatch: Dispatch = (options, handler) =>
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return fetch(input, Object.assign({}, init, { dispatcher: { dispatch } }));
};

const LIMITS: ReplyLimits = { bytes: 20_000_000, streamBytes: 60_000_000 };

/** The pause before the first retry. It doubles each time. */
const PAUSE_MS = 500;

/** The most bytes of an error's body that are read, and the most time for it. */
const ERROR_BYTES = 100_000;
const ERROR_MS = 1000;

/** Statuses that halve the concurrency of the provider's queue. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 503, 529]);

function onExcess(bytes: number): Error {
  const problem = `The server sent more than ${bytes / 1_000_000} MB in one piece`;
  return createModelError('bad_response', problem);
}

/**
 * An error response with its whole body, or without one that is long or does not end: it must not
 * hide the status.
 */
async function readError(
  response: Response,
  signal: AbortSignal | null | undefined,
): Promise<readonly [Response, body: string]> {
  const limits = { bytes: ERROR_BYTES, streamBytes: ERROR_BYTES };
  const { body: limited } = limitBody(response, limits, { onExcess });
  if (limited === null) return [response, ''];
  const inTime = { signal: AbortSignal.timeout(ERROR_MS) };
  const read = new Response(limited.pipeThrough(new TransformStream(), inTime));
  const body = await read.text().catch(() => '');
  signal?.throwIfAborted();
  return [new Response(body, response), body];
}

/** A tool's arguments, too, may have a field of that name. Google and Bedrock say it in the address. */
function asksForStream(input: Parameters<typeof fetch>[0], body: unknown): boolean {
  const path = URL.parse(input instanceof Request ? input.url : String(input))?.pathname ?? '';
  if (/stream/i.test(path.slice(path.lastIndexOf('/')))) return true;
  if (typeof body !== 'string' || !body.includes('"stream":true')) return false;
  return (
    field(
      tryOrUndefined(() => JSON.parse(body)),
      'stream',
    ) === true
  );
}

function withType(response: Response, type: string): Response {
  const typed = new Response(response.body, response);
  typed.headers.set('content-type', type);
  return typed;
}

/** A whole reply under the name of a stream, or a stream that nobody asked for. */
function toWhole(text: string, response: Response): Response {
  if (/^\s*\{/.test(text))
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  if (!/^data:/m.test(text)) return new Response(text, response);
  const problem = 'The server streams its reply, which was not asked for';
  const remedy = 'Add stream=on in EVAL_AGENT.';
  throw createModelError('bad_response', problem, { remedy });
}

type Dispatch = (options: object, handler: object) => boolean;

function isDispatcher(value: unknown): value is { readonly dispatch: Dispatch } {
  return isFields(value) && typeof value['dispatch'] === 'function';
}
