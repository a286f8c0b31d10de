import { Stopwatch } from './stopwatch.ts';

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
  let callOff = () => {};
  const wait = () => {
    callOff = new Stopwatch().limit(limitMs, check);
  };
  const check = () => (isExcused() ? wait() : late.reject(new Error(problem)));
  wait();
  return Promise.race([work, late.promise]).finally(() => callOff());
}
