import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from './tools.ts';

/** Longer than the largest of them took. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * Installs a tool with npm into a folder of its own, unless it is there already; says why when it
 * does not install.
 */
export function install({ folder, files = folder, packages }: Tool, root: string): string | null {
  const own = join(root, folder);
  mkdirSync(own, { recursive: true });
  cpSync(join(import.meta.dirname, files), own, { recursive: true });
  // Not all look for evals in JavaScript.
  if (existsSync(join(own, 'bench.mjs')))
    renameSync(join(own, 'bench.mjs'), join(own, 'bench.eval.ts'));
  if (existsSync(join(own, 'installed'))) return null;
  writeFileSync(join(own, 'package.json'), '{"private": true, "type": "module"}\n');
  // No scripts: what evalite's would compile for minutes is the SQLite that is not measured.
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const npm = spawnSync('npm', ['install', ...flags, ...packages], {
    cwd: own,
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
  });
  if (npm.status === 0) writeFileSync(join(own, 'installed'), packages.join('\n'));
  const reason = npm.error?.message ?? npm.stderr.trim().split('\n').at(0) ?? '';
  return npm.status === 0 ? null : reason || `npm ended with ${npm.status}`;
}
