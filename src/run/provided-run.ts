import type { EvalConfig } from '../config.ts';
import type { HubSettings } from '../datasets/hub/hub-source.ts';
import type { SuiteManifest } from '../store/manifest.ts';
import type { McpSettings } from '../tools/mcp/mcp-file.ts';
import type { Shard } from '../types.ts';

/** What the main process tells the worker, as structured clone copies it: what to run, or why nothing may run. */
export type ProvidedRun = ReadyRun | SkippedRun | { readonly status: 'refused'; readonly problems: readonly string[] };

type RunFacts = {
  readonly config: EvalConfig;
  /** Holds the token of the Hub, and is therefore no part of `config`, which the manifest shows. */
  readonly hub: HubSettings;
  /** The keys of the environment and of MCP servers, which reach no file. */
  readonly secrets: readonly string[];
  /** Counts the runs of watch mode; 1 elsewhere. */
  readonly watchRun: number;
  /** How many eval files run in this process. */
  readonly suites: number;
  /** Whether the Vitest UI is open. */
  readonly ui: boolean;
  /** Why an agent that stands in an eval file may not be asked; null where it may. */
  readonly held: string | null;
  /** The part of the records that this process takes, as in `--shard=1/4`; null for all of them. */
  readonly shard: Shard | null;
};

/** Tests are generated and skipped, since the agent may cost money. */
export type SkippedRun = RunFacts & { readonly status: 'skipped' };

export type ReadyRun = RunFacts & {
  readonly status: 'ready';
  /** Absolute path of the run folder, which exists. */
  readonly folder: string;
  /** Null where no agent uses MCP servers. */
  readonly mcp: McpSettings | null;
  readonly baseline: ProvidedBaseline | null;
};

/** What the worker needs to know of the run that EVAL_BASELINE names. */
export type ProvidedBaseline = {
  /** Name of its folder. */
  readonly name: string;
  readonly sides: readonly (Pick<SuiteManifest, 'suite' | 'dataset' | 'dataset_hash'> & { readonly agent: string })[];
};

declare module 'vitest' {
  interface ProvidedContext {
    viva: ProvidedRun;
  }
}

/** Name of an error that was found before anything was asked. */
export const REFUSED = 'Refused';
