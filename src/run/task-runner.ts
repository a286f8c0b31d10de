import { type RunnerTestCase, type TestContext, TestRunner, type VitestTestRunner } from 'vitest';
import type { ResultMeta } from '../store/trial-meta.ts';

/** What reporters are told of a test, and what the test itself does not keep. */
type Told = { readonly meta?: ResultMeta; readonly errors?: Result['errors'] };

type Result = NonNullable<RunnerTestCase['result']>;

const toldOf = new Map<string, Told>();

/** Gives a finished test its data, for reporters alone. */
export function tellReporters(test: { readonly id: string }, meta: ResultMeta): void {
  toldOf.set(test.id, { ...toldOf.get(test.id), meta });
}

let cancellation = new AbortController();

/**
 * A test's signal that aborts in any cancelled run: before 5.1, Vitest aborts no test that has
 * begun.
 */
export function whenCancelled({ signal }: Pick<TestContext, 'signal'>): AbortSignal {
  return AbortSignal.any([signal, cancellation.signal]);
}

type Send = NonNullable<VitestTestRunner['onTaskUpdate']>;
type Pack = Parameters<Send>[0][number];

/**
 * Vitest's own runner, whose tests hold nothing that names an expected answer: the agents of other
 * trials run in the same process and can read them. Data and errors of a test are added to what is
 * sent to the reporters.
 */
export default class TaskRunner extends TestRunner {
  #send: Send | undefined;

  constructor(...settings: ConstructorParameters<typeof TestRunner>) {
    super(...settings);
    cancellation = new AbortController();
  }

  override cancel(...reason: Parameters<TestRunner['cancel']>): void {
    super.cancel(...reason);
    cancellation.abort();
  }

  /** Called right after a test has failed, before anything is awaited. */
  onTaskFinished({ id, meta, result }: RunnerTestCase): void {
    if (meta.eval === undefined || result?.errors === undefined) return;
    toldOf.set(id, { ...toldOf.get(id), errors: result.errors });
    delete result.errors;
  }

  /** Vitest sets the function that sends. */
  set onTaskUpdate(send: Send | undefined) {
    this.#send = send;
  }

  get onTaskUpdate(): Send | undefined {
    const send = this.#send;
    return send && ((packs, events) => send(packs.map(withTold), events));
  }
}

function withTold([id, result, meta]: Pack): Pack {
  const told = toldOf.get(id);
  if (told === undefined) return [id, result, meta];
  return [
    id,
    result && withErrors(result, told.errors),
    told.meta ? { ...meta, eval: told.meta } : meta,
  ];
}

/** Vitest prints the errors of attempts. Evals have one attempt. */
function withErrors(result: Result, errors: Result['errors']): Result {
  if (errors === undefined) return result;
  const all = [...errors, ...(result.errors ?? [])];
  const attempts = result.attempts?.map((attempt) => ({ ...attempt, errors: all })) ?? [];
  return { ...result, errors: all, attempts };
}
