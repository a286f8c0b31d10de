import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** A group is killed this long after it was asked to end. */
const KILL_GRACE_MS = 2000;

/**
 * Groups that end within this time share one scan of /proc, since a scan takes some milliseconds.
 */
const BATCH_MS = 100;

/**
 * Stored before the user's code is loaded: fake timers of a test may replace the global function.
 */
const startTimer = setTimeout;

/**
 * The process groups of all running commands. They end with this process, however it ends. One
 * small shell, the guard, reads their numbers from a pipe and kills the groups that are left when
 * the pipe closes. A handler in this process could not do that after a SIGKILL. On Linux the guard
 * also finds processes that left their group, by the mark in their environment.
 */
class LiveGroups {
  /** The mark of each group. */
  readonly #live = new Map<number, string>();
  #ended: string[] = [];
  #guard: Guard | null = null;

  /**
   * Resolves once the guard knows the group; the group must not start its work before. Rejects if
   * no guard can be started.
   */
  async add(group: number, mark: string): Promise<void> {
    this.#live.set(group, mark);
    await this.#tell();
  }

  /** Kills the processes that are left of a group. */
  kill(group: number): void {
    if (!this.#live.has(group)) return;
    send(group, 'SIGKILL');
    this.#forget(group);
  }

  /** Tells a group to end and kills it 2 s later. */
  end(group: number): void {
    send(group, 'SIGTERM');
    startTimer(() => this.kill(group), KILL_GRACE_MS).unref();
  }

  /** Forgets a group that has ended, before the system gives its number to another. */
  forgetEnded(group: number): void {
    if (!send(group, 0)) this.#forget(group);
  }

  /** If no guard can be started, the next command reports it. */
  #forget(group: number): void {
    const mark = this.#live.get(group);
    if (mark === undefined) return;
    this.#live.delete(group);
    this.#tell().catch(() => {});
    if (this.#ended.push(mark) === 1) startTimer(() => this.#tellEnded(), BATCH_MS).unref();
  }

  /** If this process ends first, the guard kills by mark anyway. */
  #tellEnded(): void {
    const marks = this.#ended;
    this.#ended = [];
    this.#tell(`ended ${marks.join(' ')}\n`).catch(() => {});
  }

  /**
   * Names all live groups each time: somebody may have killed the guard, and a new one knows none.
   */
  async #tell(line = ''): Promise<void> {
    this.#guard ??= this.#startGuard();
    const { stdin } = this.#guard;
    const live = `live ${[...this.#live.keys()].join(' ')}\n`;
    await new Promise<void>((resolve) => stdin.write(`${live}${line}`, () => resolve()));
  }

  #startGuard(): Guard {
    const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', MARKS_OF_THIS_PROCESS], {
      detached: true,
      cwd: '/',
      // The guard needs no environment and must not get our keys.
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = () => {
      if (this.#guard === guard) this.#guard = null;
    };
    guard.on('error', forget).on('exit', forget);
    if (guard.pid === undefined)
      throw Object.assign(new Error('no process for its guard'), { code: 'EMFILE' });
    guard.stdin.on('error', forget);
    // The guard must not keep this process from ending.
    guard.unref();
    if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
    return guard;
  }
}

type Guard = ChildProcessByStdio<Writable, null, null>;

/**
 * Each child gets this variable with its own mark. Descendants may leave the process group, but
 * they inherit the mark. CI servers find stray processes in the same manner. The name does not
 * start with EVAL_, because a viva inside a command would refuse an unknown setting.
 */
export const MARK_NAME = 'VIVA_PROCESS';

/**
 * A shell function that kills the processes with one of the marks. They may start others during the
 * search, so it is repeated until it finds none, at most five times. Only processes that were just
 * seen with the mark are killed. The grep of busybox sees nothing after the first NUL of a file.
 * Without /proc, as on macOS, it finds nothing.
 */
export const END_MARKED = `
find_marked() {
  grep -lsF "$@" /proc/[0-9]*/environ
}
printf 'a\\0b' | grep -qF b || find_marked() {
  for file in /proc/[0-9]*/environ; do
    tr '\\0' '\\n' 2>/dev/null <"$file" | grep -qF "$@" && echo "$file"
  done
}
end_marked() {
  marks=
  for mark in "$@"; do marks="$marks -e ${MARK_NAME}=$mark"; done
  for pass in 1 2 3 4 5; do
    found=$(find_marked $marks 2>/dev/null)
    [ -n "$found" ] || return 0
    for file in $found; do
      id=\${file#/proc/}
      kill -KILL "\${id%/environ}"
    done
  done
}
`;

/**
 * The shell script of the guard. Each line of its input lists all live groups, or the marks of
 * ended ones.
 */
const GUARD = `
${END_MARKED}
while read -r word rest; do
  case $word in
    live) live=$rest ;;
    ended) end_marked $rest ;;
  esac
done
for group in $live; do kill -KILL "-$group"; done
end_marked "$1"
`;

export const liveGroups: Pick<LiveGroups, 'add' | 'kill' | 'end' | 'forgetEnded'> =
  new LiveGroups();

/** Sends a signal to a group; false if the group is gone. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    // ESRCH: it has ended. EPERM: it belongs to another user now.
    return false;
  }
}

/** The common start of all marks of this process, so the guard can search for all at once. */
const MARKS_OF_THIS_PROCESS = `${crypto.randomUUID()}.`;

let marks = 0;

/** A mark ends in a dot, so the mark 1 is not found in the mark 10. */
export function createMark(): string {
  return `${MARKS_OF_THIS_PROCESS}${++marks}.`;
}

/** Whether a process with this id runs, also one of another user. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
