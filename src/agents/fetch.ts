import type { AgentError, ErrorKind, Progress } from '../types.ts';
import { createModelError, kindOfCode, MAX_CAUSES, messageOf, toKind } from './model-error.ts';
import { countField, field, textField } from './outside-value.ts';

/** What a server answered to the last request: SDKs leave it out of the errors that they make of a wrong reply. */
export type Received = {
  readonly status: number;
  readonly requestId: string | null;
  /** The media type alone; empty when there is none. */
  readonly mediaType: string;
  /** Whether a stream of events was asked for, and not one JSON value. */
  readonly streamAsked: boolean;
  /** How the body begins, as far as it has come, where it is not of the kind that was asked for. */
  readonly unexpected: { readonly start: string } | null;
  /** Where a redirect points, which is not followed. */
  readonly movedTo: string | null;
};

/** Why a request was put off: the SDKs repeat such requests by themselves after a while, and say nothing of it. */
type PutOff = NonNullable<Progress['backOff']>;

/** Replies that mean "not now, there are too many of you". */
const NOT_ADMITTED: ReadonlySet<number> = new Set([429, 503, 529]);

/**
 * Watches the requests of one answer, which are made one after another, through the `fetch` that it lends to an SDK:
 * reports every one that the SDK will repeat, and adds up the time from a failed attempt to the next one.
 */
export class WatchedFetch {
  readonly #send: typeof globalThis.fetch;
  readonly #onPutOff: (isRefusal: boolean) => void;
  #failedAt: number | null = null;
  #waitedMs = 0;
  #received: Received | null = null;
  #putOff: PutOff | null = null;

  constructor(send: typeof globalThis.fetch, onPutOff: (isRefusal: boolean) => void) {
    this.#send = send;
    this.#onPutOff = onPutOff;
  }

  /** Milliseconds in which the agent could do nothing but wait. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#failedAt === null ? 0 : performance.now() - this.#failedAt);
  }

  /** The reply to the last request; null while there is none. */
  get received(): Received | null {
    return this.#received;
  }

  /** Why a request of this answer was last put off; null when none was. */
  get putOff(): PutOff | null {
    return this.#putOff;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const startedAt = performance.now();
    this.#waitedMs = this.waitedMs;
    this.#failedAt = null;
    this.#received = null;
    try {
      const streamAsked = typeof init?.body === 'string' && init.body.includes('"stream":true');
      const sent = await this.#send(input, init);
      const { response, received } = keepUnexpected(
        sent.status === 429 ? await withoutRetryOfQuota(sent) : sent,
        streamAsked,
      );
      this.#received = received;
      if (isRepeated(response)) this.#delay(startedAt, received);
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) this.#delay(startedAt, null);
      throw error;
    }
  };

  #delay(startedAt: number, received: Received | null): void {
    this.#failedAt = startedAt;
    const { status = null, requestId = null } = received ?? {};
    const kind = status === null ? 'network' : status === 429 ? 'rate_limit' : 'server';
    this.#putOff = { kind, status, requestId };
    this.#onPutOff(status !== null && NOT_ADMITTED.has(status));
  }
}

/** Whether both SDKs try again. */
function isRepeated({ status, headers }: Response): boolean {
  const asked = headers.get('x-should-retry');
  if (asked === 'true' || asked === 'false') return asked === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function keepUnexpected(response: Response, streamAsked: boolean) {
  const mediaType = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isExpected = streamAsked
    ? mediaType === 'text/event-stream'
    : /^application\/([\w.-]+\+)?json$/.test(mediaType);
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? headers.get('request-id');
  const movedTo = status >= 300 && status < 400 ? (headers.get('location') ?? '') : null;
  const received = { status, requestId, mediaType, streamAsked, movedTo };
  if (isExpected || !response.ok || response.body === null)
    return { response, received: { ...received, unexpected: null } };
  const unexpected = { start: '' };
  const body = response.body.pipeThrough(keepStart(unexpected));
  return { response: new Response(body, { status, headers }), received: { ...received, unexpected } };
}

/** Keeps how a body begins, while whoever asked for it reads it. */
function keepStart(kept: { start: string }): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  return new TransformStream({
    transform: (chunk, controller) => {
      if (kept.start.length < MAX_START) kept.start += decoder.decode(chunk.subarray(0, MAX_START), { stream: true });
      controller.enqueue(chunk);
    },
  });
}

const MAX_START = 1000;

/** An exhausted quota comes as a 429 too, but no retry can help. */
async function withoutRetryOfQuota(response: Response): Promise<Response> {
  const body = await response.text();
  const headers = new Headers(response.headers);
  if (/insufficient_quota|billing_hard_limit/.test(body)) headers.set('x-should-retry', 'false');
  return new Response(body, { status: response.status, headers });
}

/** What one reply may take. Bytes are counted after decompression. */
export type ReplyLimits = {
  readonly bytes: number;
  /** The same for a stream of events, which repeats its frame around each few letters; one event may have `bytes`. */
  readonly streamBytes: number;
  /** Of an error only so much is read, and for so long. */
  readonly errorBytes: number;
  readonly errorMs: number;
};

const LIMITS: ReplyLimits = { bytes: 20_000_000, streamBytes: 60_000_000, errorBytes: 100_000, errorMs: 1000 };

/**
 * A fetch that trusts no server: it follows no redirect, or a host that nobody chose would be told the question and
 * graded for its answer; a reply fails once it is too long; and an error arrives whole, so that its status counts even
 * where its body never ends.
 */
export function guardFetch(send: typeof globalThis.fetch, changed: Partial<ReplyLimits> = {}): typeof globalThis.fetch {
  const limits = { ...LIMITS, ...changed };
  return async (input, init) => {
    const response = await send(input, { ...init, redirect: 'manual' });
    const { body, ok } = response;
    if (body === null) return response;
    if (ok) return replaceBody(response, body.pipeThrough(isStream(response) ? capStream(limits) : cap(limits.bytes)));
    const start = await readStart(body, limits.errorBytes, limits.errorMs);
    init?.signal?.throwIfAborted();
    return replaceBody(response, start);
  };
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('text/event-stream') === true;
}

function cap(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size <= maxBytes) controller.enqueue(chunk);
      else controller.error(createModelError('bad_response', describeExcess(maxBytes)));
    },
  });
}

/** The same for a stream and for each event of it, which an SDK collects until the empty line after it. */
function capStream({ bytes, streamBytes }: ReplyLimits): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let open = 0;
  let before = Buffer.alloc(0);
  return new TransformStream({
    transform: (chunk, controller) => {
      const joined = Buffer.concat([before, chunk]);
      const end = Math.max(joined.lastIndexOf('\n\n'), joined.lastIndexOf('\n\r\n'));
      before = joined.subarray(-2);
      size += chunk.byteLength;
      open = end < 0 ? open + chunk.byteLength : joined.byteLength - end;
      if (size <= streamBytes && open <= bytes) return controller.enqueue(chunk);
      const limit = open > bytes ? bytes : streamBytes;
      controller.error(createModelError('bad_response', describeExcess(limit)));
    },
  });
}

function describeExcess(maxBytes: number): string {
  return `The server sent more than ${maxBytes / 1_000_000} MB in one piece`;
}

/** A status that HTTP does not know is none that a Response can be made with. */
function replaceBody({ status, headers }: Response, body: ConstructorParameters<typeof Response>[0]): Response {
  return new Response(body, { status: status > 599 ? 599 : status, headers });
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

/**
 * What code of the user's threw, when it or a cause of it is a failure of the way to a provider, as SDKs, fetch and
 * sockets throw it; null for a fault of the code itself. Stricter than `toModelError`, as such code does other things too.
 */
export function toWayError(error: unknown): AgentError | null {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth++) {
    const status = httpStatusOf(current);
    const kind = status === null ? kindWithoutStatus(current) : toKind(current, status);
    const requestId = textField(current, 'requestID');
    if (kind !== null && WAY_KINDS.has(kind)) return createModelError(kind, messageOf(error), { status, requestId });
    current = field(current, 'cause');
  }
  return null;
}

/** Failures of the way to a provider, and not of who took it: the next run asks again. */
const WAY_KINDS: ReadonlySet<ErrorKind> = new Set(['rate_limit', 'quota', 'auth', 'server', 'network']);

/** A child process that failed has a status too: its exit code. */
function httpStatusOf(error: object): number | null {
  const status = countField(error, 'status') || countField(error, 'statusCode');
  return status >= 400 && status < 600 ? status : null;
}

/** Providers write their codes in small letters; those in capitals are Node's, for all that can go wrong on a machine. */
function kindWithoutStatus(error: object): ErrorKind | null {
  const codes = [textField(error, 'code'), textField(error, 'type')].filter((code) => code !== null);
  if (codes.some((code) => SOCKET_CODES.test(code)) && !/^spawn/.test(textField(error, 'syscall') ?? ''))
    return 'network';
  if (/^APIConnection/.test(error.constructor?.name ?? '')) return 'network';
  return kindOfCode(codes.filter((code) => /^[a-z_]+$/.test(code)).join(' '));
}

const SOCKET_CODES =
  /^(?:UND_ERR_\w+|ECONN(?:RESET|REFUSED|ABORTED)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET)$/;

/**
 * The first bytes of a body, at most `maxBytes` of them and what came within `maxMs`; the rest is let go. A body that
 * breaks off is one that ends.
 */
async function readStart(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  maxMs: number | null = null,
): Promise<Uint8Array> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = maxMs === null ? undefined : setTimeout(cancel, maxMs);
  const chunks: Uint8Array[] = [];
  try {
    for (let size = 0; size < maxBytes; size += chunks.at(-1)?.byteLength ?? 0) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
  } catch {
    // What came before the break is what there is.
  } finally {
    clearTimeout(timer);
    cancel();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
