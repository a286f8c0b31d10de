import type { SampleResult } from '../types.ts';
import type { Asked } from './ask.ts';

/**
 * The error of a trial that has nothing to assert on: what the agent threw, or that there is no output. Null when
 * there is an output to give to the matcher.
 */
export function toFailure(asked: Asked, result: SampleResult): Error | null {
  if (asked.outcome === 'failed') return asked.error;
  if (result.output !== null) return null;
  return new Error(`No output to grade: ${result.reason}. It counts as wrong.`);
}

/** What stands in for a failure's message where gated records must not be shown. */
export function hideGated(result: SampleResult): Error {
  const reason = result.reason === null ? '' : ` (${result.reason})`;
  return withoutStack(
    new Error(`${result.state}${reason}. Set EVAL_SHOW_GATED=1 to show questions, truths and answers in CI.`),
  );
}

/**
 * A wrong answer has no place in the code, and Vitest spends 3 to 9 ms of its main process on each stack frame's
 * source map: the stack is cut to the message, so that thousands of failures cost nothing.
 */
export function withoutStack<T>(error: T): T {
  if (error instanceof Error) error.stack = `${error.name}: ${error.message}`;
  return error;
}
