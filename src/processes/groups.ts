import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Milliseconds that a process has to end by itself once it was told to. */
const MERCY_MS = 2000;

/** Ends within this time share one look through the processes of the machine, which takes some milliseconds. */
const GATHER_MS = 100;

/** Taken before any code of the user's is loaded, which may put another in its place. */
const startTimer = setTimeout;

/**
 * The process groups of all commands under way. They end with this process, however it ends: a guard, one small shell
 * for all of them, reads their numbers from a pipe and kills what is left when the pipe closes. No handler of this
 * process could do that after a SIGKILL, and none is needed beside it. On Linux what has left its group ends with it:
 * the guard finds it by the mark in its environment.
 */
class LiveGroups {
  /** The mark of each group. */
  readonly #live = new Map<number, string>();
  #ended: string[] = [];
  #guard: Guard | null = null;

  /** Resolves once the guard has been told: until then a group must not do anything. Rejects when there can be none. */
  async add(group: number, mark: string): Promise<void> {
    this.#live.set(group, mark);
    await this.#tell();
  }

  /** Kills what is left of a group at once, and forgets it. */
  kill(group: number): void {
    if (!this.#live.has(group)) return;
    send(group, 'SIGKILL');
    this.#forget(group);
  }

  /** Tells a group to end; what ignores that is killed 2 s later. */
  end(group: number): void {
    send(group, 'SIGTERM');
    startTimer(() => this.kill(group), MERCY_MS).unref();
  }

  /** Forgets a group of which nothing is left, before the system gives its number to another. */
  forgetEnded(group: number): void {
    if (!send(group, 0)) this.#forget(group);
  }

  /** Where there is no guard and none can be started, the next command says so. */
  #forget(group: number): void {
    const mark = this.#live.get(group);
    if (mark === undefined) return;
    this.#live.delete(group);
    this.#tell().catch(() => {});
    if (this.#ended.push(mark) === 1) startTimer(() => this.#tellEnded(), GATHER_MS).unref();
  }

  /** The end of this process before that leaves nothing: the guard then looks for every mark. */
  #tellEnded(): void {
    const marks = this.#ended;
    this.#ended = [];
    this.#tell(`ended ${marks.join(' ')}\n`).catch(() => {});
  }

  /** Says each time which groups live: the guard may be a new one, in the place of one that was killed. */
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
      // It needs none of our environment, and holds it as long as we live: keys above all.
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = () => {
      if (this.#guard === guard) this.#guard = null;
    };
    guard.on('error', forget).on('exit', forget);
    if (guard.pid === undefined) throw Object.assign(new Error('no process for its guard'), { code: 'EMFILE' });
    guard.stdin.on('error', forget);
    // The guard must not keep this process from ending.
    guard.unref();
    if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
    return guard;
  }
}

type Guard = ChildProcessByStdio<Writable, null, null>;

/*
 * What a child starts may leave its process group, but not easily its environment: each child gets a variable with a
 * value of its own, which all that comes of it inherits. Jenkins and other CI servers find left processes this way.
 */

/** Not EVAL_...: a viva that a command starts would refuse a setting that it does not know. */
export const MARK_NAME = 'VIVA_PROCESS';

/**
 * A line lists every live group, or the marks of ended ones; a line torn by a crash is not read. What bears a mark may
 * start more of it while it is looked for, so it is looked for until nothing is found, within reason. No number is
 * killed that was not just seen with the mark. Without /proc, as on macOS, nothing is found; without leave to read an
 * environment it is passed over.
 */
const GUARD = `
end_marked() {
  marks=
  for mark in "$@"; do marks="$marks -e ${MARK_NAME}=$mark"; done
  for pass in 1 2 3 4 5; do
    found=$(grep -lsF $marks /proc/[0-9]*/environ)
    [ -n "$found" ] || return 0
    for file in $found; do
      id=\${file#/proc/}
      kill -KILL "\${id%/environ}"
    done
  done
}
while read -r word rest; do
  case $word in
    live) live=$rest ;;
    ended) end_marked $rest ;;
  esac
done
for group in $live; do kill -KILL "-$group"; done
end_marked "$1"
`;

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

/** Begins every mark of this process, so that the guard can look for all of them. */
const MARKS_OF_THIS_PROCESS = `${crypto.randomUUID()}.`;

let marks = 0;

/** The end is part of it: the mark 1 must not be found in the mark 10. */
export function createMark(): string {
  return `${MARKS_OF_THIS_PROCESS}${++marks}.`;
}

/** Whether a process of this number is there; one of another user is. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
