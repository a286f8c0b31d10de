const MARK = '[DONE]';

/** Notices the mark that ends a streamed reply of the chat API, which the SDK takes away. */
export class StreamEnd {
  #seen = false;

  /** Whether the last reply came to its mark. */
  get seen(): boolean {
    return this.#seen;
  }

  /** A fetch whose replies are watched. */
  wrap(send: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#seen = false;
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
        if (joined.includes(MARK)) this.#seen = true;
        before = joined.subarray(1 - MARK.length);
        controller.enqueue(chunk);
      },
    });
  }
}
