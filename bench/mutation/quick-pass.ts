import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from '../measure/clean-environment.ts';
import { bundleTests } from './bundle-tests.ts';
import { instrument, type Mutant } from './mutants.ts';
import type { Room } from './rooms.ts';

/** A mutant with which the tests take so long runs for ever; without one they take about a second. */
const HANGS_MS = 60_000;

export type QuickPass = {
  readonly mutants: readonly Mutant[];
  /** Ids of those that a test fails with, and of those that never end. */
  readonly killed: ReadonlySet<string>;
  readonly hung: ReadonlySet<string>;
};

/**
 * Tries the mutants of some files, each on freshly loaded modules, in a few child processes: a run of Vitest for each
 * would take seconds, and nearly all are killed by the first tests.
 */
export async function runQuickPass(
  copy: string,
  room: Room,
  files: readonly string[],
  concurrency: number,
): Promise<QuickPass> {
  const { mutants, files: changed } = await instrument(copy, files);
  const folder = join(copy, '.mutation');
  mkdirSync(folder, { recursive: true });
  const bundle = join(folder, `${room.name}.cjs`);
  writeFileSync(bundle, await bundleTests(copy, room, new Map(changed.map(({ name, content }) => [name, content]))));
  const queue = mutants.map(({ id }) => id);
  const killed = new Set<string>();
  const hung = new Set<string>();
  const work = async () => {
    while (queue.length > 0) {
      const stuck = await runChild(copy, bundle, queue, killed);
      if (stuck !== null) hung.add(stuck);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { mutants, killed, hung };
}

/** Has one child try what the queue holds; gives the mutant that it hung or ended with, if any. */
function runChild(copy: string, bundle: string, queue: string[], killed: Set<string>): Promise<string | null> {
  const program = join(copy, 'bench/mutation/quick-child.ts');
  const child = fork(program, [bundle], { cwd: copy, env: cleanEnvironment(), execArgv: ['--no-warnings'] });
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  let current: string | null = null;
  let isReady = false;
  let watch: NodeJS.Timeout | undefined;
  const next = () => {
    clearTimeout(watch);
    current = queue.shift() ?? null;
    if (current === null) return child.disconnect();
    child.send(current);
    watch = setTimeout(() => child.kill('SIGKILL'), HANGS_MS);
  };
  child.on('message', (message: 'ready' | { readonly killed: boolean }) => {
    if (message === 'ready') isReady = true;
    else if (message.killed && current !== null) killed.add(current);
    next();
  });
  child.on('exit', () => {
    clearTimeout(watch);
    if (isReady) resolve(current);
    else
      reject(new Error(`The tests of ${bundle} could not be loaded without a mutant. What it says above tells why.`));
  });
  return promise;
}
