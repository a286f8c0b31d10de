import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { toMessage } from './wrong-reply.ts';

const MAX_LINE_BYTES = 10 * 1024 * 1024;

/** What a line was: a message of the protocol, or nonsense. */
type Line = JSONRPCMessage | 'nonsense';

/**
 * Cuts a stream into lines, each a message. The SDK's own buffer joins and searches all it holds at each chunk: a long
 * line in small chunks would hold the whole run up.
 */
export class MessageLines {
  #parts: Buffer[] = [];
  #bytes = 0;

  /** The lines that a chunk completes; "too long" when the one that has begun holds more than a message may. */
  append(chunk: Buffer): readonly Line[] | 'too long' {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      lines.push(parse(this.#take(chunk.subarray(start, end))));
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    if (this.#bytes <= MAX_LINE_BYTES) return lines;
    this.#take();
    return 'too long';
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  #take(last: Buffer = Buffer.alloc(0)): string {
    const line = Buffer.concat([...this.#parts, last]).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}

function parse(line: string): Line {
  try {
    return toMessage(JSON.parse(line));
  } catch {
    return 'nonsense';
  }
}
