const MARK = '[DONE]';
/** As a field: in a text of the model its quotes would be written out. */
const REASON = '"finish_reason"';

/**
 * Notices the mark that ends a streamed reply of the chat API, which the SDK takes away, and whether its chunks name a
 * finish reason at all, which the SDK puts into each.
 */
export class StreamEnd {
  #sawMark = false;
  #sawReason = false;

  /**
   * Whether the mark alone says that the last reply is whole. Where chunks name the finish reason the last one gives it;
   * a proxy whose source broke off sends the mark all the same.
   */
  get isMarked(): boolean {
    return this.#sawMark && !this.#sawReason;
  }

  /** A fetch whose replies are watched. */
  wrap(send: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#sawMark = false;
      this.#sawReason = false;
      const response = await send(input, init);
      const { body, status, headers, ok } = response;
      if (!ok || body === null) return response;
      return new Response(body.pipeThrough(this.#watch()), { status, headers });
    };
  }

  #watch(): TransformStream<Uint8Array, Uint8Array> {
    let before = Buffer.alloc(0);
    return new TransformStream({
      transform: (chunk, controller) => {
        const joined = Buffer.concat([before, chunk]);
        this.#sawMark ||= joined.includes(MARK);
        this.#sawReason ||= joined.includes(REASON);
        before = joined.subarray(1 - REASON.length);
        controller.enqueue(chunk);
      },
    });
  }
}
