import { AsyncLocalStorage } from 'node:async_hooks';
import {
  limitBody,
  type ReplyLimits,
  type Retries,
  readPassing,
  retryResponse,
} from '../processes/retry.ts';
import type { Progress } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';
import { cut } from '../words/show.ts';
import { createModelError, type Received } from './model-error.ts';

/**
 * The `fetch` of one conversation, whose requests follow one another. It follows no redirect,
 * because a redirect would send the question to an unknown host. It limits the length of replies.
 * It sends refused requests again, reports each retry and the good reply after it, and adds up the
 * waiting time.
 */
export class ModelFetch {
  received: Received | null = null;
  /** What caused the latest retry; null after a good reply. */
  backOff: NonNullable<Progress['backOff']> | null = null;
  readonly #send: typeof globalThis.fetch;
  readonly #limits: ReplyLimits;
  readonly #onBackOff: (isBusy: boolean) => void;
  #failedAt: number | null = null;
  #waitedMs = 0;
  #waitingTools = 0;

  constructor(
    { fetch: send = patientFetch, replyLimits = LIMITS }: FetchSetting,
    onBackOff: (isBusy: boolean) => void = () => {},
  ) {
    this.#send = send;
    this.#limits = replyLimits;
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
    const send = () => this.#try(input, init);
    const response = await retryResponse(RETRIES, send, init?.signal);
    const { status, headers } = response;
    if (status < 300 || status >= 400) return response;
    const address = cut(headers.get('location') ?? 'no address', 300);
    const problem = `The server answered ${status} with a redirect to ${JSON.stringify(address)}`;
    throw createModelError('bad_response', `${problem}; viva follows no redirects`, { status });
  };

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

  async #try(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const startedAt = performance.now();
    this.#resume();
    this.received = null;
    try {
      const sent = await this.#send(input, { ...init, redirect: 'manual' });
      const { status, headers } = sent;
      const requestId = headers.get('x-request-id') ?? headers.get('request-id');
      const response = sent.ok
        ? limitBody(sent, this.#limits, { onExcess })
        : await readError(sent, init?.signal);
      this.received = { status, requestId };
      if (readPassing(response) !== null) this.#delay(startedAt, this.received);
      else this.#recover();
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) this.#delay(startedAt, null);
      throw error;
    }
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

  #delay(startedAt: number, received: Received | null): void {
    this.#failedAt = startedAt;
    const { status = null, requestId = null } = received ?? {};
    const kind = status === null ? 'network' : status === 429 ? 'rate_limit' : 'server';
    this.backOff = { kind, status, requestId };
    this.#onBackOff(status !== null && OVERLOADED.has(status));
  }
}

const current = new AsyncLocalStorage<ModelFetch>();

/** Settings for tests. */
export type FetchSetting = Readonly<{
  fetch?: typeof globalThis.fetch;
  replyLimits?: ReplyLimits;
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

const RETRIES: Retries = { times: 4, pauseMs: 500 };

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
): Promise<Response> {
  const limits = { bytes: ERROR_BYTES, streamBytes: ERROR_BYTES };
  const { body: limited } = limitBody(response, limits, { onExcess });
  if (limited === null) return response;
  const inTime = { signal: AbortSignal.timeout(ERROR_MS) };
  const read = new Response(limited.pipeThrough(new TransformStream(), inTime));
  const body = await read.text().catch(() => '');
  signal?.throwIfAborted();
  const error = new Response(body, response);
  // An exhausted quota comes as a 429 too, but no retry can help.
  const isFinal = /insufficient_quota|billing_hard_limit/.test(body);
  if (response.status === 429 && isFinal) error.headers.set('x-should-retry', 'false');
  return error;
}

type Dispatch = (options: object, handler: object) => boolean;

function isDispatcher(value: unknown): value is { readonly dispatch: Dispatch } {
  return isFields(value) && typeof value['dispatch'] === 'function';
}
