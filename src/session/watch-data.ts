import { resolve } from 'node:path';
import type { Vitest } from 'vitest/node';
import { listAgentFiles } from '../agents/agent-files.ts';
import type { EvalConfig } from '../config.ts';
import { isHubSource } from '../datasets/hub/hub-source.ts';

/** A file or folder that a suite reads from disk, unseen by Vite's module graph. */
type WatchedPath = { readonly path: string; readonly suites: readonly string[] };

const SUITES = ['gaia', 'mcq'];

/** In watch mode: an edit of a dataset, or of the files of an agent, re-runs the suites that read them. */
export function watchData(vitest: Vitest, config: EvalConfig): void {
  const root = vitest.config.root;
  const watched = listPaths(config, root).map(({ path, suites }) => ({ path: resolve(root, path), suites }));
  vitest.vite.watcher.add(watched.map(({ path }) => path));
  vitest.config.watchTriggerPatterns = [
    ...(vitest.config.watchTriggerPatterns ?? []),
    ...watched.map(({ path, suites }) => ({
      pattern: new RegExp(`^${RegExp.escape(path)}(?:/|$)`),
      testsToRun: () => suites.map((suite) => `evals/${suite}/${suite}.eval.ts`),
    })),
  ];
}

function listPaths({ gaia, mcq, agents }: EvalConfig, root: string): readonly WatchedPath[] {
  const samples = SUITES.map((suite) => ({ path: `evals/${suite}/sample`, suites: [suite] }));
  const agentFiles = (agents ?? []).flatMap((spec) => listAgentFiles(spec, root));
  return [
    ...samples,
    ...(gaia === null || isHubSource(gaia) ? [] : [{ path: gaia, suites: ['gaia'] }]),
    ...(mcq === null ? [] : [{ path: mcq, suites: ['mcq'] }]),
    ...agentFiles.map((path) => ({ path, suites: SUITES })),
  ];
}
