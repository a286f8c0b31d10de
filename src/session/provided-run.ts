import type { ProvidedBaseline } from '../compare/baseline.ts';
import type { EvalConfig } from '../config.ts';
import type { HubSettings } from '../datasets/hub/hub-settings.ts';
import type { McpSettings } from '../tools/mcp/mcp-file.ts';

type RunFacts = {
  readonly config: EvalConfig;
  readonly root: string;
  /** Holds the token of the Hub, and is therefore no part of `config`, which the manifest shows. */
  readonly hub: HubSettings;
  /** The keys of the environment, which nothing that an agent says may carry into a file. */
  readonly secrets: readonly string[];
  /** 1 for a run; watch mode counts on. */
  readonly turn: number;
  /** How many eval files run beside each other. */
  readonly suites: number;
  /** Whether somebody sees the tests in the Vitest UI. */
  readonly ui: boolean;
  /** The part of the records that this process takes, as in `--shard=1/4`; null for all of them. */
  readonly shard: { readonly index: number; readonly count: number } | null;
};

/** What the main process tells the workers: the settings, or why nothing may run. Survives structured clone. */
export type ProvidedRun =
  /**
   * `folder` is the absolute path of the run folder, which exists; `mcp` the MCP servers with the keys that they need,
   * null where no agent uses any; `baseline` what the run is compared with; `unnamed` the eval files (absolute
   * paths) whose tests are shown as skipped, since nobody named them and their agent may cost money.
   */
  | (RunFacts & {
      readonly status: 'ready';
      readonly folder: string;
      readonly mcp: McpSettings | null;
      readonly baseline: ProvidedBaseline | null;
      readonly unnamed: readonly string[];
    })
  /** Tests are generated and shown as skipped: their agent may cost money. */
  | (RunFacts & { readonly status: 'held' })
  | { readonly status: 'refused'; readonly problems: readonly string[] };

declare module 'vitest' {
  interface ProvidedContext {
    viva: ProvidedRun;
  }
}
