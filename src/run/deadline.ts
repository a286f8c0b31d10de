import type { Stopwatch } from '../processes/stopwatch.ts';
import { AgentError, Interrupted } from '../words/answer.ts';

/**
 * Runs `work` until `watch` shows the deadline. Then, or when `cancelled` aborts, its signal aborts
 * and the promise rejects at once (AgentError "timed_out" or Interrupted), also when `work` ignores
 * the signal; what it settles to later is dropped. In a cancelled run `work` is not called.
 */
export function withDeadline<T>(
  watch: Stopwatch,
  deadlineMs: number,
  cancelled: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const end = (error: Error) => {
      free();
      reject(error);
      controller.abort(error);
    };
    const interrupt = () => end(new Interrupted('interrupted', { cause: cancelled.reason }));
    const late = () => {
      const message = `No answer within ${deadlineMs / 1000} s. If the agent may take longer, raise EVAL_TIMEOUT, or "timeoutSeconds" of the suite.`;
      end(new AgentError('timed_out', message));
    };
    const stopWaiting = watch.limit(deadlineMs, late);
    const free = () => {
      stopWaiting();
      cancelled.removeEventListener('abort', interrupt);
    };
    if (cancelled.aborted) return interrupt();
    cancelled.addEventListener('abort', interrupt, { once: true });
    // A blocked event loop delays the timer: what settles late is late all the same.
    const unlessLate = (settle: () => void) => (watch.ms > deadlineMs ? late() : settle());
    work(controller.signal)
      .then(
        (value) => unlessLate(() => resolve(value)),
        (error: unknown) => unlessLate(() => reject(error)),
      )
      .finally(free);
  });
}
