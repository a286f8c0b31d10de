import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Milliseconds that a process has to end by itself once it was told to. */
const MERCY_MS = 2000;

/** Taken before any code of the user's is loaded, which may put another in its place. */
const startTimer = setTimeout;

/**
 * The process groups of all commands under way. They end with this process, however it ends: a guard, one small shell
 * for all of them, reads their numbers from a pipe and kills what is left when the pipe closes. No handler of this
 * process could do that after a SIGKILL, and none is needed beside it.
 */
class LiveGroups {
  readonly #live = new Set<number>();
  #guard: Guard | null = null;

  /** Resolves once the guard has been told: until then a group must not do anything. Rejects when there can be none. */
  async add(group: number): Promise<void> {
    this.#live.add(group);
    await this.#tell();
  }

  /** Kills what is left of a group at once, and forgets it. */
  kill(group: number): void {
    if (!this.#live.delete(group)) return;
    send(group, 'SIGKILL');
    this.#tellOfLess();
  }

  /** Tells a group to end; what ignores that is killed 2 s later. */
  end(group: number): void {
    send(group, 'SIGTERM');
    startTimer(() => this.kill(group), MERCY_MS).unref();
  }

  /** Forgets a group of which nothing is left, before the system gives its number to another. */
  forgetEnded(group: number): void {
    if (!send(group, 0) && this.#live.delete(group)) this.#tellOfLess();
  }

  /** Where there is no guard and none can be started, the next command says so. */
  #tellOfLess(): void {
    this.#tell().catch(() => {});
  }

  async #tell(): Promise<void> {
    this.#guard ??= this.#startGuard();
    const { stdin } = this.#guard;
    await new Promise<void>((resolve) => stdin.write(`${[...this.#live].join(' ')}\n`, () => resolve()));
  }

  #startGuard(): Guard {
    const guard = spawn('/bin/sh', ['-c', GUARD], {
      detached: true,
      cwd: '/',
      // It needs none of our environment, and holds it as long as we live: keys above all.
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = () => {
      if (this.#guard === guard) this.#guard = null;
    };
    guard.on('error', forget).on('exit', forget);
    if (guard.pid === undefined) throw Object.assign(new Error('no process for its guard'), { code: 'EAGAIN' });
    guard.stdin.on('error', forget);
    // The guard must not keep this process from ending.
    guard.unref();
    if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
    return guard;
  }
}

type Guard = ChildProcessByStdio<Writable, null, null>;

/** Each line lists every live group; a line torn by a crash is not read. */
const GUARD = 'while read -r line; do live=$line; done; for group in $live; do kill -KILL "-$group"; done';

export const liveGroups: Pick<LiveGroups, 'add' | 'kill' | 'end' | 'forgetEnded'> = new LiveGroups();

/** Whether there was anything to send to: a group that is gone already is no error. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    // ESRCH: nothing is left of it. EPERM: it became another user's, and is out of reach.
    return false;
  }
}
