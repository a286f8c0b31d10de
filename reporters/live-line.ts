/** A stream of a terminal, as far as it matters here. */
export type TerminalStream = Pick<NodeJS.WriteStream, 'write' | 'columns'>;

const CLEAR = '\r\u001B[2K';

/**
 * A line at the bottom of a terminal that is drawn anew each time. What others write to the given streams appears above
 * it, whole lines as ever: the line gives way before each write and comes back after it.
 */
export class LiveLine {
  readonly #stream: TerminalStream;
  readonly #write: TerminalStream['write'];
  readonly #restore: readonly (() => void)[];
  #text = '';
  #atLineStart = true;

  constructor(stream: TerminalStream, others: readonly TerminalStream[]) {
    this.#stream = stream;
    this.#write = stream.write.bind(stream);
    this.#restore = others.map((other) => this.#giveWayTo(other));
  }

  show(text: string): void {
    if (!this.#atLineStart) return;
    // A line that wraps could not be cleared.
    this.#text = text.slice(0, (this.#stream.columns || 80) - 1);
    this.#draw();
  }

  /** Takes the line away and leaves the streams as they were. */
  stop(): void {
    this.#clear();
    this.#text = '';
    for (const restore of this.#restore) restore();
  }

  #draw(): void {
    this.#write(`${CLEAR}${this.#text}`);
  }

  #clear(): void {
    if (this.#text !== '' && this.#atLineStart) this.#write(CLEAR);
  }

  #giveWayTo(stream: TerminalStream): () => void {
    const write = stream.write;
    stream.write = new Proxy(write, {
      apply: (target, _, args) => {
        this.#clear();
        this.#atLineStart = endsLine(args[0]);
        const written = Reflect.apply(target, stream, args);
        if (this.#atLineStart) this.#draw();
        return written;
      },
    });
    return () => {
      stream.write = write;
    };
  }
}

function endsLine(chunk: unknown): boolean {
  if (typeof chunk === 'string') return chunk === '' || chunk.endsWith('\n');
  return !(chunk instanceof Uint8Array) || chunk.length === 0 || chunk.at(-1) === 10;
}
