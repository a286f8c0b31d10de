import module from 'node:module';
import { dirname, extname, join } from 'node:path';
import { inspect } from 'node:util';
import type { Plugin, ViteUserConfig } from 'vitest/config';
import type { TestModule, TestProject, Vitest } from 'vitest/node';
import type { EndedRun, Sinks } from '../../reporters/row-sink.ts';
import { type OwnKind, registerOwnKinds } from '../agents/register-kinds.ts';
import type { AgentFactory } from '../run/definition.ts';
import type { RunRow } from '../store/run-row.ts';
import type { Forced } from './attach.ts';
import type { NamedEvals } from './named-evals.ts';
import type { SessionOptions } from './session.ts';

export type { EndedRun, RunRow };

// Vite bundles vitest.config.ts with its imports at each start, so this file is short and imports
// one other file of viva.

/**
 * The options of `viva()`. All have a default. Settings of the environment (EVAL_*) win over `defaults`.
 *
 * @example
 * const options: VivaOptions = {
 *   defaults: { limit: 20, seed: 7 },
 *   test: { setupFiles: ['./evals/setup.ts'] },
 * };
 * export default defineConfig({ plugins: [viva(options)] });
 */
export type VivaOptions = Partial<Pick<SessionOptions, 'defaults' | 'gates'>> & {
  /** Kinds of agents: `mine: (target, setting) => agent` makes EVAL_AGENT=mine:x work. */
  readonly agents?: Readonly<Record<string, OwnKind<AgentFactory>>>;
  /** Vitest's options for evals, such as `env`, `setupFiles` and `globalSetup`. */
  readonly test?: EvalTestOptions;
  /**
   * Gets each row after it is written, in the main process, one at a time in the order of samples.jsonl; a promise is
   * awaited. What it throws is printed once, with how often, and fails nothing.
   */
  readonly onRow?: Sinks['onRow'];
  /** Gets each run that has ended, after its last row. A run that is killed has none. */
  readonly onEnd?: Sinks['onEnd'];
};

type TestOptions = NonNullable<ViteUserConfig['test']>;

/**
 * Vitest's options without those that viva sets for evals.
 *
 * @example
 * const test: EvalTestOptions = { globalSetup: ['./evals/start-database.ts'], env: { STAGE: 'test' } };
 * export default defineConfig({ plugins: [viva({ test })] });
 */
export type EvalTestOptions = Omit<
  TestOptions,
  | keyof Forced
  | 'browser'
  | 'dir'
  | 'exclude'
  | 'fsModuleCache'
  | 'include'
  | 'name'
  | 'projects'
  | 'root'
  | 'tags'
  | 'watch'
>;

/**
 * The Vitest plugin. One Vitest process runs evals or tests: if its command line names evals, its
 * `test` options become those of evals; otherwise eval files are in no test run, and nothing else
 * changes.
 *
 * @example
 * export default defineConfig({ plugins: [viva({ defaults: { limit: 20 } })] });
 */
export function viva(options: VivaOptions = {}): Plugin {
  const problems = registerOwnKinds(options.agents ?? {});
  let named: NamedEvals | null = null;
  let evals: TestOptions = {};
  return {
    name: 'viva',
    // Before Vitest adds the options of its command line, which then win as usual.
    enforce: 'pre',
    config: {
      order: 'pre',
      async handler(config) {
        const words = process.argv.slice(2);
        if (words.some((word) => /eval/i.test(word))) {
          // Node keeps what it compiles of viva, where NODE_COMPILE_CACHE says or in its own
          // folder. An older one, which is refused later, cannot.
          const { enableCompileCache }: Partial<typeof module> = module;
          enableCompileCache?.();
          const { readNamedEvals } = await loadNamedEvals();
          named = await readNamedEvals(words, config);
        }
        if (named === null) await leaveOutOfProjects(config);
        else if (named.isRoot) {
          evals = toEvalOptions(config.test, named, options.test);
          config.test = { ...evals };
        }
      },
    },
    configResolved({ test = {} }) {
      if (named?.isRoot !== true) return;
      const { flags } = named;
      for (const name of OF_TESTS)
        if (!flags.includes(name)) Object.assign(test, { [name]: evals[name] });
    },
    async configureVitest({ vitest, project }) {
      if (named === null) return leaveOutEvals(vitest, project);
      const problem = (await loadNamedEvals()).findProblem(named, vitest, project);
      // Vitest would print the stack and the hook, which do not help the user.
      if (problem !== null)
        throw Object.assign(new Error(problem), { [inspect.custom]: () => problem });
      await attachEvals({ ...options, problems }, vitest, project, named);
    },
  };
}

/** What other plugins set for tests alone; `attach` forces further options. */
const OF_TESTS = [
  ...(['projects', 'dir', 'exclude', 'coverage', 'reporters', 'outputFile'] as const),
  ...(['globalSetup', 'bail', 'testNamePattern', 'silent', 'sequence', 'typecheck'] as const),
] as const;

/** The test options of evals. Of the user's stays what says how files are resolved and loaded. */
function toEvalOptions(
  { root, alias, env, server }: TestOptions = {},
  { include, exclude }: NamedEvals,
  options: EvalTestOptions = {},
): TestOptions {
  const here = import.meta.dirname;
  // In a clone, Node loads viva's sources faster than Vite. In watch mode Vite must know which file
  // imports which.
  const isSource = !here.includes('node_modules') && process.argv.includes('run');
  const sources = isSource ? [new RegExp(`^${dirname(here).replaceAll(/\W/g, '\\$&')}/`)] : [];
  const { external = [] } = server?.deps ?? {};
  return {
    root,
    ...(alias && { alias }),
    server: { ...server, deps: { ...server?.deps, external: [...external, ...sources] } },
    // High, because the agents' own queues limit the calls.
    maxConcurrency: 200,
    benchmark: { include: [] },
    coverage: { enabled: false },
    // Not the one for agents, which Vitest would choose by itself.
    reporters: ['default'],
    ...options,
    // Its key is the file when the worker loads it, and its code that of the fingerprint, which is
    // older: the next run would ask old code. The fingerprint has Vite compile all anyway.
    fsModuleCache: false,
    ...((env || options.env) && { env: { ...env, ...options.env } }),
    name: 'evals',
    include: [...include],
    exclude: ['**/node_modules/**', ...exclude],
    // Vitest puts those of other plugins, which are for tests, behind these.
    setupFiles: [
      join(here, `../matchers/setup${extname(import.meta.filename)}`),
      ...[options.setupFiles ?? []].flat(),
    ],
    tags: [{ name: 'level1' }, { name: 'level2' }, { name: 'level3' }],
  };
}

const EVAL_FILES = '**/evals/**/*.eval.{ts,js,mts,mjs}';

/** Runs of tests that have the reporter below: each package of a workspace may have the plugin. */
const served = new WeakSet<Vitest['config']>();

/** Takes eval files out of a run of tests, and says how to run them where no test was found. */
function leaveOutEvals({ projects, config, logger }: Vitest, project: TestProject): void {
  // Not by a change of the list, which may be the default of all configurations.
  for (const { config: each } of [...projects, project])
    if (!each.exclude.includes(EVAL_FILES)) each.exclude = [...each.exclude, EVAL_FILES];
  if (served.has(config)) return;
  served.add(config);
  config.reporters.push({
    async onTestRunEnd(modules: readonly TestModule[]) {
      const isMerge = config.mergeReports !== undefined;
      // Vitest 4 finds no project for the evals of a blob.
      if (modules.length > 0 ? !(isMerge && hasEvals(modules)) : config.passWithNoTests) return;
      const { explainNoTests, USE_MERGE } = await loadNamedEvals();
      if (isMerge) process.exitCode = 1;
      const problem = isMerge ? USE_MERGE : explainNoTests(config.root, config.projects);
      if (problem !== null) logger.error(`${problem}\n`);
    },
  });
}

function hasEvals(modules: readonly TestModule[]): boolean {
  return modules.some(({ children }) =>
    [...children.allTests()].some((test) => 'eval' in test.meta()),
  );
}

/** Projects that do not extend the root's configuration have no plugin that leaves evals out. */
async function leaveOutOfProjects({ test }: ViteUserConfig): Promise<void> {
  for (const project of test?.projects ?? []) {
    if (typeof project !== 'object' || !('test' in project)) continue;
    if (project.test?.include === undefined || project.extends === true) continue;
    const { configDefaults } = await import('vitest/config');
    const { exclude = configDefaults.exclude } = project.test;
    project.test = { ...project.test, exclude: [...exclude, EVAL_FILES] };
  }
}

/** Tells the evals what to run. Only their worker loads `.env`, so other tests do not see it. */
async function attachEvals(
  options: VivaOptions & Required<Pick<SessionOptions, 'problems'>>,
  vitest: Vitest,
  project: TestProject,
  named: NamedEvals,
): Promise<void> {
  const directory = module.getCompileCacheDir();
  if (directory !== undefined)
    project.config.env = { ...project.config.env, NODE_COMPILE_CACHE: dirname(directory) };
  const { attach }: typeof import('./attach.ts') = await importBeside('attach');
  await attach({ ...options, env: process.env }, vitest, project, named);
}

const loadNamedEvals = (): Promise<typeof import('./named-evals.ts')> =>
  importBeside('named-evals');

/**
 * Loads a file beside this one. The path is computed, so that Vite does not bundle it and Node
 * caches its code.
 */
function importBeside<T>(name: string): Promise<T> {
  return import(new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url).href);
}
