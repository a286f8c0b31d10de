import { createRequire } from 'node:module';
import { basename, relative } from 'node:path';
import { version as vitestVersion } from 'vitest/node';
import type { EvalConfig } from '../config.ts';
import { EXTENSION, readVersion } from '../package.ts';
import { removeAbandoned } from '../run/workdir.ts';
import { writeManifest } from '../store/manifest.ts';
import { BEGUN, writeEnd } from '../store/run-end.ts';
import { createRunFolder, readGitCommit } from '../store/run-folder.ts';
import { startLog } from '../store/sample-log.ts';
import type { RunFiles } from '../store/stored-run.ts';
import type { VitestSettings } from './session.ts';

const load = createRequire(import.meta.url);

/**
 * Makes a run folder with its manifest and an empty log, and returns its absolute path. The suites
 * of the previous watch run that do not run again go on into it.
 */
export function beginRun(
  config: EvalConfig,
  { root, shard, merge, watch }: VitestSettings,
  files: readonly string[],
  previous: RunFiles | null,
): string {
  const now = new Date();
  removeAbandoned();
  // Without EVAL_AGENT each suite names its agent, which is not known yet.
  const agents =
    config.agents?.map(({ text }) => text) ??
    files.map((file) => basename(file).replace(/\.eval\.\w+$/, ''));
  const names = merge ? ['merged'] : agents;
  const folder = createRunFolder(config.dir, names, now, shard);
  const ran = new Set(files.map((file) => relative(root, file)));
  const carried = previous?.manifest.suites.filter(({ eval_file }) => !ran.has(eval_file)) ?? [];
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
    suites: carried,
  });
  startLog(folder);
  const known = carried.map(({ suite }) => suite);
  writeEnd(folder, {
    ...BEGUN,
    watch: watch ? (previous?.end.watch ?? 0) + 1 : null,
    carried: known,
    absent: previous?.end.absent.filter(({ suite }) => known.includes(suite)) ?? [],
  });
  if (previous !== null) loadStoredRun().copyRun(previous, folder, carried);
  return folder;
}

export function loadStoredRun(): typeof import('../store/stored-run.ts') {
  return load(`../store/stored-run${EXTENSION}`);
}

function nameSpecs(specs: EvalConfig['agents']) {
  return specs?.map(({ kind, text }) => ({ kind, text })) ?? null;
}
