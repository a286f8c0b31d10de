import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryOrUndefined } from '../words/show.ts';

/** A group is killed this long after it was asked to end. */
const KILL_GRACE_MS = 2000;

/**
 * Stored before the user's code is loaded: fake timers of a test may replace the global function.
 */
const startTimer = setTimeout;

/**
 * The process groups of all running commands. They end with this process, except after a SIGKILL. A
 * worker therefore lists them in a folder of the main process, which kills them once the worker is
 * gone.
 */
class LiveGroups {
  readonly #live = new Set<number>();
  #list: string | null = null;
  #isFollowed = false;
  #isEnding = false;

  /** Lists the groups of this process in a folder of `GroupLists`. */
  listIn(folder: string): void {
    this.#list = folder;
  }

  add(group: number): void {
    this.#followProcess();
    this.#live.add(group);
    this.#changeList((file) => writeFileSync(file, ''), group);
    // What starts after a signal would outlive this process.
    if (this.#isEnding) this.kill(group);
  }

  /** Kills the processes that are left of a group. */
  kill(group: number): void {
    if (!this.#live.has(group)) return;
    send(group, 'SIGKILL');
    this.#forget(group);
  }

  killAll(): void {
    for (const group of this.#live) this.kill(group);
  }

  /** Tells a group to end and kills it 2 s later. */
  end(group: number): void {
    send(group, 'SIGTERM');
    startTimer(() => this.kill(group), KILL_GRACE_MS).unref();
  }

  /** Forgets a group that has ended, before the system gives its number to another. */
  forgetEnded(group: number): void {
    if (!isRunning(-group)) this.#forget(group);
  }

  #forget(group: number): void {
    this.#live.delete(group);
    this.#changeList((file) => rmSync(file, { force: true }), group);
  }

  /** No command fails because a list cannot be written: it matters only after a SIGKILL. */
  #changeList(change: (file: string) => void, group: number): void {
    const list = this.#list;
    if (list !== null) tryOrUndefined(() => change(join(list, `${process.pid}.${group}`)));
  }

  #followProcess(): void {
    if (this.#isFollowed) return;
    this.#isFollowed = true;
    process.once('exit', () => this.killAll());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
      const end = () => {
        this.#isEnding = true;
        this.killAll();
        if (process.listenerCount(signal) > 1) return;
        // A listener replaces what the signal does by itself.
        process.off(signal, end);
        process.kill(process.pid, signal);
      };
      process.on(signal, end);
    }
  }
}

export const liveGroups = new LiveGroups();

/**
 * A folder with the groups of the workers of this process, each an empty file whose name has the
 * numbers of both.
 */
export class GroupLists {
  readonly folder: string;

  /** The folder exists, and goes with this process. */
  constructor(folder: string) {
    this.folder = folder;
    process.once('exit', () => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Kills the groups of a worker that has ended. */
  killOf(worker: number): void {
    for (const name of tryOrUndefined(() => readdirSync(this.folder)) ?? []) {
      const [owner, group = 0] = name.split('.').map(Number);
      // 0 and 1 would be the group of this process and all processes.
      if (owner !== worker || !(group > 1)) continue;
      send(group, 'SIGKILL');
      rmSync(join(this.folder, name), { force: true });
    }
  }
}

/** Sends a signal to a group, if it has not ended. */
function send(group: number, signal: NodeJS.Signals): void {
  // ESRCH: it has ended. EPERM: it belongs to another user now.
  tryOrUndefined(() => process.kill(-group, signal));
}

/**
 * Whether a process with this id runs, or a process of the group with this id below 0; also one of
 * another user.
 */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
