/** Replies that mean "not now". The SDKs retry them by themselves and say nothing of it. */
const NOT_ADMITTED: ReadonlySet<number> = new Set([429, 503, 529]);

/**
 * Watches the requests of one answer, which are made one after another, through the `fetch` that it lends to an SDK:
 * reports every refusal, and adds up the time from a refused attempt to the next one.
 */
export class BackOff {
  readonly #send: typeof globalThis.fetch;
  readonly #onRefusal: () => void;
  #refusedAt: number | null = null;
  #waitedMs = 0;

  constructor(send: typeof globalThis.fetch, onRefusal: () => void) {
    this.#send = send;
    this.#onRefusal = onRefusal;
  }

  /** Milliseconds in which the agent could do nothing but wait. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const startedAt = performance.now();
    if (this.#refusedAt !== null) this.#waitedMs += startedAt - this.#refusedAt;
    this.#refusedAt = null;
    const response = await this.#send(input, init).catch(withoutRetryOfSlowReplies);
    if (!NOT_ADMITTED.has(response.status)) return response;
    this.#refusedAt = startedAt;
    this.#onRefusal();
    return response.status === 429 ? withoutRetryOfQuota(response) : response;
  };
}

/** An exhausted quota comes as a 429 too, but no retry can help. */
async function withoutRetryOfQuota(response: Response): Promise<Response> {
  const body = await response.text();
  const headers = new Headers(response.headers);
  if (/insufficient_quota|billing_hard_limit/.test(body)) headers.set('x-should-retry', 'false');
  return new Response(body, { status: response.status, headers });
}

/**
 * Node's fetch gives up when a reply's headers take more than 300 s, whatever the SDK's timeout. A retry would pay for
 * the same long answer again and fail again.
 */
function withoutRetryOfSlowReplies(error: unknown): Response {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_HEADERS_TIMEOUT')) throw error;
  const message = 'no reply began within 300 s; with the parameter stream=on the reply begins at once';
  return Response.json({ error: { message } }, { status: 504, headers: { 'x-should-retry': 'false' } });
}
