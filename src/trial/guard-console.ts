import { format, inspect } from 'node:util';
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
  console[method] = (...values: readonly unknown[]) => print('%s', tame(hideSecrets(format(...values), hidden)));
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
