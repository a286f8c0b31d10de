import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { version as vitestVersion } from 'vitest/node';
import packageJson from '../package.json' with { type: 'json' };
import { asksModel, isPaid } from './agents/agent-spec.ts';
import { readBaseline, toProvidedBaseline } from './compare/baseline.ts';
import type { ComparedRun } from './compare/read-run.ts';
import { ConfigError, type EvalConfig, type EvalDefaults, readConfig } from './config.ts';
import { type HubSettings, readHubSettings } from './datasets/hub/hub-settings.ts';
import type { Gate } from './metrics/gates.ts';
import { parseGates } from './metrics/parse-gates.ts';
import type { ProvidedRun } from './provided-run.ts';
import { readGitCommit } from './runs/git-commit.ts';
import { writeManifest } from './runs/manifest.ts';
import { createRunFolder, renameRunFolder } from './runs/run-folder.ts';
import { startLog } from './runs/sample-log.ts';
import { readSecrets } from './secrets/read-secrets.ts';
import { findMcp } from './tools/mcp/find-mcp.ts';
import type { McpSettings } from './tools/mcp/mcp-settings.ts';
import { removeAbandoned } from './trial/abandoned-workdirs.ts';

/** What the composition root hands over: the environment, the command line and the committed defaults. */
export type SessionOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words behind `vitest` on the command line. */
  readonly argv: readonly string[];
  readonly defaults?: EvalDefaults;
  /** The gates file, relative to the root; it need not exist. */
  readonly gates: string;
};

/** What matters of Vitest's own settings. */
export type VitestSettings = {
  readonly root: string;
  readonly watch: boolean;
  readonly shard: { readonly index: number; readonly count: number } | null;
  /** Whether this process merges the reports of others and runs no test. */
  readonly merge: boolean;
};

/** What one Vitest process does with the evals: its settings and its run folder, made when the first eval starts. */
export class Session {
  /** Null when the settings cannot be read; `problems` then says why. */
  readonly config: EvalConfig | null;
  readonly problems: readonly string[];
  readonly #readGates: () => readonly Gate[];
  readonly #root: string;
  readonly #held: string | null;
  readonly #hub: HubSettings;
  readonly #secrets: readonly string[];
  readonly #readMcp: () => McpSettings | null;
  readonly #shard: VitestSettings['shard'];
  #gates: readonly Gate[] = [];
  #baseline: ComparedRun | null = null;
  #folder: string | null = null;
  #suites = 0;
  #turn = 0;

  constructor(options: SessionOptions, vitest: VitestSettings) {
    const { root, watch } = vitest;
    const config = attempt(() => readConfig(options.env, options.defaults));
    this.#readGates = () => readGates(resolve(root, options.gates), options.gates);
    this.config = config.value;
    this.problems = config.problems;
    this.#root = root;
    this.#hub = readHubSettings(options.env);
    this.#secrets = readSecrets(options.env);
    this.#readMcp = () => readMcp(config.value, root, options.env);
    this.#shard = vitest.shard;
    // A merge asks nobody.
    const asks = config.value !== null && !vitest.merge;
    this.#held = asks ? heldReason(config.value, namesEvals(options.argv), watch) : null;
  }

  /** Absolute path of the run folder; null until `start`, and when nothing may run. */
  get folder(): string | null {
    return this.#folder;
  }

  /** Why no eval may run although the settings are right; null when they may. */
  get held(): string | null {
    return this.#held;
  }

  /** The keys of the environment: nothing that a server says may carry one into a report. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** The gates as they stood when this turn of watch mode, or the run, began. */
  get gates(): readonly Gate[] {
    return this.#gates;
  }

  /** The run that EVAL_BASELINE names; null without one, and until `start`. */
  get baseline(): ComparedRun | null {
    return this.#baseline;
  }

  /** Called before workers start: what they are to be told. The first call that lets evals run makes the run folder. */
  start(suites: number): ProvidedRun {
    const gates = attempt(this.#readGates);
    const wrong = [...this.problems, ...gates.problems];
    if (this.config === null || gates.value === null || wrong.length > 0) return { status: 'refused', problems: wrong };
    this.#gates = gates.value;
    // A rerun in watch mode may start one file of several.
    this.#suites = Math.max(this.#suites, suites);
    const facts = {
      config: this.config,
      root: this.#root,
      hub: this.#hub,
      secrets: this.#secrets,
      turn: ++this.#turn,
      suites: this.#suites,
      shard: this.#shard,
    };
    if (this.#held !== null) return { ...facts, status: 'held', reason: this.#held };
    const mcp = attempt(this.#readMcp);
    if (mcp.problems.length > 0) return { status: 'refused', problems: mcp.problems };
    const baseline = attempt(() => this.#baseline ?? readBaseline(this.config));
    if (baseline.problems.length > 0) return { status: 'refused', problems: baseline.problems };
    // Read before the run's own folder is made, which is then the latest one.
    this.#baseline = baseline.value;
    const names = this.config.agents?.map(({ text }) => text) ?? ['replay'];
    const { config } = this;
    const { value: folder, problems } = attempt(() => this.#folder ?? this.#begin(config, names));
    if (folder === null) return { status: 'refused', problems };
    this.#folder = folder;
    const secrets = [...this.#secrets, ...(mcp.value?.servers.flatMap((server) => server.secrets) ?? [])];
    return { ...facts, secrets, status: 'ready', folder, mcp: mcp.value, baseline: toProvidedBaseline(baseline.value) };
  }

  /** Names the run folder of a merge after the agents of its shards, which nobody knows when it is made. */
  nameAfter(agents: readonly string[]): void {
    if (this.#folder !== null && agents.length > 0) this.#folder = renameRunFolder(this.#folder, agents);
  }

  #begin(config: EvalConfig, names: readonly string[]): string {
    const now = new Date();
    removeAbandoned();
    const folder = createRunFolder(config.dir, names, now, this.#shard);
    writeManifest(folder, {
      version: 1,
      created_at: now.toISOString(),
      versions: { viva: packageJson.version, vitest: vitestVersion, node: process.versions.node },
      git_commit: readGitCommit(this.#root),
      config: maskConfig(config),
      suites: [],
    });
    startLog(folder);
    return folder;
  }
}

/** Settings as the manifest shows them: specs of agents as they are named in reports, and nothing of their keys. */
function maskConfig({ agents, ...config }: EvalConfig): Readonly<Record<string, unknown>> {
  const named = agents?.map(({ kind, text }) => ({ kind, text })) ?? null;
  return { agents: named, ...config };
}

/** A value, or what is wrong with what it is read from: evals are then refused, and unit tests still run. */
function attempt<T>(read: () => T): { readonly value: T | null; readonly problems: readonly string[] } {
  try {
    return { value: read(), problems: [] };
  } catch (error) {
    return {
      value: null,
      problems:
        error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)],
    };
  }
}

/** Only agents that ask a model themselves are given tools. */
function readMcp(config: EvalConfig | null, root: string, env: SessionOptions['env']): McpSettings | null {
  return config?.agents?.some(asksModel) === true ? findMcp(config.mcp, root, env) : null;
}

function readGates(file: string, name: string): readonly Gate[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  try {
    return parseGates(JSON.parse(text), name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`${name} is not JSON: ${error.message}. Correct it, or remove it to run without gates.`);
  }
}

/** Why a paid agent may not run, or null (DESIGN 2): a bare `vitest`, or an edit in watch mode, must not spend money. */
export function heldReason(
  { agents, agentsNamed, limit, maxCost }: Pick<EvalConfig, 'agents' | 'agentsNamed' | 'limit' | 'maxCost'>,
  named: boolean,
  watch: boolean,
): string | null {
  const paid = agents?.find(isPaid);
  if (paid === undefined) return null;
  const agent = `${paid.text} may cost money`;
  if (!agentsNamed) return `${agent}: set EVAL_AGENT=${paid.text} to run it.`;
  if (!named) return `${agent}: name the evals on the command line, as in "pnpm vitest run evals".`;
  if (watch && limit === null && maxCost === null)
    return `${agent}: in watch mode set EVAL_LIMIT or EVAL_MAX_COST, as in EVAL_LIMIT=5.`;
  return null;
}

/** Whether a command line asks for the evals, by path or by project. */
export function namesEvals(argv: readonly string[]): boolean {
  return argv.some((word, index) => {
    if (word.startsWith('--project=')) return word.slice('--project='.length) === 'evals';
    if (argv[index - 1] === '--project') return word === 'evals';
    return !word.startsWith('-') && /(^|[\\/])evals([\\/]|$)/.test(word);
  });
}
