import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { version as vitestVersion } from 'vitest/node';
import packageJson from '../../package.json' with { type: 'json' };
import { kindOf } from '../agents/kinds.ts';
import { type ComparedRun, readBaseline, toProvidedBaseline } from '../compare/read-run.ts';
import { ConfigError, type EvalConfig, type EvalDefaults, readConfig } from '../config.ts';
import { type HubSettings, readHubSettings } from '../datasets/hub/hub-source.ts';
import { type Gate, parseGates } from '../metrics/gates.ts';
import { readRegular } from '../records/files.ts';
import { removeAbandoned } from '../run/abandoned-workdirs.ts';
import type { ProvidedRun } from '../run/provided-run.ts';
import { readGitCommit, readManifest, writeManifest } from '../store/manifest.ts';
import { createRunFolder, pointLatest, removeRunFolder, renameRunFolder } from '../store/run-folder.ts';
import { startLog } from '../store/sample-log.ts';
import { readSecrets } from '../text/secrets.ts';
import { findMcp, type McpSettings } from '../tools/mcp/mcp-file.ts';
import { heldReason, type NamedTests, readNamedTests, unnamedReason } from './held-runs.ts';

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
  /** Whether the Vitest UI is open. */
  readonly ui: boolean;
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
  readonly #named: NamedTests;
  readonly #hub: HubSettings;
  readonly #secrets: readonly string[];
  readonly #readMcp: () => McpSettings | null;
  readonly #shard: VitestSettings['shard'];
  readonly #ui: boolean;
  #gates: readonly Gate[] = [];
  #baseline: ComparedRun | null = null;
  #folder: string | null = null;
  #isLatest = false;
  #suites = 0;
  #said: string | null = null;
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
    this.#ui = vitest.ui;
    // A merge asks nobody.
    const asks = config.value !== null && !vitest.merge;
    this.#named = readNamedTests(options.argv);
    this.#held = asks ? heldReason(config.value, this.#named.namesEvals, watch) : null;
  }

  /** Absolute path of the run folder; null until `start`, and when nothing may run. */
  get folder(): string | null {
    return this.#folder;
  }

  /** A sentence on which evals of this turn may not run although the settings are right, and why; null when all may. */
  get held(): string | null {
    return this.#said;
  }

  /** The parts of paths that the command line names, where an agent may ask about no other file; null elsewhere. */
  get allowed(): readonly string[] | null {
    const isBound = this.config !== null && unnamedReason(this.config) !== null && this.#named.filters.length > 0;
    return isBound ? this.#named.filters : null;
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

  /**
   * Called before workers start, with the eval files that are to run: what they are to be told. `unnamed` are those that
   * the command line does not name although it must. The first call that lets evals run makes the run folder.
   */
  start(files: readonly string[], unnamed: readonly string[]): ProvidedRun {
    const gates = attempt(this.#readGates);
    const wrong = [...this.problems, ...gates.problems];
    if (this.config === null || gates.value === null || wrong.length > 0) return { status: 'refused', problems: wrong };
    this.#gates = gates.value;
    // A rerun in watch mode may start one file of several.
    this.#suites = Math.max(this.#suites, files.length - unnamed.length);
    const facts = {
      config: this.config,
      root: this.#root,
      hub: this.#hub,
      secrets: this.#secrets,
      turn: ++this.#turn,
      suites: this.#suites,
      shard: this.#shard,
      ui: this.#ui,
    };
    this.#said = this.#describeHeld(this.config, unnamed);
    if (this.#held !== null || unnamed.length === files.length) return { ...facts, status: 'held' };
    const missing = (this.config.agents ?? []).flatMap((spec) => kindOf(spec).findProblem?.(spec, this.#root) ?? []);
    if (missing.length > 0) return { status: 'refused', problems: missing };
    const mcp = attempt(this.#readMcp);
    if (mcp.problems.length > 0) return { status: 'refused', problems: mcp.problems };
    const baseline = attempt(() => this.#baseline ?? readBaseline(this.config));
    if (baseline.problems.length > 0) return { status: 'refused', problems: baseline.problems };
    // Read before the run's own folder is made, which is then the latest one.
    this.#baseline = baseline.value;
    const { config } = this;
    const { value: folder, problems } = attempt(() => this.#folder ?? beginRun(config, this.#root, this.#shard));
    if (folder === null) return { status: 'refused', problems };
    this.#folder = folder;
    const secrets = [...this.#secrets, ...(mcp.value?.servers.flatMap((server) => server.secrets) ?? [])];
    return {
      ...facts,
      secrets,
      status: 'ready',
      folder,
      mcp: mcp.value,
      baseline: toProvidedBaseline(baseline.value),
      unnamed,
    };
  }

  /** Points `latest` at the run folder: to be called once a suite has tests, as a refused run leaves `latest` alone. */
  makeLatest(): void {
    // A dry run has no results that "latest" could stand for.
    if (this.#folder === null || this.#isLatest || this.config?.dryRun === true) return;
    this.#isLatest = true;
    pointLatest(this.#folder);
  }

  /** Removes the run folder where no suite has planned anything in it. */
  discardEmpty(): void {
    if (this.#folder === null || readManifest(this.#folder).suites.length > 0) return;
    removeRunFolder(this.#folder);
    this.#folder = null;
  }

  /** Names the run folder of a merge after the agents of its shards, which nobody knows when it is made. */
  nameAfter(agents: readonly string[]): void {
    if (this.#folder !== null && agents.length > 0) this.#folder = renameRunFolder(this.#folder, agents);
    this.makeLatest();
  }

  #describeHeld(config: EvalConfig, unnamed: readonly string[]): string | null {
    if (this.#held !== null) return `The evals are skipped: ${this.#held}`;
    if (unnamed.length === 0) return null;
    const files = unnamed.map((file) => relative(this.#root, file));
    return `Skipped: ${files.join(', ')}. ${unnamedReason(config)}`;
  }
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
  return config?.agents?.some((spec) => kindOf(spec).model !== null) === true ? findMcp(config.mcp, root, env) : null;
}

type ShardPlace = { readonly index: number; readonly count: number };

/** Makes a run folder with its manifest and an empty log; gives its absolute path. `root` is where Vitest runs. */
function beginRun(config: EvalConfig, root: string, shard: ShardPlace | null): string {
  const now = new Date();
  removeAbandoned();
  const names = config.agents?.map(({ text }) => text) ?? ['replay'];
  const folder = createRunFolder(config.dir, names, now, shard);
  writeManifest(folder, {
    version: 1,
    created_at: now.toISOString(),
    versions: { viva: packageJson.version, vitest: vitestVersion, node: process.versions.node },
    git_commit: readGitCommit(root),
    config: maskConfig(config),
    suites: [],
  });
  startLog(folder);
  return folder;
}

/** Settings as the manifest shows them: specs of agents as they are named in reports, and nothing of their keys. */
function maskConfig({ agents, ...config }: EvalConfig): Readonly<Record<string, unknown>> {
  const named = agents?.map(({ kind, text }) => ({ kind, text })) ?? null;
  return { agents: named, ...config };
}

/** The gates of a file that need not exist; `name` is how messages call it. */
export function readGates(file: string, name: string): readonly Gate[] {
  if (!existsSync(file)) return [];
  const text = readRegular(file).toString('utf8');
  try {
    return parseGates(JSON.parse(text), name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`${name} is not JSON: ${error.message}. Correct it, or remove it to run without gates.`);
  }
}
