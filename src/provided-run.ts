import type { EvalConfig } from './config.ts';

/** What the main process tells the workers: the settings, or why nothing may run. Survives structured clone. */
export type ProvidedRun =
  | {
      readonly status: 'ready';
      readonly config: EvalConfig;
      readonly root: string;
      /** How many eval files run beside each other. */
      readonly suites: number;
      /** Absolute path of the run folder, which exists. */
      readonly folder: string;
    }
  /** Tests are generated and shown as skipped with this reason. */
  | {
      readonly status: 'held';
      readonly config: EvalConfig;
      readonly root: string;
      readonly suites: number;
      readonly reason: string;
    }
  | { readonly status: 'refused'; readonly problems: readonly string[] };

declare module 'vitest' {
  interface ProvidedContext {
    viva: ProvidedRun;
  }
}
