import { relative, resolve } from 'node:path';
import type {
  Reporter,
  TestProject,
  TestSequencerConstructor,
  TestSpecification,
  Vitest,
} from 'vitest/node';
import EvalReporter from '../../reporters/eval-reporter.ts';
import { readGithubJob } from '../../reporters/github-job.ts';
import { ProgressReporter } from '../../reporters/progress-reporter.ts';
import { labelShard, listByRunning, readCliOptions } from '../../reporters/vitest-main.ts';
import { adaptReporters } from '../../reporters/vitest-reporters.ts';
import { listSpecs } from '../config.ts';
import { EXTENSION } from '../package.ts';
import { findAgentSources } from './agent-sources.ts';
import { keepOwnOutputs } from './named-tests.ts';
import { Session, type SessionOptions } from './session.ts';
import { type WatchFile, watchData, watchWith } from './watch-files.ts';

/** Adds the session, the shards, the watched files and the reporters to the project "evals". */
export async function attach(
  options: SessionOptions,
  vitest: Vitest,
  project: TestProject,
): Promise<void> {
  await keepOwnOutputs(vitest, project);
  const session = openSession(options, vitest);
  const { mergeReports } = vitest.config;
  if (mergeReports !== undefined) (await import('../store/merge.ts')).checkBlobs(mergeReports);
  shardByRecord(vitest, project);
  project.config.runner ??= resolve(import.meta.dirname, `../run/task-runner${EXTENSION}`);
  if (options.command === 'list') {
    // `vitest list` runs nothing, so no reporter would call `start`.
    project.provide('viva', session.start([]));
    listByRunning(vitest);
  }
  const { repeats = 0 } = readCliOptions(vitest);
  if (repeats > 0) {
    const remedy = `EVAL_TRIALS=${repeats + 1} asks each question ${repeats + 1} times.`;
    vitest.logger.warn(`Evals ignore --repeats: ${remedy}`);
  }
  allowConcurrency(session, project);
  addReporters(session, vitest, project, options.env);
}

function openSession(options: SessionOptions, { config, vite }: Vitest): Session {
  const { root, watch, ui, shard = null, mergeReports } = config;
  const configFile = relative(root, vite.config.configFile ?? 'vitest.config.ts');
  const merge = mergeReports !== undefined;
  return new Session(options, { root, configFile, watch, ui, shard, merge });
}

/**
 * Makes `--shard=i/n` split records instead of files: every eval file runs in every shard and takes
 * its share of the samples. Other tests are split by file as before.
 */
function shardByRecord(vitest: Vitest, project: TestProject): void {
  const { shard, sequence } = vitest.config;
  if (shard === undefined) return;
  // Without this, Vitest refuses more shards than files.
  vitest.config.passWithNoTests = true;
  sequence.sequencer = keepEvalFiles(sequence.sequencer, project.name);
  labelShard(vitest, project);
}

function keepEvalFiles(
  Sequencer: TestSequencerConstructor,
  name: string,
): TestSequencerConstructor {
  return class extends Sequencer {
    constructor(vitest: Vitest) {
      super(vitest);
      const shardByFile = this.shard.bind(this);
      this.shard = async (specifications) => {
        const evals = specifications.filter(({ project }) => project.name === name);
        const others = specifications.filter(({ project }) => project.name !== name);
        return [...evals, ...(others.length === 0 ? [] : await shardByFile(others))];
      };
    }
  };
}

/** How many agents of an eval file work at once; it is not read yet. */
const MOST_OWN = 10;

/** Vitest's own limit must not slow down tests: each agent may have its own provider. */
function allowConcurrency({ config }: Session, project: TestProject): void {
  if (config === null) return;
  const calls = config.concurrency * (config.agents?.length ?? MOST_OWN);
  project.config.maxConcurrency = Math.max(project.config.maxConcurrency, calls);
}

function addReporters(
  session: Session,
  vitest: Vitest,
  project: TestProject,
  env: SessionOptions['env'],
): void {
  const { reporters, watch } = vitest.config;
  const watchFile = watchWith(vitest);
  const added: Reporter[] = [provider(session, vitest, { name: project.name, env, watchFile })];
  if (watch) added.push(watchData(vitest, session, watchFile));
  if (session.config !== null) {
    const { ci, failures } = session.config;
    const isTerminal = process.stderr.isTTY && process.stdout.isTTY;
    const live = vitest.config.mergeReports === undefined && isTerminal && !ci;
    adaptReporters(vitest.config, failures, live);
    added.push(new ProgressReporter(live));
  }
  reporters.push(...added, new EvalReporter(session, readGithubJob(env)));
}

/**
 * Provides the settings of a run, and what its agents depend on. Vitest calls reporters before the
 * workers start and waits for them.
 */
function provider(session: Session, vitest: Vitest, { name, env, watchFile }: Providing): Reporter {
  return {
    async onTestRunStart(specifications: readonly TestSpecification[]) {
      const evals = specifications.filter(({ project }) => project.name === name);
      if (evals.length === 0) return;
      // Shards that asked evals alone measured no coverage.
      const isAlone = evals.length === specifications.length;
      const isMerge = vitest.config.mergeReports !== undefined;
      if (isMerge && isAlone) vitest.disableCoverage();
      const all = evals.map(({ moduleId }) => moduleId);
      const provided = session.start(all);
      const isToRun = provided.status === 'ready' && !isMerge;
      for (const [project, own] of Map.groupBy(evals, (specification) => specification.project)) {
        project.provide('viva', provided);
        if (!isToRun) continue;
        const modules = listSpecs(provided.config).filter(({ kind }) => kind === 'module');
        const paths = modules.map(({ target }) => resolve(vitest.config.root, target));
        const files = own.map(({ moduleId }) => moduleId);
        const { sources, unwatched } = await findAgentSources(
          project,
          files,
          paths,
          env,
          provided.kinds,
        );
        project.provide('viva', { ...provided, sources });
        for (const [file, read] of unwatched)
          for (const path of read) watchFile(path, files.includes(file) ? [file] : all);
      }
    },
  };
}

type Providing = Pick<SessionOptions, 'env'> &
  Readonly<{
    name: string;
    watchFile: WatchFile;
  }>;
