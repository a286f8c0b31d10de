import { version as vitestVersion } from 'vitest/node';
import packageJson from '../../package.json' with { type: 'json' };
import type { EvalConfig } from '../config.ts';
import { readGitCommit } from '../runs/git-commit.ts';
import { writeManifest } from '../runs/manifest.ts';
import { createRunFolder } from '../runs/run-folder.ts';
import { startLog } from '../runs/sample-log.ts';
import { removeAbandoned } from '../trial/abandoned-workdirs.ts';

type ShardPlace = { readonly index: number; readonly count: number };

/** Makes a run folder with its manifest and an empty log; gives its absolute path. `root` is where Vitest runs. */
export function beginRun(config: EvalConfig, root: string, shard: ShardPlace | null): string {
  const now = new Date();
  removeAbandoned();
  const names = config.agents?.map(({ text }) => text) ?? ['replay'];
  // A dry run has no results that "latest" could stand for.
  const folder = createRunFolder(config.dir, names, now, shard, config.dryRun !== true);
  writeManifest(folder, {
    version: 1,
    created_at: now.toISOString(),
    versions: { viva: packageJson.version, vitest: vitestVersion, node: process.versions.node },
    git_commit: readGitCommit(root),
    config: maskConfig(config),
    suites: [],
  });
  startLog(folder);
  return folder;
}

/** Settings as the manifest shows them: specs of agents as they are named in reports, and nothing of their keys. */
function maskConfig({ agents, ...config }: EvalConfig): Readonly<Record<string, unknown>> {
  const named = agents?.map(({ kind, text }) => ({ kind, text })) ?? null;
  return { agents: named, ...config };
}
