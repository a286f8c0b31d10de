import type { Progress } from '../types.ts';
import { createModelError } from './model-error.ts';

/** What a server answered to the last request: SDKs leave it out of the errors that they make of a wrong reply. */
export type Received = {
  readonly status: number;
  readonly requestId: string | null;
  /** The media type alone; empty when there is none. */
  readonly mediaType: string;
  /** Whether a stream of events was asked for, and not one JSON value. */
  readonly streamAsked: boolean;
  /** How the body begins, as far as it has come, where it is not of the kind that was asked for. */
  readonly unexpected: { start: string } | null;
  /** The last characters of a stream of events that have come. */
  end: string;
  /** Where a redirect points, which is not followed. */
  readonly movedTo: string | null;
};

/** How many bytes one reply may have after decompression. */
export type ReplyLimits = {
  readonly bytes: number;
  /** The same for a stream of events, which repeats its frame around each few letters; one event may have `bytes`. */
  readonly streamBytes: number;
};

const LIMITS: ReplyLimits = { bytes: 20_000_000, streamBytes: 60_000_000 };

/** Of an error only so much is read, and for so long. */
const ERROR_BYTES = 100_000;
const ERROR_MS = 1000;

/** Replies after which the queue of the provider halves. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 503, 529]);

/**
 * The `fetch` of one conversation, whose requests are made one after another. It trusts no server: it follows no redirect,
 * which would hand the question to a host that nobody chose; it fails a reply that is too long; and it gives an error
 * whole, so that its status counts even where its body never ends. The SDKs repeat refused requests by themselves and say
 * nothing of it: it reports each one that is to be repeated and the good reply after it, and adds up the time of waiting.
 */
export class ModelFetch {
  /** The reply to the last request; null while there is none. */
  received: Received | null = null;
  /** Why the last request is to be repeated; null when a good reply came since. */
  backOff: NonNullable<Progress['backOff']> | null = null;
  readonly #send: typeof globalThis.fetch;
  readonly #limits: ReplyLimits;
  readonly #onBackOff: (isBusy: boolean) => void;
  #failedAt: number | null = null;
  #waitedMs = 0;
  #held = 0;

  constructor(
    { fetch: send = patientFetch, replyLimits = LIMITS }: FetchSetting,
    onBackOff: (isBusy: boolean) => void = () => {},
  ) {
    this.#send = send;
    this.#limits = replyLimits;
    this.#onBackOff = onBackOff;
  }

  /** Milliseconds in which the agent could do nothing but wait. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#failedAt === null ? 0 : performance.now() - this.#failedAt);
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const startedAt = performance.now();
    this.#resume();
    this.received = null;
    try {
      const sent = await this.#send(input, { ...init, redirect: 'manual' });
      const received = toReceived(sent, typeof init?.body === 'string' && init.body.includes('"stream":true'));
      const response = sent.ok ? limitBody(sent, received, this.#limits) : await readError(sent, init?.signal);
      this.received = received;
      if (isRepeated(response)) this.#delay(startedAt, received);
      else this.#recover();
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) this.#delay(startedAt, null);
      throw error;
    }
  };

  /** Counts the time until `until` settles as waiting, for what a tool's server does; several tools may wait at once. */
  hold(why: NonNullable<Progress['backOff']>, until: Promise<unknown>): void {
    this.backOff = why;
    this.#failedAt ??= performance.now();
    this.#held += 1;
    const end = () => {
      this.#held -= 1;
      if (this.#held === 0) this.#resume();
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

  #delay(startedAt: number, received: Received | null): void {
    this.#failedAt = startedAt;
    const { status = null, requestId = null } = received ?? {};
    const kind = status === null ? 'network' : status === 429 ? 'rate_limit' : 'server';
    this.backOff = { kind, status, requestId };
    this.#onBackOff(status !== null && OVERLOADED.has(status));
  }
}

/** What tests change: the way to the server, and what one reply may have. */
export type FetchSetting = {
  readonly fetch?: typeof globalThis.fetch;
  readonly replyLimits?: ReplyLimits;
};

function toReceived({ status, headers, ok }: Response, streamAsked: boolean): Received {
  const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isExpected = streamAsked
    ? mediaType === 'text/event-stream'
    : /^application\/([\w.-]+\+)?json$/.test(mediaType);
  return {
    status,
    requestId: headers.get('x-request-id') ?? headers.get('request-id'),
    mediaType,
    streamAsked,
    unexpected: isExpected || !ok ? null : { start: '' },
    end: '',
    movedTo: status >= 300 && status < 400 ? (headers.get('location') ?? '') : null,
  };
}

/** Whether both SDKs try again. */
function isRepeated({ status, headers }: Response): boolean {
  const asked = headers.get('x-should-retry');
  if (asked === 'true' || asked === 'false') return asked === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A response whose body fails once it is too long, and whose start is kept where it is of the wrong kind. */
function limitBody(response: Response, received: Received, limits: ReplyLimits): Response {
  const { mediaType, unexpected } = received;
  if (response.body === null) return response;
  const isStream = mediaType === 'text/event-stream';
  const decoder = new TextDecoder();
  let size = 0;
  let open = 0;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (unexpected !== null && unexpected.start.length < MAX_START) {
          unexpected.start += decoder.decode(chunk.subarray(0, MAX_START), { stream: true });
        }
        size += chunk.byteLength;
        // An SDK collects an event until the empty line after it, in a time that grows with its square.
        const text = isStream ? Buffer.from(chunk).toString('latin1') : '';
        open = /\n\r?\n/.test(text) ? 0 : open + chunk.byteLength;
        received.end = (received.end + text).slice(-20);
        const excess = open > limits.bytes ? limits.bytes : size > limits.streamBytes ? limits.streamBytes : null;
        if (excess === null) return controller.enqueue(chunk);
        const problem = `The server sent more than ${excess / 1_000_000} MB in one piece`;
        controller.error(createModelError('bad_response', problem));
      },
    }),
  );
  return new Response(body, response);
}

const MAX_START = 1000;

/** An error with the start of its body, as far as that has come in time. One that breaks off is one that ends. */
async function readError(response: Response, signal: AbortSignal | null | undefined): Promise<Response> {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(cancel, ERROR_MS);
  let body = Buffer.alloc(0);
  try {
    while (body.byteLength < ERROR_BYTES) {
      const { value, done } = await reader.read();
      if (done) break;
      body = Buffer.concat([body, value]);
    }
  } catch {
    // What came before the break is what there is.
  }
  clearTimeout(timer);
  cancel();
  signal?.throwIfAborted();
  const error = new Response(body, response);
  // An exhausted quota comes as a 429 too, but no retry can help.
  if (response.status === 429 && /insufficient_quota|billing_hard_limit/.test(body.toString('utf8'))) {
    error.headers.set('x-should-retry', 'false');
  }
  return error;
}

/**
 * Node's fetch without its own limit of 300 s for a reply's headers, and for each pause in its body: a long answer that
 * is not streamed sends nothing for many minutes, and the sample's deadline ends it. Settings of the dispatcher that is
 * in force, such as a proxy, stay.
 */
export const patientFetch: typeof globalThis.fetch = (input, init) => {
  // Where Node's fetch and the package undici look for it too.
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (!isDispatcher(dispatcher)) return fetch(input, init);
  const dispatch: Dispatch = (options, handler) =>
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return fetch(input, Object.assign({}, init, { dispatcher: { dispatch } }));
};

type Dispatch = (options: object, handler: object) => boolean;

function isDispatcher(value: unknown): value is { readonly dispatch: Dispatch } {
  return typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function';
}
