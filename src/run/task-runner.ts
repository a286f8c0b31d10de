import { type RunnerTaskEventPack, TestRunner } from 'vitest';
import { locateSyntaxError } from '../agents/syntax-error.ts';
import { loadInTime } from './load-file.ts';

let cancellation = new AbortController();

/** Aborts if the run is cancelled; before 5.1, the signal of a test that has begun does not. */
export function whenCancelled(): AbortSignal {
  return cancellation.signal;
}

/** Calls `act` once if the run is cancelled, whatever cancels it. */
export function onCancelled(act: () => void): void {
  whenCancelled().addEventListener('abort', act, { once: true });
}

/** The file that runs, and what Vitest has reported last. */
let running = '';
let reported: RunnerTaskEventPack | null = null;

/**
 * Whether Vitest, which reports ten times a second, still has a timer for the hooks of a file that have
 * just begun.
 */
export function isReportDue(begun: RunnerTaskEventPack[1]): boolean {
  return reported?.[0] !== running || reported[1] !== begun;
}

/**
 * Vitest's own runner, which also tells of a cancelled run, what Vitest has reported, where a file has
 * a syntax error, and which file does not end loading.
 */
export default class TaskRunner extends TestRunner {
  constructor(...settings: ConstructorParameters<typeof TestRunner>) {
    super(...settings);
    cancellation = new AbortController();
  }

  override async importFile(...call: Parameters<TestRunner['importFile']>): Promise<unknown> {
    try {
      return await loadInTime(() => super.importFile(...call), call[0]);
    } catch (error) {
      throw locateSyntaxError(error, call[0]);
    }
  }

  override async onBeforeRunSuite(
    ...[suite]: Parameters<TestRunner['onBeforeRunSuite']>
  ): Promise<void> {
    running = suite.file.id;
    await super.onBeforeRunSuite(suite);
  }

  async onTaskUpdate(_results: unknown, events: readonly RunnerTaskEventPack[]): Promise<void> {
    reported = events.at(-1) ?? reported;
  }

  override cancel(...reason: Parameters<TestRunner['cancel']>): void {
    super.cancel(...reason);
    cancellation.abort();
  }
}
