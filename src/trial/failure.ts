import { toVisibleLines } from '../text/visible-text.ts';
import type { SampleResult } from '../types.ts';
import type { Asked } from './ask.ts';

/**
 * The error of a trial that has nothing to assert on: what the agent threw, or that there is no output. Null when
 * there is an output to give to the matcher.
 */
export function toFailure(asked: Asked, result: SampleResult): Error | null {
  if (asked.outcome === 'failed') return toShown(asked.error, 0);
  if (result.output !== null) return null;
  return new Error(`No output to grade: ${result.reason}. It counts as wrong.`);
}

/** What stands in for a failure's message where gated records must not be shown. */
export function hideGated(result: SampleResult): Error {
  const reason = result.reason === null ? '' : ` (${result.reason})`;
  return cutStack(
    new Error(`${result.state}${reason}. Set EVAL_SHOW_GATED=1 to show questions, truths and answers in CI.`),
  );
}

/**
 * A failed trial has no place in the code, and Vitest spends 3 to 9 ms of its main process on each stack frame's source
 * map: the stack is cut to the message, so that thousands of failures cost nothing.
 */
export function withoutFrames(error: unknown, { state }: Pick<SampleResult, 'state'>): unknown {
  if (!(error instanceof Error)) return error;
  // Vitest compares each stack with all earlier ones, to print equal failures once. Agents fail alike, but wrong answers
  // hardly ever do: 25,000 of them would take many seconds, and without any stack they are compared with nothing.
  if (state === 'incorrect') error.stack = '';
  else cutStack(error);
  return error;
}

function cutStack(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** Causes below this are left out: a chain may be endless. */
const MAX_CAUSES = 5;

/**
 * An error of an agent as it may be printed: its words with control characters written out, the same for its causes,
 * and none of its other fields, which a runner would print as they are.
 */
function toShown(error: Error, depth: number): Error {
  const cause = error.cause instanceof Error && depth < MAX_CAUSES ? toShown(error.cause, depth + 1) : undefined;
  const shown = new Error(toVisibleLines(error.message), cause === undefined ? undefined : { cause });
  shown.name = toVisibleLines(String(error.name));
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !line.includes('node_modules'));
  shown.stack = [`${shown.name}: ${shown.message}`, ...frames.map((frame) => toVisibleLines(frame))].join('\n');
  return shown;
}
