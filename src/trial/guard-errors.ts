import { hideInMessage } from '../secrets/hide-in-message.ts';
import { toPlainError } from '../text/plain-error.ts';
import { toVisibleLines } from '../text/visible-text.ts';

/** What nobody waits for any more: Vitest prints it, and counts it as an error of the run. */
const EVENTS: readonly unknown[] = ['uncaughtException', 'unhandledRejection'];

let guard: Guard | null = null;

type Guard = { readonly gated: boolean; readonly secrets: readonly string[] };

/**
 * Makes harmless what an agent in this process throws when nobody waits for it: the user's keys are cut out, control
 * characters are written out, and where records must not be shown only the place is left.
 */
export function guardErrors(gated: boolean, secrets: readonly string[]): void {
  const isFirst = guard === null;
  guard = { gated: gated || guard?.gated === true, secrets };
  if (!isFirst) return;
  const emit = process.emit;
  // Listeners are Vitest's, which come and go with each file; all of them are to see the same.
  Reflect.set(process, 'emit', function (this: unknown, event: unknown, ...values: readonly unknown[]): unknown {
    const [error, ...rest] = values;
    return Reflect.apply(emit, this, EVENTS.includes(event) ? [event, clean(error), ...rest] : [event, ...values]);
  });
}

function clean(thrown: unknown): Error {
  const { gated = true, secrets = [] } = guard ?? {};
  const { name, message, stack = '' } = toPlainError(thrown);
  const said = gated ? HIDDEN : toVisibleLines(hideInMessage(message, secrets));
  const error = new Error(`${said} (thrown when no answer was awaited any more)`);
  error.name = toVisibleLines(hideInMessage(name, secrets)) || 'Error';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  error.stack = [`${error.name}: ${error.message}`, ...frames.map((line) => hideInMessage(line, secrets))].join('\n');
  return error;
}

const HIDDEN = 'What agents throw is hidden: it may hold gated records. Set EVAL_SHOW_GATED=1 to show it.';
