import type { Plugin } from 'vitest/config';
import type { Reporter, TestSpecification } from 'vitest/node';
import EvalReporter from '../reporters/eval-reporter.ts';
import { Session, type SessionOptions } from './session.ts';
import { shardByRecord } from './shards.ts';
import { watchData } from './watch-data.ts';

/** The Vitest project whose tests are evals. */
const PROJECT = 'evals';

/**
 * The Vitest plugin: tells the workers of project "evals" what to run, and attaches the reporter so that no
 * `--reporter` on the command line drops it. It does nothing in a run without that project.
 */
export function viva(options: SessionOptions): Plugin {
  return {
    name: 'viva',
    configureVitest({ vitest, project }) {
      if (project.name !== PROJECT) return;
      const { root, watch, shard = null, mergeReports } = vitest.config;
      const session = new Session(options, { root, watch, shard, merge: mergeReports !== undefined });
      shardByRecord(vitest, project);
      if (watch && session.config !== null) watchData(vitest, session.config);
      vitest.config.reporters.push(provider(session), new EvalReporter(session));
    },
  };
}

/** Reporters hear of a run before its workers start, and Vitest waits for them: the moment to provide. */
function provider(session: Session): Reporter {
  return {
    onTestRunStart(specifications: readonly TestSpecification[]) {
      const evals = specifications.filter(({ project }) => project.name === PROJECT);
      if (evals.length === 0) return;
      const provided = session.start(evals.length);
      for (const project of new Set(evals.map(({ project }) => project))) project.provide('viva', provided);
    },
  };
}
