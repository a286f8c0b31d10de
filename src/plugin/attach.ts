import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { ViteUserConfig } from 'vitest/config';
import type { Reporter, TestProject, TestSpecification, Vitest } from 'vitest/node';
import EvalReporter from '../../reporters/eval-reporter.ts';
import { readGithubJob } from '../../reporters/github-job.ts';
import { ListReporter } from '../../reporters/list-reporter.ts';
import { ProgressReporter } from '../../reporters/progress-reporter.ts';
import type { RowSink, Sinks } from '../../reporters/row-sink.ts';
import { drawLine, findTerminal } from '../../reporters/terminal.ts';
import { listByRunning } from '../../reporters/vitest-main.ts';
import { EXTENSION } from '../package.ts';
import { listSpecs } from '../settings.ts';
import { omitNullish } from '../words/fields.ts';
import { quote, showValue } from '../words/show.ts';
import { suggest } from '../words/similar-names.ts';
import { findAgentSources } from './agent-sources.ts';
import type { NamedEvals } from './named-evals.ts';
import { Session, type SessionOptions } from './session.ts';
import { type WatchFile, watchData, watchWith } from './watch-files.ts';

type Options = SessionOptions & Sinks & { readonly test?: Pick<TestOptions, 'setupFiles'> };

type TestOptions = NonNullable<ViteUserConfig['test']>;

/** Adds the session, the shards, the watched files and the reporters to a run of evals. */
export async function attach(
  { gates, problems = [], test = {}, onRow, onEnd, ...options }: Options,
  vitest: Vitest,
  project: TestProject,
  { include, isList, lastFailed }: NamedEvals,
): Promise<void> {
  const { root } = vitest.config;
  const file = join(root, '.env');
  const isRead = existsSync(file);
  // Not in `project.config.env`, which Vitest's HTML report shows.
  project.provide('vivaEnvFile', isRead ? file : null);
  const { NODE_COMPILE_CACHE: _, ...ofProject } = project.config.env;
  const read = isRead ? parseEnv(readFileSync(file, 'utf8')) : {};
  const env = { ...ofProject, ...read, ...options.env };
  // Beside .env, also if Vitest is started in another folder.
  const defaults = { dir: relative('', join(root, '.evals')), ...options.defaults };
  const sinks = omitNullish({ onRow, onEnd });
  const found = [...problems, ...findProblems(sinks, options)];
  const session = openSession({ env, problems: found, gates, defaults }, vitest);
  // Behind them are those of other plugins.
  const setupFiles = project.config.setupFiles.slice(0, 1 + [test.setupFiles ?? []].flat().length);
  Object.assign(project.config, { include: [...include], setupFiles });
  setOptions(vitest, project, session);
  if (isList) {
    // `vitest list` runs nothing, so no reporter would call `start`.
    project.provide('viva', session.start([]));
    listByRunning(vitest);
  }
  const sink = await openSink(sinks, session, env, vitest);
  addReporters(
    session,
    vitest,
    project,
    env,
    new EvalReporter(session, readGithubJob(env), lastFailed, sink),
  );
}

/** Loaded on first use: few have one. */
async function openSink(
  sinks: Sinks,
  session: Session,
  env: SessionOptions['env'],
  { logger }: Vitest,
): Promise<RowSink | null> {
  if (Object.keys(sinks).length === 0) return null;
  const { RowSink } = await import('../../reporters/row-sink.ts');
  return new RowSink(sinks, session, env, (line) =>
    logger.log(drawLine(line, 'warning', findTerminal()).trimEnd()),
  );
}

/** What is wrong with options of `viva()` that TypeScript would have found. */
function findProblems(sinks: Sinks, { env: _, ...others }: SessionOptions): readonly string[] {
  const unknown = Object.keys(others).filter((name) => !KNOWN.includes(name));
  return [
    ...Object.entries(sinks).flatMap(([name, sink]) =>
      typeof sink === 'function'
        ? []
        : `"${name}" of viva() must be a function, got ${showValue(sink)}. Name the function without calling it.`,
    ),
    ...unknown.map((name) => `viva() has no option ${quote(name)}.${suggest(name, KNOWN)}`),
  ];
}

const KNOWN = ['defaults', 'gates', 'test', 'agents', 'onRow', 'onEnd'];

function openSession(options: SessionOptions, { config, vite }: Vitest): Session {
  const { root, watch, ui, shard = null } = config;
  const configFile = relative(root, vite.config.configFile ?? 'vitest.config.ts');
  return new Session(options, { root, configFile, watch, ui, shard });
}

/** How many agents of an eval file work at once; it is not read yet. */
const MOST_OWN = 10;

/**
 * What neither the command line nor another plugin may change. One worker, so that there is one
 * limit on concurrent calls; a fork, so that its crash stops nothing else. Generated
 * tests have deadlines of their own, so the limit is that of a test that a user writes beside them. A
 * retry that passes would inflate the accuracy.
 */
const FORCED = {
  ...{ pool: 'forks', maxWorkers: 1, isolate: false, testTimeout: 600_000, hookTimeout: 60_000 },
  ...{ retry: 0, repeats: 0, environment: 'node', globals: false },
  runner: resolve(import.meta.dirname, `../run/task-runner${EXTENSION}`),
} as const;

/** The options of Vitest that viva forces. */
export type Forced = typeof FORCED;

function setOptions(vitest: Vitest, { config }: TestProject, session: Session): void {
  const { repeats = 0 } = config;
  if (repeats > 0) {
    const remedy = `EVAL_TRIALS=${repeats + 1} asks each question ${repeats + 1} times.`;
    vitest.logger.warn(`Evals ignore --repeats: ${remedy}`);
  }
  Object.assign(config, FORCED);
  const { agents = null, concurrency = 0 } = session.config ?? {};
  config.maxConcurrency = Math.max(
    config.maxConcurrency,
    concurrency * (agents?.length ?? MOST_OWN),
  );
  if (vitest.config.shard === undefined) return;
  // `--shard=i/n` splits records: every eval file runs in every shard.
  const { sequence } = vitest.config;
  vitest.config.passWithNoTests = true;
  sequence.sequencer = class extends sequence.sequencer {
    override shard = async (files: TestSpecification[]) => files;
  };
}

function addReporters(
  session: Session,
  vitest: Vitest,
  project: TestProject,
  env: SessionOptions['env'],
  reporter: EvalReporter,
): void {
  const { reporters, watch } = vitest.config;
  const watchFile = watchWith(vitest);
  const added: Reporter[] = [provider(session, project, env, watchFile)];
  if (watch) added.push(watchData(session, watchFile));
  const shown = reporters.findIndex((each) => Array.isArray(each) && each[0] === 'default');
  if (shown >= 0 && session.config?.failures !== 'full') reporters[shown] = new ListReporter();
  if (session.config !== null)
    added.push(
      new ProgressReporter(
        session,
        process.stderr.isTTY && process.stdout.isTTY && !session.config.ci,
      ),
    );
  reporters.push(...added, reporter);
}

/**
 * Provides the settings of a run, and what its agents depend on. Vitest calls reporters before the
 * workers start and waits for them.
 */
function provider(
  session: Session,
  project: TestProject,
  env: SessionOptions['env'],
  watchFile: WatchFile,
): Reporter {
  return {
    async onTestRunStart(evals: readonly TestSpecification[]) {
      if (evals.length === 0) return;
      const files = evals.map(({ moduleId }) => moduleId);
      const provided = session.start(files);
      project.provide('viva', provided);
      if (provided.status !== 'ready') return;
      const specs = listSpecs(provided.config);
      const targetsOf = (of: string) =>
        specs.flatMap(({ kind, target }) => (kind === of ? target : []));
      const modules = targetsOf('module').map((path) => resolve(path));
      const { sources, unwatched } = await findAgentSources(
        project,
        files,
        {
          modules,
          commands: targetsOf('command'),
          start: process.cwd(),
          written: provided.config.agentWrites ?? [],
        },
        env,
        provided.kinds,
      );
      project.provide('viva', { ...provided, sources });
      for (const [file, read] of unwatched)
        for (const path of read) watchFile(path, files.includes(file) ? [file] : files);
    },
  };
}
