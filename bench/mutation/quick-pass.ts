import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from '../measure/clean-environment.ts';
import { instrument, type Mutant } from './mutants.ts';
import type { Room } from './rooms.ts';

/** A mutant under which the tests make no way for so long runs for ever. */
const HANGS_MS = 60_000;

export type QuickPass = {
  readonly mutants: readonly Mutant[];
  /** Ids of those that a test fails with, and of those that never end. */
  readonly killed: ReadonlySet<string>;
  readonly hung: ReadonlySet<string>;
};

/**
 * Tries the mutants of some files in the workers of one run of Vitest (quick.setup.ts). Those that it does not kill may
 * yet die in a run of their own: above all those that act while a module is loaded, which this pass never sees.
 */
export async function runQuickPass(copy: string, room: Room, files: readonly string[]): Promise<QuickPass> {
  const folder = join(copy, '.mutation', room.name);
  mkdirSync(folder, { recursive: true });
  const before = files.map((file) => [join(copy, file), readFileSync(join(copy, file), 'utf8')] as const);
  const { mutants, files: changed } = await instrument(copy, files);
  for (const { name, content } of changed) writeFileSync(name, content);
  try {
    while (!(await runVitest(copy, room, folder))) hang(folder);
  } finally {
    for (const [path, content] of before) writeFileSync(path, content);
  }
  return { mutants, killed: new Set(read(folder, 'killed')), hung: new Set(read(folder, 'hung')) };
}

/** False when it hung under a mutant and was ended. */
async function runVitest(copy: string, room: Room, folder: string): Promise<boolean> {
  const env = { ...cleanEnvironment(), MUTATION_TESTS: room.folder, MUTATION_FOLDER: folder };
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'bench/mutation/vitest.config.ts'];
  const child = spawn(process.execPath, args, { cwd: copy, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const watch = watchProgress(folder, () => process.kill(-(child.pid ?? 0), 'SIGKILL'));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  const code = await promise;
  clearInterval(watch);
  const isWhole = read(folder, 'current').length === 0;
  if (code !== 0 && isWhole)
    throw new Error(`The tests of ${room.name} fail without any mutant:\n${output.slice(-3000)}`);
  return isWhole;
}

function watchProgress(folder: string, onHang: () => void): NodeJS.Timeout {
  let [last, since] = ['', Date.now()];
  return setInterval(() => {
    const current = read(folder, 'current').join();
    if (current !== last) [last, since] = [current, Date.now()];
    if (current !== '' && Date.now() - since > HANGS_MS) onHang();
  }, 500);
}

/** Notes the mutant under way as one that hangs, so that the next run leaves it out. */
function hang(folder: string): void {
  writeFileSync(join(folder, 'hung'), [...read(folder, 'hung'), ...read(folder, 'current'), ''].join('\n'));
  writeFileSync(join(folder, 'current'), '');
}

function read(folder: string, name: string): readonly string[] {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}
