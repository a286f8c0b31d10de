import { resolve } from 'node:path';
import type { Reporter, TestProject, TestSequencerConstructor, TestSpecification, Vitest } from 'vitest/node';
import EvalReporter from '../../reporters/eval-reporter.ts';
import { readGithubJob } from '../../reporters/github-job.ts';
import { JunitProperties } from '../../reporters/junit-properties.ts';
import { ProgressReporter } from '../../reporters/progress-reporter.ts';
import { kindOf } from '../agents/kinds.ts';
import type { EvalConfig } from '../config.ts';
import { isHubSource } from '../datasets/hub/hub-source.ts';
import { checkBlobs } from '../store/merge.ts';
import { Session, type SessionOptions } from './session.ts';

/** Gives the project of the evals its session, its shards, the files that it watches and its reporters. */
export function attach(options: SessionOptions, vitest: Vitest, project: TestProject): void {
  const { root, watch, ui, shard = null, mergeReports, reporters } = vitest.config;
  const session = new Session(options, { root, watch, ui, shard, merge: mergeReports !== undefined });
  if (mergeReports !== undefined) checkBlobs(mergeReports);
  shardByRecord(vitest, project);
  // Nothing is run to list tests, so that nobody hears of a start.
  if (options.argv[0] === 'list') project.provide('viva', session.start([], []));
  if (session.config !== null) {
    const { agents, concurrency } = session.config;
    // Vitest's own limit must not hold back tests: each agent may have its own provider.
    project.config.maxConcurrency = Math.max(project.config.maxConcurrency, concurrency * (agents?.length ?? 1));
    if (watch) watchData(vitest, session.config);
  }
  const junit = reporters.findIndex((reporter) => Array.isArray(reporter) && reporter[0] === 'junit');
  if (junit !== -1) reporters.splice(junit, 0, new JunitProperties());
  reporters.push(
    provider(session, project.name),
    ...showProgress(vitest, session),
    new EvalReporter(session, readGithubJob(options.env)),
  );
}

/** A reporter hears of a run before the workers start, and Vitest waits for it: this is when to provide. */
function provider(session: Session, name: string): Reporter {
  return {
    async onTestRunStart(specifications: readonly TestSpecification[]) {
      const evals = specifications.filter(({ project }) => project.name === name);
      if (evals.length === 0) return;
      const files = evals.map(({ moduleId }) => moduleId);
      const provided = session.start(files, await findUnnamed(evals, session.allowed));
      for (const project of new Set(evals.map(({ project }) => project))) project.provide('viva', provided);
    },
  };
}

/** Eval files that a key of watch mode would run unasked. */
async function findUnnamed(
  specifications: readonly TestSpecification[],
  allowed: Session['allowed'],
): Promise<readonly string[]> {
  if (allowed === null) return [];
  const projects = [...new Set(specifications.map(({ project }) => project))];
  const found = await Promise.all(projects.map((project) => project.globTestFiles([...allowed])));
  const named = new Set(found.flatMap(({ testFiles }) => testFiles));
  return specifications.map(({ moduleId }) => moduleId).filter((file) => !named.has(file));
}

/** Shows how far the evals are; in a terminal in place of Vitest's own live summary, which other tests keep. */
function showProgress(vitest: Vitest, { config, namesEvals }: Session): readonly Reporter[] {
  if (config === null) return [];
  const live = namesEvals && process.stderr.isTTY && process.stdout.isTTY && !config.ci;
  for (const reporter of vitest.config.reporters) {
    if (live && Array.isArray(reporter) && reporter[0] === 'default') reporter[1] = { ...reporter[1], summary: false };
  }
  return [new ProgressReporter({ live, concurrency: config.concurrency })];
}

const SUITES = ['gaia', 'mcq'];

/** In watch mode: an edit of a dataset, or of an agent's files, runs the suites again that read them. */
export function watchData(vitest: Vitest, { gaia, mcq, agents }: EvalConfig): void {
  const { root } = vitest.config;
  const agentFiles = (agents ?? []).flatMap((spec) => kindOf(spec).listFiles(spec.target, root));
  const watched = [
    ...SUITES.map((suite) => ({ path: `evals/${suite}/sample`, suites: [suite] })),
    ...(gaia === null || isHubSource(gaia) ? [] : [{ path: gaia, suites: ['gaia'] }]),
    ...(mcq === null ? [] : [{ path: mcq, suites: ['mcq'] }]),
    ...agentFiles.map((path) => ({ path, suites: SUITES })),
  ].map(({ path, suites }) => ({ path: resolve(root, path), suites }));
  vitest.vite.watcher.add(watched.map(({ path }) => path));
  const patterns = watched.map(({ path, suites }) => ({
    pattern: new RegExp(`^${RegExp.escape(path)}(?:/|$)`),
    testsToRun: () => suites.map((suite) => `evals/${suite}/${suite}.eval.ts`),
  }));
  vitest.config.watchTriggerPatterns = [...(vitest.config.watchTriggerPatterns ?? []), ...patterns];
}

/**
 * Makes `--shard=i/n` split records instead of files: every eval file runs in every shard and takes its share of the
 * samples. Other tests are split by file as before.
 */
export function shardByRecord(vitest: Vitest, project: TestProject): void {
  const { shard, sequence } = vitest.config;
  if (shard === undefined) return;
  // Vitest refuses more shards than files, unless no test at all would pass too.
  vitest.config.passWithNoTests = true;
  sequence.sequencer = keepEvalFiles(sequence.sequencer, project.name);
  // The same tests in two shards have the same ids; without a label --merge-reports would keep those of the last shard.
  const label = vitest.config.mergeReportsLabel ?? `shard-${shard.index}-of-${shard.count}`;
  vitest.config.mergeReportsLabel = label;
  project.config.mergeReportsLabel = label;
}

function keepEvalFiles(Sequencer: TestSequencerConstructor, name: string): TestSequencerConstructor {
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
