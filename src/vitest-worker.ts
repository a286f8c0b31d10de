import { Writable } from 'node:stream';

// All that viva uses of Vitest's worker beyond its documentation, besides the runner
// (`src/run/task-runner.ts`, which Vitest loads by its path) and assertions (`src/run/score-expect.ts`). It loads nothing of Vitest, since
// `viva doctor` runs agents without it. `test/vitest-internals.test.ts` has a case for each.

/**
 * Vitest sets these variables in its workers, but programs give them other meanings. If it sets
 * others, commands see them.
 */
export const WORKER_VARIABLES = [
  'NODE_ENV=test',
  'MODE=test',
  'DEV=1',
  'PROD=',
  'SSR=1',
  'BASE_URL=/',
  'TEST=true',
  'FORCE_TTY=',
] as const;

/**
 * Prints under a test. Vitest shows output under the test that began last; only its private field
 * `current` can name another. If it goes, output stands under the test that began last.
 */
export function printAs<T>(task: object | undefined, print: () => T): T {
  const worker: unknown = Reflect.get(globalThis, '__vitest_worker__');
  if (task === undefined || typeof worker !== 'object' || worker === null) return print();
  const current: unknown = Reflect.get(worker, 'current');
  Reflect.set(worker, 'current', task);
  try {
    return print();
  } finally {
    Reflect.set(worker, 'current', current);
  }
}

/**
 * The streams of Vitest's own console, to which all its methods write. If they go, what agents
 * print by `console` is neither hidden nor escaped.
 */
export function consoleStreams(): readonly Writable[] {
  return ['_stdout', '_stderr'].flatMap((name) => {
    const stream: unknown = Reflect.get(console, name);
    return stream instanceof Writable ? [stream] : [];
  });
}

/**
 * Changes what is thrown unhandled before Vitest prints it and counts it as an error of the run; null
 * keeps it from Vitest.
 * Its listeners come and go with each file, so `process.emit` is replaced. If Vitest listens
 * otherwise, such errors show what an agent may not show.
 */
export function changeThrown(change: (thrown: unknown) => Error | null): void {
  const emit = process.emit;
  const changed = function (this: unknown, event: unknown, ...values: readonly unknown[]): unknown {
    const isThrown = event === 'uncaughtException' || event === 'unhandledRejection';
    if (!isThrown) return Reflect.apply(emit, this, [event, ...values]);
    const [thrown, ...others] = values;
    const error = change(thrown);
    return error === null || Reflect.apply(emit, this, [event, error, ...others]);
  };
  Reflect.set(process, 'emit', changed);
}

let endsWithMain = false;

/**
 * Ends this worker at once when Vitest's main process has ended: its calls would still cost money,
 * and no result could be reported. All answers so far are on disk. `last` is called before. If
 * workers are no longer forks with a channel, they go on asking.
 */
export function endWithMain(last: () => void): void {
  if (endsWithMain) return;
  endsWithMain = true;
  process.once('disconnect', () => {
    last();
    // In a worker Vitest turns process.exit() into an error.
    process.kill(process.pid, 'SIGKILL');
  });
}
