import { type RunnerTestCase, type TestContext, TestRunner, type VitestTestRunner } from 'vitest';
import { locateSyntaxError } from '../agents/syntax-error.ts';
import type { ResultMeta } from '../store/trial-meta.ts';

/** What reporters get of a test, and what the test itself does not keep. */
type Reported = Readonly<{ meta?: ResultMeta; errors?: Result['errors'] }>;

type Result = NonNullable<RunnerTestCase['result']>;

const reportedOf = new Map<string, Reported>();

/** Gives a finished test its data, for reporters alone. */
export function tellReporters(test: { readonly id: string }, meta: ResultMeta): void {
  reportedOf.set(test.id, { ...reportedOf.get(test.id), meta });
}

let cancellation = new AbortController();

/**
 * A test's signal that aborts in any cancelled run: before 5.1, Vitest aborts no test that has
 * begun.
 */
export function whenCancelled({ signal }: Pick<TestContext, 'signal'>): AbortSignal {
  return AbortSignal.any([signal, cancellation.signal]);
}

/** Calls `act` once if the run is cancelled, whatever cancels it. */
export function onCancelled(act: () => void): void {
  cancellation.signal.addEventListener('abort', act, { once: true });
}

type Send = NonNullable<VitestTestRunner['onTaskUpdate']>;
type Pack = Parameters<Send>[0][number];

/**
 * Vitest's own runner, whose tests contain nothing that names an expected answer: the agents of other
 * trials run in the same process and can read them. Data and errors of a test are added to what is
 * sent to the reporters.
 */
export default class TaskRunner extends TestRunner {
  #send: Send | undefined;

  constructor(...settings: ConstructorParameters<typeof TestRunner>) {
    super(...settings);
    cancellation = new AbortController();
  }

  override async importFile(...call: Parameters<TestRunner['importFile']>): Promise<unknown> {
    try {
      return await super.importFile(...call);
    } catch (error) {
      throw locateSyntaxError(error, call[0]);
    }
  }

  override cancel(...reason: Parameters<TestRunner['cancel']>): void {
    super.cancel(...reason);
    cancellation.abort();
  }

  /** Called right after a test has failed, before anything is awaited. */
  onTaskFinished({ id, meta, result }: RunnerTestCase): void {
    if (meta.eval === undefined || result?.errors === undefined) return;
    reportedOf.set(id, { ...reportedOf.get(id), errors: result.errors });
    delete result.errors;
  }

  /** Vitest sets the function that sends. */
  set onTaskUpdate(send: Send | undefined) {
    this.#send = send;
  }

  get onTaskUpdate(): Send | undefined {
    const send = this.#send;
    return send && ((packs, events) => send(packs.map(withReported), events));
  }
}

function withReported([id, result, meta]: Pack): Pack {
  const reported = reportedOf.get(id);
  if (reported === undefined) return [id, result, meta];
  return [
    id,
    result && withErrors(result, reported.errors),
    reported.meta ? { ...meta, eval: reported.meta } : meta,
  ];
}

/** Vitest prints the errors of attempts. Evals have one attempt. */
function withErrors(result: Result, errors: Result['errors']): Result {
  if (errors === undefined) return result;
  const all = [...errors, ...(result.errors ?? [])];
  const attempts = result.attempts?.map((attempt) => ({ ...attempt, errors: all })) ?? [];
  return { ...result, errors: all, attempts };
}
