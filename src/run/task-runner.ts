import { TestRunner } from 'vitest';
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

/**
 * Vitest's own runner, which also tells of a cancelled run, where a file has a syntax error, and which
 * file does not end loading.
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

  override cancel(...reason: Parameters<TestRunner['cancel']>): void {
    super.cancel(...reason);
    cancellation.abort();
  }
}
