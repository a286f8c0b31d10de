import { startTimer, stopTimer } from '../own-clock.ts';
import { AgentError } from '../types.ts';

/** Why a call was ended from outside: the run was cancelled. It is no failure of the agent. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Runs `work` under a deadline. At the deadline, or when `cancelled` aborts, the signal that `work` was given aborts
 * and the promise rejects at once (AgentError "timed_out" or Interrupted), also when `work` ignores the signal; what
 * it settles to later is dropped.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  cancelled: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (error: Error) => {
    ended.reject(error);
    controller.abort(error);
  };
  const interrupt = () => end(new Interrupted('The run was cancelled.', { cause: cancelled.reason }));
  const timer = startTimer(() => end(new AgentError('timed_out', timedOut(deadlineMs))), deadlineMs);
  cancelled.addEventListener('abort', interrupt, { once: true });
  if (cancelled.aborted) interrupt();
  try {
    return await Promise.race([work(controller.signal), ended.promise]);
  } finally {
    stopTimer(timer);
    cancelled.removeEventListener('abort', interrupt);
  }
}

function timedOut(deadlineMs: number): string {
  return `No answer within ${deadlineMs / 1000} s. Raise EVAL_TIMEOUT if the agent may take longer.`;
}
