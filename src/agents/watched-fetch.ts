import type { Progress } from '../types.ts';

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
type PutOff = NonNullable<Progress['putOff']>;

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
