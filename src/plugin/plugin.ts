import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import type {
  Plugin,
  TestProjectConfiguration,
  TestProjectInlineConfiguration,
  ViteUserConfig,
} from 'vitest/config';
import type { TestProject, Vitest } from 'vitest/node';
import { readCliOptions, readProjectFilter, withoutVitest } from '../../reporters/vitest-main.ts';
import { type OwnKind, registerOwnKinds } from '../agents/register-kinds.ts';
import type { AgentFactory } from '../run/eval-definition.ts';
import type { SessionOptions } from './session.ts';
import { findUnsupported } from './versions.ts';

// Vite bundles vitest.config.ts with its imports at each start, so this file is short and imports
// three other files of viva.

/** The options of `viva()`. All have a default. */
export type VivaOptions = Partial<Pick<SessionOptions, 'defaults' | 'gates'>> & {
  /** Kinds of agents: `mine: (target, setting) => agent` makes EVAL_AGENT=mine:x work. */
  readonly agents?: Readonly<Record<string, OwnKind<AgentFactory>>>;
};

/** The Vitest project whose tests are evals. */
const PROJECT = 'evals';

/** The eval files of a folder: of the root, and of each package of a workspace. */
const EVAL_FILES = 'evals/**/*.eval.{ts,js,mts,mjs}';

/**
 * The Vitest plugin. It adds the project "evals" to the user's own tests, or uses an existing one,
 * tells its worker what to run, and attaches the reporter so that `--reporter` on the command line
 * does not remove it.
 */
export function viva(options: VivaOptions = {}): Plugin {
  const problems = registerOwnKinds(options.agents ?? {});
  let evals = vivaProject();
  let isListed = false;
  let testOptions: readonly string[] | null = null;
  const isOfOthers = isCommandOfOthers(process.argv.slice(2));
  return {
    name: 'viva',
    config: {
      order: 'pre',
      handler(config) {
        // The project "evals" has this plugin too.
        if (nameOf(config) === PROJECT || isOfOthers) return {};
        const { projects } = config.test ?? {};
        testOptions = Object.keys(config.test ?? {});
        const listed = projects?.find(isEvals);
        if (listed === undefined) evals = withPlugins(evals, config);
        else if (listed.extends === false && listed.plugins === undefined)
          Object.assign(listed, withPlugins(listed, config));
        // If its filter leaves no project, Vitest ends before it asks plugins for projects.
        isListed = projects !== undefined || isFilterOfEvals(config);
        return isListed && listed === undefined ? { test: { projects: [evals] } } : {};
      },
    },
    async configureVitest({ vitest, project, injectTestProjects }) {
      const unsupported = findUnsupported(process.versions.node, vitest.version);
      if (unsupported !== null) return refuse(unsupported, vitest, project);
      const { root, projects } = vitest.config;
      const given = readCliOptions(vitest);
      const isBare = projects === undefined && testOptions?.every((name) => name in given) === true;
      const settings = { ...options, problems };
      if (project.name === PROJECT) return start(settings, vitest, project, isBare);
      if (isListed || isOfOthers || !isFirst(vitest)) return;
      for (const added of await injectTestProjects({ ...evals, root }))
        await start(settings, vitest, added, isBare);
    },
  };
}

/**
 * The project "evals", for configurations to whose `projects` `viva()` cannot add it. It ignores
 * the root's `test` options; `viva()` gives it the root's plugins and aliases.
 */
export function vivaProject(): TestProjectInlineConfiguration & { test: { name: string } } {
  const here = import.meta.dirname;
  // In a clone, Node loads viva's sources faster than Vite. In watch mode Vite must know which file
  // imports which.
  const isSource = !here.includes('node_modules') && process.argv.includes('run');
  return {
    extends: false,
    test: {
      name: PROJECT,
      include: [EVAL_FILES],
      setupFiles: [join(here, `../matchers/setup${extname(import.meta.filename)}`)],
      tags: [{ name: 'level1' }, { name: 'level2' }, { name: 'level3' }],
      // One worker, so that there is one limit on concurrent calls; a fork, so that its crash stops
      // nothing else.
      pool: 'forks',
      maxWorkers: 1,
      isolate: false,
      // The evals run after all other tests: Vitest refuses one order for projects with different
      // numbers of workers.
      sequence: { groupOrder: 1000 },
      server: {
        deps: {
          external: isSource ? [new RegExp(`^${dirname(here).replaceAll(/\W/g, '\\$&')}/`)] : [],
        },
      },
      // High, because the agents' own queues limit the calls.
      maxConcurrency: 200,
      testTimeout: 0,
      benchmark: { include: [] },
    },
  };
}

/**
 * Whether a command is not for evals: `bench`, and `list`, which does not run files and would call
 * an eval file empty.
 */
function isCommandOfOthers([command, ...words]: readonly string[]): boolean {
  return (
    command === 'bench' || (command === 'list' && !words.some((word) => word.includes(PROJECT)))
  );
}

/** Lists of projects that have the evals, or soon will. A restart makes a new list. */
const served = new WeakSet<readonly TestProject[]>();

/**
 * Whether nothing added the project "evals" yet: the configurations of several packages may have
 * the plugin.
 */
function isFirst({ projects }: Vitest): boolean {
  if (served.has(projects) || projects.some(({ name }) => name === PROJECT)) return false;
  served.add(projects);
  return true;
}

type RootConfig = Pick<ViteUserConfig, 'plugins' | 'resolve' | 'define' | 'test'>;

function isEvals(project: TestProjectConfiguration): project is TestProjectInlineConfiguration {
  return typeof project === 'object' && 'test' in project && nameOf(project) === PROJECT;
}

function nameOf({
  test,
}: {
  readonly test?: { readonly name?: string | { readonly label: string } };
}): string {
  return (typeof test?.name === 'object' ? test.name.label : test?.name) ?? '';
}

/** Whether `--project` selects the evals but not the root's own tests. */
function isFilterOfEvals(config: RootConfig): boolean {
  const filter = readProjectFilter(config.test);
  return filter.includes(PROJECT) && !filter.includes(nameOf(config));
}

/**
 * A project with the root's aliases, constants (`define`) and plugins, including this one. Vitest
 * adds its own plugins to each project.
 */
function withPlugins<T extends TestProjectInlineConfiguration>(
  project: T,
  { plugins = [], resolve, define, test }: RootConfig,
): T {
  const { alias } = test ?? {};
  return {
    ...project,
    plugins: withoutVitest(plugins),
    ...(resolve && { resolve }),
    // A copy, since Vitest empties that of each project.
    ...(define && { define: { ...define } }),
    test: { ...project.test, ...(alias && { alias }) },
  };
}

/** Tells the evals what to run. Only their worker loads `.env`, so other tests do not see it. */
async function start(
  options: VivaOptions & Required<Pick<SessionOptions, 'problems'>>,
  vitest: Vitest,
  project: TestProject,
  isBare: boolean,
): Promise<void> {
  // Node caches compiled code here and in the worker, unless NODE_COMPILE_CACHE or
  // NODE_DISABLE_COMPILE_CACHE overrides it.
  const { directory } = module.enableCompileCache(
    join(vitest.vite.config.cacheDir, 'viva-compiled'),
  );
  const { isToRun }: typeof import('./named-tests.ts') = await load('named-tests');
  if (!(await isToRun(vitest, project, EVAL_FILES, isBare))) return;
  if (directory !== undefined)
    project.config.env = { ...project.config.env, NODE_COMPILE_CACHE: dirname(directory) };
  const { root } = vitest.config;
  const file = join(root, '.env');
  const isRead = existsSync(file);
  // Not in `project.config.env`, which Vitest's HTML report shows.
  project.provide('vivaEnvFile', isRead ? file : null);
  const { attach }: typeof import('./attach.ts') = await load('attach');
  const env = { ...(isRead && parseEnv(readFileSync(file, 'utf8'))), ...process.env };
  // Beside .env, also if Vitest is started in another folder.
  const defaults = { dir: relative('', join(root, '.evals')), ...options.defaults };
  const { gates = 'evals/gates.json', problems } = options;
  const facts = { env, given: Object.keys(options), command: process.argv[2], problems };
  await attach({ ...facts, gates, defaults }, vitest, project);
}

/**
 * Takes the evals out of a run on versions that viva does not support, and says so if the command
 * line names them.
 */
async function refuse(problem: string, vitest: Vitest, { config }: TestProject): Promise<void> {
  config.include = config.include.filter((glob) => !glob.includes('.eval'));
  if (served.has(vitest.projects)) return;
  served.add(vitest.projects);
  const named: typeof import('./named-tests.ts') = await load('named-tests');
  const { namesEvals } = await named.readNamedTests(process.argv.slice(2), vitest.config.root);
  if (!namesEvals) return;
  await named.keepOwnOutputs(vitest, null);
  process.exitCode = 1;
  vitest.config.reporters.push({
    onTestRunEnd: () => vitest.logger.error(`The evals do not run: ${problem}\n`),
  });
}

/**
 * Loads a file beside this one. The path is computed, so that Vite does not bundle it and Node
 * caches its code.
 */
function load<T>(name: string): Promise<T> {
  return import(new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url).href);
}
