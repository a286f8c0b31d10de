import type { Reporter, TestProject, TestSpecification, Vitest } from 'vitest/node';
import EvalReporter from '../../reporters/eval-reporter.ts';
import { readGithubJob } from '../../reporters/github.ts';
import { JunitProperties } from '../../reporters/junit-properties.ts';
import { ProgressReporter } from '../../reporters/progress/progress-reporter.ts';
import type { EvalConfig } from '../config.ts';
import { Session, type SessionOptions } from './session.ts';
import { shardByRecord } from './shards.ts';
import { watchData } from './watch-data.ts';

/** Gives the project whose tests are evals its session, its shards, what it watches and its reporter. */
export function attach(options: SessionOptions, vitest: Vitest, project: TestProject): void {
  const { root, watch, ui, shard = null, mergeReports } = vitest.config;
  const session = new Session(options, { root, watch, ui, shard, merge: mergeReports !== undefined });
  shardByRecord(vitest, project);
  if (session.config !== null) admitCalls(project, session.config);
  if (watch && session.config !== null) watchData(vitest, session.config);
  addJunitProperties(vitest);
  vitest.config.reporters.push(
    provider(session, project.name),
    ...showProgress(vitest, session),
    new EvalReporter(session, readGithubJob(options.env)),
  );
}

/** Vitest holds tests back by a limit of its own, which must not be the lesser one: each agent may have its own provider. */
function admitCalls({ config }: TestProject, { agents, concurrency }: EvalConfig): void {
  config.maxConcurrency = Math.max(config.maxConcurrency, concurrency * (agents?.length ?? 1));
}

/** Reporters hear of a run before its workers start, and Vitest waits for them: the moment to provide. */
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

/** Files that some keys of watch mode run although the command line leaves them out. */
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

/** How far the evals are; in a terminal its line takes the place of Vitest's own live summary. */
function showProgress(vitest: Vitest, { config }: Session): readonly Reporter[] {
  if (config === null) return [];
  const live = process.stderr.isTTY && process.stdout.isTTY && !config.ci;
  for (const reporter of vitest.config.reporters) {
    if (live && Array.isArray(reporter) && reporter[0] === 'default') reporter[1] = { ...reporter[1], summary: false };
  }
  return [new ProgressReporter({ live, concurrency: config.concurrency })];
}

function addJunitProperties({ config: { reporters } }: Vitest): void {
  const index = reporters.findIndex((reporter) => Array.isArray(reporter) && reporter[0] === 'junit');
  if (index !== -1) reporters.splice(index, 0, new JunitProperties());
}
