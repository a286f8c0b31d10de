import { text as readAll } from 'node:stream/consumers';
import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
} from 'quickjs-emscripten-core';

/*
 * The program that `calculate` starts: {code, data, runMs} as JSON on stdin, {output, failed} as
 * JSON on stdout. The code sees nothing but the QuickJS machine that is made here for it.
 */

/** `runMs` is how much processor time the code may use. */
type Request = Readonly<{ code: string; data: string | null; runMs: number }>;

const PAGES_64_MIB = 1024;
const MAX_STACK_BYTES = 256 * 1024;
/** The text is cut here too, because the code may have replaced slice(). */
const MAX_OUTPUT = 50_000;

/**
 * Runs inside the QuickJS machine. It defines the console, and a function for the host that shows a
 * value and all logs.
 */
const PRELUDE = `(() => {
  const MAX = 20000;
  const logged = [];
  let size = 0;
  const plain = (_, part) =>
    typeof part === 'bigint' || (typeof part === 'number' && !Number.isFinite(part)) ? String(part)
    : part instanceof Map || part instanceof Set ? [...part]
    : part;
  const show = (value) => {
    if (typeof value === 'string') return value.slice(0, MAX);
    if (value instanceof Error) return value.name + ': ' + value.message;
    const text = typeof value === 'object' ? JSON.stringify(value, plain) : String(value);
    return String(text).slice(0, MAX);
  };
  const log = (...values) => {
    const line = values.map(show).join(' ');
    size += line.length + 1;
    if (size <= MAX) logged.push(line);
  };
  globalThis.console = { log, info: log, warn: log, error: log };
  return (value, failed) => {
    if (failed || value !== undefined || logged.length === 0) logged.push((failed ? '' : '= ') + show(value));
    // The host's strings end at the first NUL.
    return logged.join('\\n').replaceAll('\\0', '\\\\0');
  };
})()`;

const request: Request = JSON.parse(await readAll(process.stdin));
const context = await createContext(request);
process.stdout.write(JSON.stringify(run(context, request)));

async function createContext({ runMs }: Request): Promise<QuickJSContext> {
  // setMemoryLimit of quickjs-emscripten 0.32 counts no long strings and typed arrays together
  // (https://github.com/justjake/quickjs-emscripten/issues/271), but a maximum for the WebAssembly
  // memory does.
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: PAGES_64_MIB });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(release, { wasmMemory }));
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: MAX_STACK_BYTES });
  // The limit is processor time, not clock time: a busy machine must not change the result.
  const start = process.cpuUsage();
  runtime.setInterruptHandler(() => process.cpuUsage(start).user > runMs * 1000);
  return runtime.newContext();
}

function run(context: QuickJSContext, { code, data }: Request) {
  const show = context.unwrapResult(context.evalCode(PRELUDE));
  context.setProp(context.global, 'data', data === null ? context.null : context.newString(data));
  const outcome = context.evalCode(code, 'code.js');
  const failed = outcome.error !== undefined;
  const mark = failed ? context.true : context.false;
  const shown = context.callFunction(show, context.undefined, outcome.error ?? outcome.value, mark);
  if (shown.error !== undefined)
    return { output: 'InternalError: the result cannot be shown', failed: true };
  return { output: context.getString(shown.value).slice(0, MAX_OUTPUT), failed };
}
