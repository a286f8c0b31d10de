import { type ChildProcess, spawn } from 'node:child_process';

/** Milliseconds that a process has to end by itself once it was told to. */
const MERCY_MS = 2000;

/**
 * The process groups of all commands under way. They end with this process, however it ends: a guard, one small shell
 * for all of them, reads their numbers from a pipe and kills what is left when the pipe closes. No handler of this
 * process could do that after a SIGKILL, and none is needed beside it.
 */
class LiveGroups {
  readonly #live = new Set<number>();
  #guard: ChildProcess | null = null;

  add(group: number): void {
    this.#live.add(group);
    this.#tell();
  }

  /** Kills what is left of a group at once, and forgets it. */
  kill(group: number): void {
    send(group, 'SIGKILL');
    if (this.#live.delete(group)) this.#tell();
  }

  /** Tells a group to end; what ignores that is killed 2 s later. */
  end(group: number): void {
    send(group, 'SIGTERM');
    setTimeout(() => this.kill(group), MERCY_MS).unref();
  }

  #tell(): void {
    this.#guard ??= this.#startGuard();
    this.#guard.stdin?.write(`${[...this.#live].join(' ')}\n`);
  }

  #startGuard(): ChildProcess {
    const guard = spawn('/bin/sh', ['-c', GUARD], { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
    const forget = () => {
      if (this.#guard === guard) this.#guard = null;
    };
    guard.on('error', forget).on('exit', forget);
    guard.stdin.on('error', forget);
    // The guard must not keep this process from ending.
    guard.unref();
    if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
    return guard;
  }
}

/** Each line lists every live group; a line torn by a crash is not read. */
const GUARD = 'while read -r line; do live=$line; done; for group in $live; do kill -KILL "-$group"; done';

export const liveGroups: Pick<LiveGroups, 'add' | 'kill' | 'end'> = new LiveGroups();

/** A group that is gone already is no error. */
function send(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // ESRCH: nothing is left of it. EPERM: it became another user's, and is out of reach.
  }
}
