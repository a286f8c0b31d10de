import { AsyncLocalStorage } from 'node:async_hooks';
import { StringDecoder } from 'node:string_decoder';
import { format, inspect } from 'node:util';
import type { TestContext } from 'vitest';
import { redact, redactIn, redactMessage } from '../text/secrets.ts';
import { disarmCommands, escapeControls, escapeLines } from '../text/show.ts';
import { mapError, toPlainError } from '../text/thrown.ts';
import { AgentError, type Answer } from '../types.ts';
import type { Asked } from './ask.ts';

const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const MORE_METHODS = ['trace', 'dir', 'table'] as const;

let guard: 'none' | 'tamed' | 'hidden' = 'none';
let hidden: readonly string[] = [];

/**
 * Makes harmless what an agent in this process prints, by `console` or to the streams themselves: control characters but
 * line breaks, tabs and colours are written out, commands to CI broken, and the user's keys cut out. Where records must
 * not be shown nothing of it is, since an agent may print its question; that is said once.
 */
export function guardConsole(gated: boolean, secrets: readonly string[]): void {
  hidden = secrets;
  if (guard === 'hidden') return;
  if (gated) hide();
  else if (guard === 'none') tameAll();
  guard = gated ? 'hidden' : 'tamed';
}

const asking = new AsyncLocalStorage<TestContext['task']>();

/** Asks an agent so that what it prints by `console`, also in timers of its own, stands under this test. */
export function printUnder<T>(task: TestContext['task'], ask: () => T): T {
  return asking.run(task, ask);
}

/**
 * Of tests that run side by side Vitest takes the one that began last for whoever prints, and has no other way to say it
 * than this field of its own.
 */
function underOwnTest(print: () => void): void {
  const worker: unknown = Reflect.get(globalThis, '__vitest_worker__');
  const task = asking.getStore();
  const isKnown = task !== undefined && typeof worker === 'object' && worker !== null;
  const current: unknown = isKnown ? Reflect.get(worker, 'current') : null;
  if (isKnown) Reflect.set(worker, 'current', task);
  print();
  if (isKnown) Reflect.set(worker, 'current', current);
}

/** `trace` and `table` print through the others; `dir` does not. */
function tameAll(): void {
  for (const method of METHODS) tameMethod(method);
  // biome-ignore lint/suspicious/noConsole: what agents print goes on to where it went.
  console.dir = (value, options) => console.log(inspect(value, options));
  guardStreams((text) => tame(redact(text, hidden)));
}

function tameMethod(method: (typeof METHODS)[number]): void {
  // biome-ignore lint/suspicious/noConsole: what agents print goes on to where it went.
  const print = console[method].bind(console);
  console[method] = (...values: readonly unknown[]) => {
    const text = tame(redact(format(...values), hidden));
    underOwnTest(() => print('%s', text));
  };
}

function hide(): void {
  let said = false;
  const drop = () => {
    if (said) return;
    said = true;
    writeOwn('What agents print is hidden: it may hold gated records. Set EVAL_SHOW_GATED=1 to show it.\n');
  };
  for (const method of [...METHODS, ...MORE_METHODS]) console[method] = drop;
  guardStreams(() => {
    drop();
    return null;
  });
}

/** Colours (SGR sequences) stay: they act on nothing but themselves. */
function tame(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one.
  const parts = text.split(/(\u001B\[[0-9;]{0,20}m|[\n\t])/);
  return disarmCommands(parts.map((part, index) => (index % 2 === 1 ? part : escapeControls(part))).join(''));
}

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

/** What nobody waits for any more: Vitest prints it, and counts it as an error of the run. */
const EVENTS: readonly unknown[] = ['uncaughtException', 'unhandledRejection'];

let guardThrown: Guard | null = null;

type Guard = { readonly gated: boolean; readonly secrets: readonly string[] };

/**
 * Makes harmless what an agent in this process throws when nobody waits for it: the user's keys are cut out, control
 * characters are written out, and where records must not be shown only the place is left.
 */
export function guardErrors(gated: boolean, secrets: readonly string[]): void {
  const isFirst = guardThrown === null;
  guardThrown = { gated: gated || guardThrown?.gated === true, secrets };
  if (!isFirst) return;
  const emit = process.emit;
  // Listeners are Vitest's, which come and go with each file; all of them are to see the same.
  Reflect.set(process, 'emit', function (this: unknown, event: unknown, ...values: readonly unknown[]): unknown {
    const [error, ...rest] = values;
    return Reflect.apply(emit, this, EVENTS.includes(event) ? [event, clean(error), ...rest] : [event, ...values]);
  });
}

function clean(thrown: unknown): Error {
  const { gated = true, secrets = [] } = guardThrown ?? {};
  const { name, message, stack = '' } = toPlainError(thrown);
  const said = gated ? HIDDEN : escapeLines(redactMessage(message, secrets));
  const error = new Error(`${said} (thrown when no answer was awaited any more)`);
  error.name = escapeLines(redactMessage(name, secrets)) || 'Error';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  error.stack = [`${error.name}: ${error.message}`, ...frames.map((line) => redactMessage(line, secrets))].join('\n');
  return error;
}

const HIDDEN = 'What agents throw is hidden: it may hold gated records. Set EVAL_SHOW_GATED=1 to show it.';

/**
 * Does what may fail before anything is asked. An error that quotes a record, or what a module threw, is no command to
 * CI where Vitest prints it, nor are its causes; any other stays the same one.
 */
export async function withoutCommands<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const plain = toPlainError(error);
    throw holdsCommand(plain) ? mapError(plain, disarmCommands) : error;
  }
}

function holdsCommand({ name, message, stack = '', cause }: Error): boolean {
  if ([name, message, stack].some((text) => disarmCommands(text) !== text)) return true;
  return cause instanceof Error && holdsCommand(cause);
}

/**
 * An error without the user's keys in its name, message, stack and causes. Vitest prints what it is given, and more
 * fields than these: the error is made anew.
 */
export function hideInError(thrown: unknown, secrets: readonly string[]): Error {
  return mapError(toPlainError(thrown), (text) => redactMessage(text, secrets));
}

/** Does what may fail before anything is asked: loading records, agents and modules, which all may say a key. */
export async function withoutKeys<T>(secrets: readonly string[], act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw secrets.length === 0 ? error : hideInError(error, secrets);
  }
}

/** What came of asking without the user's keys, whichever agent said them: answer, trace, message, causes. */
export function hideInAsked(asked: Asked, secrets: readonly string[]): Asked {
  if (secrets.length === 0) return asked;
  if (asked.outcome === 'answered') return { ...asked, answer: hideInAnswer(asked.answer, secrets) };
  const { kind, message, status, requestId, latencyMs, progress, cause } = asked.error;
  const error = new AgentError(kind, redactMessage(message, secrets), {
    status,
    // What a server names a request by is its own text, as a message is.
    requestId: requestId === null ? null : redactMessage(requestId, secrets),
    progress: redactIn(progress, secrets, redactMessage),
    cause: cause instanceof Error ? hideInError(cause, secrets) : undefined,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  });
  return { ...asked, error };
}

/** The answer's own text is scored: a word of it that is half of a key stays. Tools' messages in the trace are cut. */
function hideInAnswer(answer: Answer, secrets: readonly string[]): Answer {
  const hidden = redactIn(answer, secrets);
  return hidden.trace === undefined ? hidden : { ...hidden, trace: redactIn(hidden.trace, secrets, redactMessage) };
}

let ends = false;

/**
 * Ends this worker at once when Vitest's main process is gone. Nobody could be told a result any more, calls would go on
 * costing money, and what their ends look like from here would be kept as failures of the agent. What was answered is
 * on disk: every write is synchronous.
 */
export function endWithMain(): void {
  if (ends) return;
  ends = true;
  // In a worker Vitest turns process.exit() into an error.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
