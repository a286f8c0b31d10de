import { AsyncLocalStorage } from 'node:async_hooks';
import { format, inspect } from 'node:util';
import type { TestContext } from 'vitest';
import { hideSecrets } from '../secrets/hide-secrets.ts';
import { writeOutControls } from '../text/visible-text.ts';
import { disarmCommands } from '../text/workflow-commands.ts';
import { guardStreams, writeOwn } from './guard-streams.ts';

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
  guardStreams((text) => tame(hideSecrets(text, hidden)));
}

function tameMethod(method: (typeof METHODS)[number]): void {
  // biome-ignore lint/suspicious/noConsole: what agents print goes on to where it went.
  const print = console[method].bind(console);
  console[method] = (...values: readonly unknown[]) => {
    const text = tame(hideSecrets(format(...values), hidden));
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
  return disarmCommands(
    parts.map((part, index) => (index % 2 === 1 ? part : writeOutControls(part, part.length))).join(''),
  );
}
