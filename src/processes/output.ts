import type { Readable } from 'node:stream';

/** Collects a stream up to a number of bytes; calls `overflow` once when there is more, which is dropped. */
export class CappedOutput {
  /** How much has come; what is dropped is not counted. */
  bytes = 0;
  overflowed = false;
  readonly #chunks: Buffer[] = [];

  constructor(stream: Readable, maxBytes: number, overflow: () => void) {
    stream.on('data', (chunk: Buffer) => {
      if (this.overflowed) return;
      this.bytes += chunk.length;
      this.overflowed = this.bytes > maxBytes;
      if (this.overflowed) overflow();
      else this.#chunks.push(chunk);
    });
  }

  /** What came, as UTF-8; bytes that are none are replaced. */
  get text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks));
  }
}

/** Keeps the end of a stream. */
export class OutputTail {
  #tail = Buffer.alloc(0);
  #isCut = false;
  readonly #maxBytes: number;

  constructor(stream: Readable, maxBytes: number) {
    this.#maxBytes = maxBytes;
    stream.on('data', (chunk: Buffer) => {
      this.#isCut ||= this.#tail.length + chunk.length > this.#maxBytes;
      this.#tail = Buffer.concat([this.#tail, chunk.subarray(-this.#maxBytes)]).subarray(-this.#maxBytes);
    });
  }

  /** As UTF-8. A mark says that text before it is cut: half a key after the mark is redacted too. */
  get text(): string {
    const text = new TextDecoder().decode(this.#tail);
    return this.#isCut ? `…${text.replace(/^\uFFFD+/, '')}` : text;
  }
}
