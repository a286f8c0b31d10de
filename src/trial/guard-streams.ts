import { StringDecoder } from 'node:string_decoder';

type Write = NodeJS.WriteStream['write'];

const STREAMS = ['stdout', 'stderr'] as const;

/** How each stream is written to when nothing stands between: for lines of our own. */
const writes = new Map<NodeJS.WriteStream, Write>();

/** What becomes of a text that something in this process writes; null: it is not written. */
let change: (text: string) => string | null = (text) => text;

/**
 * Puts a change between the code in this process and its two streams, for what is written past `console`. A text of
 * several writes is changed in parts, but a character whose bytes come apart is kept together. Callbacks, and the word on
 * whether to wait, are those of the stream. What is written to the file descriptor itself does not come by here.
 */
export function guardStreams(changeText: (text: string) => string | null): void {
  change = changeText;
  for (const name of STREAMS) if (!writes.has(process[name])) guardStream(process[name]);
}

/** Writes a line of our own to standard error, also where nothing of an agent's is shown. */
export function writeOwn(line: string): void {
  const write = writes.get(process.stderr) ?? process.stderr.write.bind(process.stderr);
  write(line);
}

function guardStream(stream: NodeJS.WriteStream): void {
  const write: Write = stream.write.bind(stream);
  writes.set(stream, write);
  const decoder = new StringDecoder('utf8');
  const guarded = (chunk: unknown, ...rest: readonly unknown[]): boolean => {
    const text = toText(chunk, rest[0], decoder);
    // The stream itself says what is wrong with it.
    if (text === null) return Reflect.apply(write, stream, [chunk, ...rest]);
    const done = rest.find((value) => typeof value === 'function');
    return Reflect.apply(write, stream, [change(text) ?? '', 'utf8', ...(done === undefined ? [] : [done])]);
  };
  Reflect.set(stream, 'write', guarded);
}

/** Null for what no stream takes. */
function toText(chunk: unknown, encoding: unknown, decoder: StringDecoder): string | null {
  if (ArrayBuffer.isView(chunk)) return decoder.write(toBytes(chunk));
  if (typeof chunk !== 'string') return null;
  if (typeof encoding !== 'string' || encoding === '') return decoder.end() + chunk;
  return Buffer.isEncoding(encoding) ? decoder.write(Buffer.from(chunk, encoding)) : null;
}

function toBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
