import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { version as vitestVersion } from 'vitest/node';
import type { ReportedSession } from '../../reporters/run-report.ts';
import { findSpecProblem, kindOf, usesMcp } from '../agents/kinds.ts';
import { kindsByName } from '../agents/register-kinds.ts';
import { readRegular } from '../data/files/read-file.ts';
import { type HubSettings, readHubSettings } from '../data/hub/hub-source.ts';
import type { ComparedRun } from '../figures/compare-runs.ts';
import { parseGates } from '../figures/gates.ts';
import type { Gate } from '../figures/measures.ts';
import { EXTENSION, readVersion } from '../package.ts';
import { GroupLists } from '../processes/groups.ts';
import type { AskedPrompt } from '../run/prompt.ts';
import type { ProvidedRun } from '../run/provided-run.ts';
import { makeTemporary, removeAbandoned } from '../run/workdir.ts';
import {
  ConfigError,
  type EvalConfig,
  type EvalDefaults,
  listSpecs,
  readConfig,
} from '../settings.ts';
import { resolveReplays } from '../store/find-run.ts';
import { type Manifest, readManifest } from '../store/manifest.ts';
import { BEGUN } from '../store/run-end.ts';
import { RunWriter } from '../store/run-writer.ts';
import { nonEmpty } from '../words/fields.ts';
import { readSecrets } from '../words/read-secrets.ts';
import type { Shard } from '../words/sample.ts';
import { tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { countSuites, findUnawaited, readSuiteNames } from './eval-files.ts';

/**
 * Loads at once what few runs need: the reporters of a run start in turn, and wait for no promise.
 */
const loadNow = createRequire(import.meta.url);

/** The options that `viva()` passes on. */
export type SessionOptions = Readonly<{
  /** The environment, with `.env` for what it does not set. */
  env: Readonly<Record<string, string | undefined>>;
  /** What is wrong with the `agents` of `viva()`. */
  problems?: readonly string[];
  defaults?: EvalDefaults;
  /** The gates file, relative to the root. The usual one may be missing. */
  gates?: string;
}>;

/** The Vitest settings that viva uses. */
export type VitestSettings = Readonly<{
  root: string;
  /** Its configuration file, for messages. */
  configFile: string;
  watch: boolean;
  /** Whether the Vitest UI is open. */
  ui: boolean;
  shard: Shard | null;
}>;

/**
 * The evals of one Vitest process: its settings, and the folder of the present run.
 */
export class Session implements ReportedSession {
  readonly config: EvalConfig | null;
  readonly problems: readonly string[];
  /** The keys of the environment and, once a run begins, of its MCP servers. */
  secrets: readonly string[];
  gates: readonly Gate[] = [];
  baseline: ComparedRun | null = null;
  folder: string | null = null;
  groups: GroupLists | null = null;
  skipped: string | null = null;
  readonly #options: SessionOptions;
  readonly #vitest: VitestSettings;
  readonly #hub: HubSettings;
  /** What all watch runs have spent. */
  #spentUsd = 0;
  #latest: string | null = null;
  #files = 0;
  readonly #names = new Set<string>();
  #watchRun = 0;
  /** The number of this watch run among those with a run folder. */
  #number = 0;

  constructor(options: SessionOptions, vitest: VitestSettings) {
    const { env, defaults } = options;
    const { value, problems } = readOrExplain(() =>
      resolveReplays(readConfig(env, defaults, vitest.configFile)),
    );
    this.config = value;
    this.problems = [...(options.problems ?? []), ...problems];
    this.secrets = readSecrets(options.env);
    this.#options = options;
    this.#vitest = vitest;
    this.#hub = readHubSettings(options.env);
  }

  /**
   * Called with the eval files to run before workers start. Returns what the workers get. A call
   * that allows evals makes a run folder, each watch run has its own.
   */
  start(files: readonly string[]): ProvidedRun {
    this.#endWatchRun();
    const { config } = this;
    const { root, ui, shard, watch } = this.#vitest;
    const { env, gates: named } = this.#options;
    const gatesFile = named ?? 'evals/gates.json';
    const gates = readOrExplain(() =>
      readGates(resolve(root, gatesFile), gatesFile, named !== undefined),
    );
    const problems = [...this.problems, ...gates.problems, ...findUnawaited(files)];
    if (config === null || gates.value === null || problems.length > 0)
      return { status: 'refused', problems };
    this.gates = gates.value;
    // A watch run may start one file of several.
    this.#files = Math.max(this.#files, files.length);
    const [first] = files;
    this.#watchRun += 1;
    const { skipped, blocked } = mayRun(config, watch);
    const file = resolve(root, this.#vitest.configFile);
    const registered = [...kindsByName].filter(([, kind]) => kind.own !== undefined);
    const facts = {
      config,
      kinds: registered.map(([name, { isPaid }]) => ({ name, isFree: !isPaid, file })),
      hub: this.#hub,
      watchRun: this.#watchRun,
      suites: this.#files === 1 && first !== undefined ? countSuites(first) : null,
      shard,
      ui,
      blockedBecause: blocked,
    };
    this.skipped = skipped === null ? null : `The evals are skipped: ${skipped}`;
    if (skipped !== null) return { ...facts, secrets: this.secrets, status: 'skipped' };
    const missing = listSpecs(config).flatMap((spec) => findSpecProblem(spec, process.cwd()) ?? []);
    if (missing.length > 0) return { status: 'refused', problems: missing };
    const begun = readOrExplain(() => this.#begin(config, env, files));
    if (begun.value === null) return { status: 'refused', problems: begun.problems };
    const { secrets } = this;
    return { ...facts, ...begun.value, secrets, status: 'ready' };
  }

  /** Makes the run folder after everything that may be wrong was read. */
  #begin(config: EvalConfig, env: SessionOptions['env'], files: readonly string[]) {
    // A suite may name agents.
    const mayUse = config.agents?.some(usesMcp) !== false;
    const find = () => (mayUse ? findServers(config, this.#vitest.root, env) : null);
    const { value: mcp = null, problems } =
      config.agents === null ? readOrExplain(find) : { value: find(), problems: [] };
    const prompts = this.#readPrompts(config, files);
    const baseline = config.baseline === null ? null : this.#provideBaseline(config);
    this.#number += 1;
    this.folder = beginRun(config, this.#vitest, files, this.#number);
    // Without a temporary folder no command could run either.
    this.groups ??= tryOrUndefined(() => new GroupLists(makeTemporary())) ?? null;
    const mcpKeys = mcp?.servers.flatMap((server) => server.secrets) ?? [];
    this.secrets = [...new Set([...this.secrets, ...mcpKeys])];
    return {
      mcp,
      mcpProblem: nonEmpty(problems)?.join('\n'),
      prompts,
      baseline,
      folder: this.folder,
      groups: this.groups?.folder ?? null,
      spentUsd: this.#spentUsd,
    };
  }

  #endWatchRun(): void {
    if (this.folder === null) return;
    const { folder } = this;
    const { computeSpent, readRunFiles }: typeof import('../store/run-reader.ts') = loadNow(
      `../store/run-reader${EXTENSION}`,
    );
    // Its folder may have been removed meanwhile.
    this.#spentUsd += tryOrUndefined(() => computeSpent(readRunFiles(folder, {}))) ?? 0;
    this.folder = null;
  }

  #provideBaseline(config: EvalConfig) {
    const runs: typeof import('../figures/compare-runs.ts') = loadNow(
      `../figures/compare-runs${EXTENSION}`,
    );
    this.baseline ??= runs.readBaseline(config);
    return runs.toProvidedBaseline(this.baseline);
  }

  /** Reads them for each watch run, which may start one file of several. */
  #readPrompts({ prompts }: EvalConfig, files: readonly string[]): readonly AskedPrompt[] {
    if (prompts === null) return [];
    const ofFiles = files.map(readSuiteNames);
    for (const name of ofFiles.flat()) this.#names.add(name);
    const names = ofFiles.every(({ length }) => length > 0) ? [...this.#names] : [];
    const { readAskedPrompts }: typeof import('../run/prompt.ts') = loadNow(
      `../run/prompt${EXTENSION}`,
    );
    return readAskedPrompts(prompts, names, Math.max(this.#files, this.#names.size) < 2);
  }

  makeLatest(): void {
    // A dry run has no results, so "latest" must not point to it.
    if (this.folder === null || this.#latest === this.folder || this.config?.dryRun === true)
      return;
    this.#latest = this.folder;
    new RunWriter(this.folder).makeLatest();
  }

  discardEmpty(): boolean {
    if (this.folder === null) return false;
    if (readManifest(this.folder).suites.length > 0) return false;
    new RunWriter(this.folder).remove();
    this.#number -= 1;
    this.folder = null;
    return true;
  }
}

/** Makes a run folder with its manifest and an empty log, and returns its absolute path. */
function beginRun(
  config: EvalConfig,
  { root, shard, watch }: Readonly<{ root: string; shard: Shard | null; watch: boolean }>,
  files: readonly string[],
  watchRun: number,
): string {
  const now = new Date();
  removeAbandoned();
  // Without EVAL_AGENT each suite names its agent, which is not known yet.
  const agents =
    config.agents?.map(({ text }) => text) ??
    files.map((file) => basename(file).replace(/\.eval\.\w+$/, ''));
  const toManifest = (run: string): Manifest => ({
    version: 1,
    run,
    created_at: now.toISOString(),
    versions: { viva: readVersion(), vitest: vitestVersion, node: process.versions.node },
    git_commit: readGitCommit(root),
    // Only the texts of specs: their parameters may have a key.
    config: {
      ...config,
      agents: nameSpecs(config.agents),
      judges: nameSpecs(config.judges),
      user: config.user?.text ?? null,
    },
    suites: [],
  });
  const end = { ...BEGUN, watch: watch ? watchRun : null };
  return RunWriter.begin(config.dir, { agents, now, part: shard }, toManifest, end).folder;
}

function nameSpecs(specs: EvalConfig['agents']) {
  return specs?.map(({ kind, text }) => ({ kind, text })) ?? null;
}

/** The commit that is checked out; null outside a checkout or without git. */
function readGitCommit(cwd: string): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/**
 * The gates of a file, which may be missing unless `viva()` names it; `name` is its name in
 * messages.
 */
export function readGates(file: string, name: string, isNamed = false): readonly Gate[] {
  if (!existsSync(file)) {
    if (!isNamed) return [];
    throw new Error(
      `${name}, the "gates" of viva(), does not exist. Correct the path, which begins at the root, or create it.`,
    );
  }
  const text = readRegular(file).toString('utf8');
  try {
    return parseGates(JSON.parse(text), name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(
      `${name} is not JSON: ${error.message}. Correct it, or remove it to run without gates.`,
    );
  }
}

type Spending = Pick<EvalConfig, 'agents' | 'agentsNamed' | 'limit' | 'maxCost'>;

/**
 * What may not be asked, and why: committed defaults, or an edit in watch mode, must not spend money.
 * `skipped` is about the agents of EVAL_AGENT, `blocked` about those of suites, as the rest of a
 * sentence; null if they may.
 */
export function mayRun(
  config: Spending,
  watch: boolean,
): Readonly<{ skipped: string | null; blocked: string | null }> {
  const isOpen = !watch || config.limit !== null || config.maxCost !== null;
  const blocked = isOpen
    ? null
    : 'may cost money: in watch mode set EVAL_LIMIT or EVAL_MAX_COST, as in EVAL_LIMIT=5.';
  const paid = config.agents?.find((spec) => kindOf(spec).isPaid)?.text;
  if (paid === undefined) return { skipped: null, blocked };
  if (!config.agentsNamed)
    return { skipped: `${paid} may cost money: set EVAL_AGENT=${paid} to run it.`, blocked };
  return { skipped: blocked && `${paid} ${blocked}`, blocked };
}

/** A value, or why it cannot be read: then the evals are refused. */
function readOrExplain<T>(read: () => T): Readonly<{
  value: T | null;
  problems: readonly string[];
}> {
  try {
    return { value: read(), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { value: null, problems: error.problems };
    return { value: null, problems: [messageOf(error)] };
  }
}

function findServers({ mcp }: EvalConfig, root: string, env: SessionOptions['env']) {
  const { findMcp }: typeof import('../tools/mcp/mcp-file.ts') = loadNow(
    `../tools/mcp/mcp-file${EXTENSION}`,
  );
  return findMcp(mcp, root, env);
}
