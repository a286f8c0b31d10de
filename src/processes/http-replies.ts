/** The most bytes of one reply, after decompression. */
export type ReplyLimits = Readonly<{
  /** Of a body, or of one event of a stream. */
  bytes: number;
  /** Of a stream, which repeats a frame around each few letters. */
  streamBytes: number;
}>;

type BodyWatch = {
  /** The error with which a body fails that is longer than these bytes. */
  onExcess(bytes: number, isStream: boolean): Error;
};

/**
 * A response whose body fails when it gets too long: a server that never ends must not fill the
 * memory, and the SDKs need quadratic time to collect a long event.
 */
export function limitBody(
  response: Response,
  limits: ReplyLimits,
  { onExcess }: BodyWatch,
): Response {
  if (response.body === null) return response;
  const isStream = /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '');
  // A TransformStream would cost twice as much.
  const reader = response.body.getReader();
  let size = 0;
  let open = 0;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { value: chunk, done } = await reader.read();
    if (done) return controller.close();
    size += chunk.byteLength;
    // An event ends with an empty line.
    const isEnd = isStream && /\n\r?\n|\r\r/.test(Buffer.from(chunk).toString('latin1'));
    open = isEnd ? 0 : open + chunk.byteLength;
    const most = open > limits.bytes ? limits.bytes : limits.streamBytes;
    if (open <= limits.bytes && size <= limits.streamBytes) return controller.enqueue(chunk);
    const excess = onExcess(most, isStream);
    void reader.cancel(excess).catch(() => {});
    throw excess;
  };
  const cancel = (reason: unknown) => reader.cancel(reason);
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), response);
}
