/** The most bytes of one reply, after decompression. */
export type ReplyLimits = {
  /** Of a body, or of one event of a stream. */
  readonly bytes: number;
  /** Of a stream, which repeats a frame around each few letters. */
  readonly streamBytes: number;
};

type BodyWatch = {
  /** The error with which a body fails that is longer than these bytes. */
  onExcess(bytes: number, isStream: boolean): Error;
  /** Sees each chunk. */
  onChunk?(chunk: Uint8Array): void;
};

/**
 * A response whose body fails when it gets too long: a server that never ends must not fill the
 * memory, and the SDKs need quadratic time to collect a long event.
 */
export function limitBody(
  response: Response,
  limits: ReplyLimits,
  { onExcess, onChunk }: BodyWatch,
): Response {
  if (response.body === null) return response;
  const isStream = /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '');
  let size = 0;
  let open = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      onChunk?.(chunk);
      size += chunk.byteLength;
      // An event ends with an empty line.
      const isEnd = isStream && /\n\r?\n|\r\r/.test(Buffer.from(chunk).toString('latin1'));
      open = isEnd ? 0 : open + chunk.byteLength;
      if (open > limits.bytes) controller.error(onExcess(limits.bytes, isStream));
      else if (size > limits.streamBytes) controller.error(onExcess(limits.streamBytes, isStream));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}
