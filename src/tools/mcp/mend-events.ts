import { mendReply } from './wrong-reply.ts';

/** A longer line is passed on as it comes: no reply without a result is so long. */
const MAX_LINE_BYTES = 100_000;

/**
 * Mends the replies in a stream of events that hold no usable result: the protocol's library passes over them, and their
 * calls would be waited for.
 */
export function mendEvents(): TransformStream<Uint8Array, Uint8Array> {
  let held = Buffer.alloc(0);
  let isLong = false;
  return new TransformStream({
    transform: (chunk, controller) => {
      let rest = Buffer.from(chunk);
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
        const line = Buffer.concat([held, rest.subarray(0, end + 1)]);
        controller.enqueue(isLong ? line : mendLine(line));
        held = Buffer.alloc(0);
        isLong = false;
        rest = rest.subarray(end + 1);
      }
      held = Buffer.concat([held, rest]);
      isLong ||= held.length > MAX_LINE_BYTES;
      if (!isLong) return;
      controller.enqueue(held);
      held = Buffer.alloc(0);
    },
    flush: (controller) => controller.enqueue(held),
  });
}

function mendLine(line: Buffer): Buffer {
  const [, data] = /^data:(.*)$/m.exec(line.length > MAX_LINE_BYTES ? '' : line.toString('utf8')) ?? [];
  const mended = data === undefined ? null : mendReply(parse(data));
  return mended === null ? line : Buffer.from(`data: ${JSON.stringify(mended)}\n`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
