import { basename } from 'node:path';
import { version as vitestVersion } from 'vitest/node';
import { readVersion } from '../package.ts';
import { removeAbandoned } from '../run/workdir.ts';
import type { EvalConfig } from '../settings.ts';
import { writeManifest } from '../store/manifest.ts';
import { BEGUN, writeEnd } from '../store/run-end.ts';
import { createRunFolder, readGitCommit } from '../store/run-folder.ts';
import { startLog } from '../store/sample-log.ts';
import type { Shard } from '../words/sample.ts';

/** Makes a run folder with its manifest and an empty log, and returns its absolute path. */
export function beginRun(
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
  const folder = createRunFolder(config.dir, agents, now, shard);
  writeManifest(folder, {
    version: 1,
    run: basename(folder),
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
  startLog(folder);
  writeEnd(folder, { ...BEGUN, watch: watch ? watchRun : null });
  return folder;
}

function nameSpecs(specs: EvalConfig['agents']) {
  return specs?.map(({ kind, text }) => ({ kind, text })) ?? null;
}
