import { clearInterval, setInterval } from 'node:timers';

/**
 * What `work` settles to. Rejects with an Error `problem` if that takes longer than `limitMs`
 * milliseconds; where `isExcused` says so then, it waits as long again.
 */
export async function endInTime<T>(
  work: PromiseLike<T>,
  limitMs: number,
  problem: string,
  isExcused: () => boolean = () => false,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  let waitedMs = 0;
  // In steps: a pause of the machine is at most one. No stopwatch, whose thread costs a run of cached
  // answers 30 ms of processor time.
  const stepMs = Math.min(limitMs / FEWEST_STEPS, 1000);
  const steps = setInterval(() => {
    waitedMs += stepMs;
    if (waitedMs < limitMs) return;
    if (isExcused()) waitedMs = 0;
    else late.reject(new Error(problem));
  }, stepMs);
  return Promise.race([work, late.promise]).finally(() => clearInterval(steps));
}

const FEWEST_STEPS = 4;
