import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { version as vitestVersion } from 'vitest/node';
import { readVersion } from '../package.ts';
import { removeAbandoned } from '../run/workdir.ts';
import type { EvalConfig } from '../settings.ts';
import type { Manifest } from '../store/manifest.ts';
import { BEGUN } from '../store/run-end.ts';
import { RunWriter } from '../store/run-writer.ts';
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
