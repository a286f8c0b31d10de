import { createModelError } from './model-error.ts';
import { readStart } from './read-start.ts';

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
