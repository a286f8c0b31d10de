import type { AgentSources, ModuleSetting } from '../agents/module.ts';
import type { HubSettings } from '../data/hub/hub-source.ts';
import type { ProvidedBaseline } from '../figures/compare-runs.ts';
import type { EvalConfig } from '../settings.ts';
import type { McpSettings } from '../tools/mcp/mcp-file.ts';
import type { Shard } from '../words/sample.ts';
import type { AskedPrompt } from './prompt.ts';

/**
 * What the main process tells the worker: what to run, or why nothing may run. It must survive a
 * structured clone.
 */
export type ProvidedRun =
  | ReadyRun
  | SkippedRun
  | Readonly<{ status: 'refused'; problems: readonly string[] }>;

type RunFacts = Readonly<{
  config: EvalConfig;
  /** The kinds that `viva()` registers. The worker gets their factories from `file`. */
  kinds: readonly { name: string; isFree: boolean; file: string }[];
  /** Has the token of the Hub, so it is not in `config`, which the manifest shows. */
  hub: HubSettings;
  /** The keys of the environment and of MCP servers. They are written to no file. */
  secrets: readonly string[];
  /** Number of this watch run; 1 without watch mode. */
  watchRun: number;
  /** How many suites this process runs; null where it is not sure. */
  suites: number | null;
  /** Whether the Vitest UI is open. */
  ui: boolean;
  /** Why an agent defined in an eval file may not be asked; null if it may. */
  blockedBecause: string | null;
  /** The shard of this process, as in `--shard=1/4`; null for all records. */
  shard: Shard | null;
}>;

/** Tests are generated and skipped, because the agent may cost money. */
export type SkippedRun = RunFacts & { readonly status: 'skipped' };

export type ReadyRun = RunFacts &
  Readonly<{
    status: 'ready';
    /** What the agents of eval files and modules depend on; absent where nothing can run. */
    sources?: AgentSources;
    /** Absolute path of the run folder, which exists. */
    folder: string;
    /** The folder in which the worker lists its process groups; null if there is none. */
    groups: string | null;
    /** What earlier watch runs have spent of EVAL_MAX_COST. */
    spentUsd: number;
    /** Null if no agent uses MCP servers. */
    mcp: McpSettings | null;
    /** Why the file of servers cannot be read, if no setting says that they are needed. */
    mcpProblem?: string;
    baseline: ProvidedBaseline | null;
    /** Of EVAL_PROMPT; empty without it. */
    prompts: readonly AskedPrompt[];
  }>;

/** What asking agents, judges and users needs of a run, in the worker. */
export type AskingRun = Pick<
  ReadyRun,
  'config' | 'folder' | 'spentUsd' | 'secrets' | 'mcp' | 'mcpProblem' | 'blockedBecause'
> &
  ModuleSetting;

declare module 'vitest' {
  interface ProvidedContext {
    viva: ProvidedRun;
  }
}

/** Name of an error that stops an eval file before a question is asked. */
export const REFUSED = 'Refused';
