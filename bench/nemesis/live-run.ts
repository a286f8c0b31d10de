import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnvironment } from '../../test/e2e/run-vitest.ts';
import type { AnswerName } from './check.ts';
import { type Edited, readCalls, setClock, settingsOf, type World } from './world.ts';

export type FaultKind = 'kill' | 'pause' | 'clock' | 'disk' | Edited;

/** A Vitest run of the world's questions in a process group of its own. */
export class LiveRun {
  readonly pid: number;
  /** The questions, with the agent's version, whose answers were in the cache before this run began. */
  readonly known: ReadonlySet<AnswerName>;
  /** What was done to it. */
  readonly faults: FaultKind[] = [];
  readonly ended: Promise<number | null>;
  readonly #world: World;
  readonly #child: ChildProcess;
  /** A setting that tells its run folder from others. */
  readonly #mark: number;
  #code: number | null | undefined;

  /** `number` is that of the run in its world, from 1. */
  constructor(world: World, number: number, known: ReadonlySet<AnswerName>) {
    this.#world = world;
    this.known = known;
    this.#mark = number / 1000;
    const output = openSync(join(world.folder, 'output.log'), 'a');
    const words = [join(world.folder, 'node_modules/vitest/vitest.mjs'), 'run', 'evals'];
    const env = {
      ...cleanEnvironment(),
      ...settingsOf(world),
      EVAL_MIN_ACCURACY: String(this.#mark),
    };
    this.#child = spawn(process.execPath, words, {
      cwd: world.folder,
      env,
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.pid = this.#child.pid ?? 0;
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        this.#code = code;
        resolve(code);
      });
    });
  }

  get hasEnded(): boolean {
    return this.#code !== undefined;
  }

  /** The process that asks; null before the first call. */
  get worker(): number | null {
    return readCalls(this.#world).find(({ run }) => run === this.pid)?.worker ?? null;
  }

  /** Its run folder; null before it was made. */
  get folder(): string | null {
    return listRunFolders(this.#world).find((folder) => readMark(folder) === this.#mark) ?? null;
  }

  get callCount(): number {
    return readCalls(this.#world).filter(({ run }) => run === this.pid).length;
  }

  /** Kills the process that was started, its worker, or both. */
  async kill(victim: 'main' | 'worker' | 'group'): Promise<void> {
    this.faults.push('kill');
    const { worker } = this;
    send(
      victim === 'main' ? this.pid : victim === 'group' ? -this.pid : (worker ?? this.pid),
      'SIGKILL',
    );
    await this.ended;
    // Without its main process a worker ends by itself.
    for (let waited = 0; waited < 5_000 && worker !== null && send(worker, 0); waited += 10)
      await sleep(10);
  }

  /** Stops the whole group for a while, as Ctrl-Z or a closed lid does. */
  async pause(ms: number): Promise<void> {
    this.faults.push('pause');
    send(-this.pid, 'SIGSTOP');
    await sleep(ms);
    send(-this.pid, 'SIGCONT');
  }

  /** Jumps the clock that all runs of the world see. */
  shiftClock(shiftMs: number): void {
    this.faults.push('clock');
    setClock(this.#world, shiftMs);
  }

  /** Lets its files grow by a few bytes more, as on a full disk, for a while or for good. */
  async fillDisk(bytesLeft: number, ms: number | null): Promise<void> {
    this.faults.push('disk');
    const sizes = this.files.map((file) => statSync(file).size);
    this.#limitFiles(String(Math.max(LEAST_LIMIT, ...sizes) + bytesLeft));
    if (ms === null) return;
    await sleep(ms);
    if (!this.hasEnded) this.#limitFiles('unlimited');
  }

  /** The files that it appends to. */
  get files(): readonly string[] {
    const rows = this.folder === null ? [] : [join(this.folder, 'samples.jsonl')];
    return [
      ...rows,
      ...(this.worker === null ? [] : listCacheFiles(this.#world, this.worker)),
    ].filter((file) => existsSync(file));
  }

  /** Ends whatever is left of it. */
  end(): void {
    if (!this.hasEnded) send(-this.pid, 'SIGKILL');
  }

  #limitFiles(bytes: string): void {
    for (const pid of [this.pid, this.worker ?? this.pid]) {
      // A process may have ended meanwhile.
      const { error } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
      if (error !== undefined) throw error;
    }
  }
}

/** The agent's own log must always find room. */
const LEAST_LIMIT = 64 * 1024;

export function listCacheFiles({ dir, suite }: World, worker: number | null): readonly string[] {
  const folder = join(dir, 'cache', suite);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter(
    (name) => worker === null || name.endsWith(`-${worker}.jsonl`),
  );
  return names.map((name) => join(folder, name));
}

function listRunFolders({ dir }: World): readonly string[] {
  const runs = join(dir, 'runs');
  return existsSync(runs) ? readdirSync(runs).map((name) => join(runs, name)) : [];
}

function readMark(folder: string): unknown {
  const file = join(folder, 'manifest.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).config.minAccuracy : null;
}

/** False if there is no such process. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
