import { startTimer, stopTimer } from '../own-clock.ts';

/** A module may load a model while it is imported; a top-level await that never settles would hold the run for ever. */
const LIMIT_MS = 60_000;

type Importer = (url: string) => Promise<unknown>;

let importer: Importer = (url) => import(url);

/** Has the user's modules imported in another way: in a worker Vite compiles them, and knows the files they import. */
export function importModulesBy(other: Importer): void {
  importer = other;
}

/** Imports a module of the user's by its URL. Rejects when its import has not ended after `limitMs` milliseconds. */
export async function importModule(url: string, limitMs = LIMIT_MS): Promise<unknown> {
  const limit = Promise.withResolvers<never>();
  const problem = `its import has not ended after ${limitMs / 1000} s: a top-level await in it, or in a file that it imports, is still waiting`;
  const timer = startTimer(() => limit.reject(new Error(problem)), limitMs);
  try {
    return await Promise.race([importer(url), limit.promise]);
  } finally {
    stopTimer(timer);
  }
}
