import { AsyncLocalStorage } from 'node:async_hooks';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { TestContext } from 'vitest';
import { changeThrown, consoleStreams, printAs } from '../vitest-worker.ts';
import { redact, redactMessage } from '../words/secrets.ts';
import { disarmCommands, escapeControls, escapeLines } from '../words/show.ts';
import { toPlainError } from '../words/thrown.ts';

let guard: Readonly<{ isHidden: boolean; secrets: readonly string[] }> | null = null;

/**
 * Filters what agents in this process print, by `console` or to the streams, and throw unhandled:
 * no keys, no control characters, no commands to CI. If records are gated nothing is shown: an
 * agent may print its question. `takes` says whether what is thrown is the error of a score.
 */
export function guardOutput(
  isHidden: boolean,
  secrets: readonly string[],
  takes: (thrown: unknown) => boolean,
): void {
  const isFirst = guard === null;
  guard = { isHidden: isHidden || guard?.isHidden === true, secrets };
  if (!isFirst) return;
  guardStreams(toPrinted);
  for (const stream of consoleStreams()) if (!writes.has(stream)) guardStream(stream, toPrinted);
  changeThrown((thrown) => (takes(thrown) ? null : toHarmless(thrown)));
}

/**
 * Filters what code in this process writes to standard output and standard error past `console`;
 * `change` returns null for text to leave out. Writes to the file descriptor itself are not seen.
 */
export function guardStreams(change: (text: string) => string | null): void {
  for (const stream of [process.stdout, process.stderr]) guardStream(stream, change);
}

/**
 * Asks an agent. Vitest then shows its `console` output under this test, also that of its timers.
 */
export function printUnder<T>(task: TestContext['task'], ask: () => T): T {
  return asking.run(task, ask);
}

/** Writes one of viva's own lines to standard error, even if agents' output is hidden. */
export function writeOwn(line: string): void {
  const write = writes.get(process.stderr) ?? process.stderr.write.bind(process.stderr);
  write(line);
}

let isAnnounced = false;

/** What may be printed of a text; null for nothing. */
function toPrinted(text: string): string | null {
  if (guard?.isHidden !== true) return escapeAll(redact(text, guard?.secrets ?? []));
  if (!isAnnounced)
    writeOwn(
      'Output of agents is hidden, because it may contain gated records. Set EVAL_SHOW_GATED=1 to show it.\n',
    );
  isAnnounced = true;
  return null;
}

/** Lines, tabs and colours (SGR sequences) stay: they are harmless. */
function escapeAll(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one.
  const parts = text.split(/(\u001B\[[0-9;]{0,20}m|[\n\t])/);
  return disarmCommands(
    parts.map((part, index) => (index % 2 === 1 ? part : escapeControls(part))).join(''),
  );
}

const asking = new AsyncLocalStorage<TestContext['task']>();

/** The write functions of the streams as they were, for viva's own lines. */
const writes = new Map<Writable, Writable['write']>();

function guardStream(stream: Writable, change: (text: string) => string | null): void {
  const write: Writable['write'] = stream.write.bind(stream);
  writes.set(stream, write);
  // A pipe may cut a character into two chunks.
  const decoder = new StringDecoder('utf8');
  const guarded = (chunk: unknown, ...rest: readonly unknown[]): boolean => {
    const [encoding] = rest;
    // The stream itself refuses what it cannot write.
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
      return Reflect.apply(write, stream, [chunk, ...rest]);
    const isEncoded = typeof encoding === 'string' && Buffer.isEncoding(encoding);
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, isEncoded ? encoding : 'utf8')
        : Buffer.from(chunk);
    const done = rest.find((value) => typeof value === 'function');
    const text = change(decoder.write(bytes));
    if (text !== null) {
      const call = [text, 'utf8', ...(done === undefined ? [] : [done])];
      return printAs(asking.getStore(), () => Reflect.apply(write, stream, call));
    }
    // Vitest would show an empty text as "<empty line>".
    if (typeof done === 'function') process.nextTick(done, null);
    return true;
  };
  Reflect.set(stream, 'write', guarded);
  // `end` writes its text past `write`.
  const end = stream.end.bind(stream);
  Reflect.set(stream, 'end', (...values: readonly unknown[]) => {
    const [chunk, encoding] = values;
    const isText = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (isText) guarded(chunk, encoding);
    return Reflect.apply(
      end,
      stream,
      isText ? values.filter((value) => typeof value === 'function') : values,
    );
  });
}

/**
 * An error thrown unhandled, by an agent or by a score, during its call or later. Where records are
 * gated only the place is left.
 */
function toHarmless(thrown: unknown): Error {
  const { isHidden = true, secrets = [] } = guard ?? {};
  const clean = (text: string) => escapeLines(redactMessage(text, secrets));
  const { name, message, stack = '' } = toPlainError(thrown);
  const error = new Error(`${isHidden ? HIDDEN : clean(message)} (thrown where nobody awaited it)`);
  error.name = clean(name) || 'Error';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  error.stack = [`${error.name}: ${error.message}`, ...frames.map(clean)].join('\n');
  return error;
}

const HIDDEN =
  'Errors of agents are hidden, because they may contain gated records. Set EVAL_SHOW_GATED=1 to show them.';
