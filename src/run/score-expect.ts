import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { chai, createExpect, type ExpectStatic, expect, type TestContext } from 'vitest';
import { ScoreFault } from '../words/score-fault.ts';
import { cut, lineIf, listUp, quote } from '../words/show.ts';
import { describeThrown, isAssertion } from '../words/thrown.ts';
import { describeFailed } from './shown-difference.ts';
import { isThenable } from './user-code.ts';

/*
 * Cases run at the same time, and Vitest takes what its global `expect` asserts for an assertion of
 * the test that began last, if one runs. Here each score has its own. Not documented are the flag of
 * an assertion that names its test, the fields of a test in `standInFor`, the counters of snapshots in
 * `#counting`, and whether they are replaced in `isUpdating`: `test/vitest-internals.test.ts` fails first if a new Vitest changes them.
 */

type Task = TestContext['task'];

/** An assertion that a score made. */
type Made = {
  readonly name: string;
  /** Has the place. */
  readonly stack: string | undefined;
};

/** An asynchronous one. */
type Begun = Made & {
  isAwaited: boolean;
  isSettled: boolean;
};

/** The assertions of one score, or of what else runs in the test of a case. */
export class ScoreExpect {
  readonly #name: string;
  readonly #own: Task;
  /** For assertions of the global `expect`. Each snapshot reads the file of its test. */
  readonly #scope: Scope;
  readonly #begun: Begun[] = [];
  readonly #soft: Error[] = [];
  #expect: ExpectStatic | undefined;
  /** Assertions of the global `expect` that the score made. */
  #made = 0;
  #hasAsserted = false;
  #isAsserting = false;
  #hasEnded = false;
  readonly #counts = new Map<unknown, number>();
  #isOver = false;
  readonly #late: Made[] = [];
  /** What it left behind has thrown, and nobody caught. */
  readonly #thrown: unknown[] = [];
  /** Null where an error of the score is known. */
  #tellLate: ((error: Error) => void) | null;

  /**
   * `name` is that of the score among several, or null. A snapshot of it has the name too. `tellLate`
   * gets the first assertion that is made after `end`, as an error; `snapshots` names those of the case.
   */
  constructor(
    task: Task,
    name: string | null,
    tellLate: (error: Error) => void = () => {},
    snapshots = task.fullTestName,
  ) {
    this.#tellLate = (error) => {
      this.#tellLate = null;
      tellLate(error);
    };
    this.#name = name ?? 'score';
    this.#own = standInFor(task, name === null ? snapshots : `${snapshots} > ${name}`);
    const toOfGlobal = () =>
      Object.create(this.#own, { file: { get: () => this.refuse('a snapshot') } });
    this.#scope = new Scope(toOfGlobal, this);
  }

  /** Whether anything was asserted, with any `expect`: `expect(x)` alone asserts nothing. */
  get hasAsserted(): boolean {
    return this.#hasAsserted;
  }

  /** Vitest's `expect` for this score. It takes 0.1 ms and 10 kB to make. */
  get expect(): ExpectStatic {
    this.#expect ??= this.#make();
    return this.#expect;
  }

  #make(): ExpectStatic {
    const own = createExpect(this.#own);
    const following = (...args: Parameters<ExpectStatic>) => this.follow(own(...args));
    const soft: typeof following = (...args) => this.follow(own(...args), { isSoft: true });
    // It asks nothing before it is awaited.
    const poll: typeof own.poll = (...args) => this.follow(own.poll(...args), { isLazy: true });
    return Object.assign(following, own, { soft, poll }) as ExpectStatic;
  }

  /** Runs the score: all that it asserts, also later, belongs to it. */
  run<T>(score: () => T): T {
    claimAll();
    return scopes.run(this.#scope, score);
  }

  /**
   * What did not hold in a score that returned. Rejects if it left behind an assertion, which says too
   * late what it says, or what has failed.
   */
  async end(): Promise<readonly Error[]> {
    this.#hasEnded = true;
    const late: Made[] = this.#begun.filter(({ isAwaited, isSettled }) => !isAwaited || !isSettled);
    // What it left behind goes on, and may assert.
    await setImmediate();
    const first = [...late, ...this.#late.splice(0)];
    this.#isOver = true;
    const isClean = first.length + this.#thrown.length === 0;
    if (isClean) return [...this.#soft, ...this.#listMiscounted()];
    this.#tellLate = null;
    throw first.length > 0 ? this.#toLate(first) : this.#toLeft(this.#thrown[0]);
  }

  /** An error that nobody caught, of what the score started and did not await. */
  takeThrown(error: unknown): void {
    if (this.#isOver) this.#tellLate?.(this.#toLeft(error));
    else this.#thrown.push(error);
  }

  #toLeft(thrown: unknown): Error {
    const why = thrown instanceof Error ? describeFailed(thrown) : describeThrown(thrown);
    const error = new ScoreFault(
      `"${this.#name}" left behind what failed: ${cut(why, 300).replace(/\.$/, '')}. Write "await" before it.`,
      { quotes: true },
    );
    if (thrown instanceof Error) error.stack = thrown.stack ?? '';
    return error;
  }

  /** What did not hold before a score threw. Others of its assertions may still run. */
  stop(): readonly Error[] {
    this.#hasEnded = true;
    this.#tellLate = null;
    return this.#soft;
  }

  #noteLate({ words = [] }: Followed): void {
    if (!this.#hasEnded) return;
    const made = { name: nameOf(words), stack: withPlace(() => new Error('late').stack) };
    if (this.#isOver) this.#tellLate?.(this.#toLate([made]));
    else this.#late.push(made);
  }

  #toLate(late: readonly Made[]): Error {
    const names = [...new Set(late.map(({ name }) => name))];
    const error = new ScoreFault(
      `"${this.#name}" ended before its assertion did: ${listUp(names, 3)}. Write "await" before it, and before a function that calls it.`,
    );
    error.stack = late[0]?.stack ?? error.stack ?? '';
    return error;
  }

  #listMiscounted(): readonly Error[] {
    if (this.#expect === undefined) return [];
    const state = this.#expect.getState();
    const { expectedAssertionsNumber: wanted } = state;
    const count = state.assertionCalls + this.#made;
    const isMiscounted = wanted != null && wanted !== count;
    const isNone = state.isExpectingAssertions === true && count === 0;
    return [
      ...lineIf(isMiscounted, `it made ${count} of expect.assertions(${wanted})`),
      ...lineIf(isNone, 'it made no assertion, but called expect.hasAssertions()'),
    ].map((message) => new chai.AssertionError(message));
  }

  refuse(what: string): never {
    const message = `"${this.#name}" uses ${what} of the global expect, which knows no case, since cases run at the same time. Take its own: ${this.#name}: ({ output, expect }) => ...`;
    throw withPlace(() => new ScoreFault(message));
  }

  /** An assertion of the global `expect`. */
  claim<T extends object>(assertion: T): T {
    // chai makes others of its own for some.
    if (this.#isAsserting) return assertion;
    this.#made += 1;
    return this.follow(assertion);
  }

  /**
   * An assertion that tells what it starts and whether that is awaited. A soft one does not throw
   * what does not hold.
   */
  follow<T extends object>(assertion: T, how: Followed = {}): T {
    return new Proxy(assertion, {
      get: (target, key) => {
        if (typeof key === 'string' && /InlineSnapshot$/.test(key))
          throw new ScoreFault(`"${this.#name}" ${NO_INLINE}`);
        // An `await` reads `then`, and a text of it `toString`.
        if (typeof key === 'symbol' || !isWord(key)) return Reflect.get(target, key, target);
        const { words = [] } = how;
        const next = { ...how, words: [...words, key] };
        const value = this.#read(target, key, next);
        if (value instanceof chai.Assertion) return this.follow(value, next);
        if (typeof value !== 'function') return value;
        return new Proxy(value, {
          apply: (method, _this, args) => {
            const assert = () => Reflect.apply(method, target, args);
            if (key === 'toMatchFileSnapshot')
              return this.#call(() => this.#compareFile(target, args[0], assert), {
                ...next,
                isLazy: true,
              });
            const isStored = /MatchSnapshot$|MatchingSnapshot$/.test(key);
            return this.#call(isStored ? () => this.#counting(args.at(-1), assert) : assert, next);
          },
        });
      },
      // Some words of chai, such as `an`, are called or read.
      apply: (target, self, args) =>
        this.#call(() => Reflect.apply(target as () => unknown, self, args), how),
    });
  }

  /** Some words of chai, such as `ok`, assert where they are read. */
  #read(assertion: object, word: string, how: Followed): unknown {
    try {
      const value: unknown = Reflect.get(assertion, word, assertion);
      if (typeof value === 'function' || JOINING.has(word)) return value;
      this.#noteAsserted(how);
      return value;
    } catch (error) {
      this.#noteAsserted(how);
      this.#fail(error, how);
      return assertion;
    }
  }

  /** Trials that share a name count their snapshots apart. */
  #counting<T>(hint: unknown, assert: () => T): T {
    const { name } = this.#own;
    const key = typeof hint === 'string' ? `${name} > ${hint}` : name;
    const counters: unknown = Reflect.get(Object(expect.getState().snapshotState), '_counters');
    if (!(counters instanceof Map)) return assert();
    counters.set(key, this.#counts.get(key) ?? 0);
    try {
      return assert();
    } finally {
      this.#counts.set(key, counters.get(key));
    }
  }

  /** Compares with a file once that is awaited: what nobody awaits stores none. */
  #compareFile(assertion: object, path: unknown, assert: () => unknown): PromiseLike<unknown> {
    const compare = async () => {
      if (this.#hasEnded) return;
      // Of `resolves` it is a promise, whose own error the assertion has.
      const text = await Promise.resolve(chai.util.flag(assertion, 'object')).catch(() => {});
      this.#takeFile(String(path), text);
      await assert();
    };
    const then: Promise<unknown>['then'] = (...handlers) => compare().then(...handlers);
    return { then };
  }

  /**
   * Answers may share a file, as agents and trials do that are to say the same. Where one would replace
   * what another wrote, each run would fail for all others.
   */
  #takeFile(path: string, text: unknown): void {
    const { file, meta, id } = this.#own;
    const { suite = '', id: own = id } = meta.eval ?? {};
    const taken = takenFiles.get(file) ?? new Map<string, TakenFile>();
    takenFiles.set(file, taken);
    const place = resolve(dirname(file.filepath), path);
    const before = taken.get(place);
    const ofCase = JSON.stringify([suite, own]);
    if (before === undefined) {
      const isStored = existsSync(place) && !isUpdating();
      taken.set(place, { ofCase, text, isStored });
      return;
    }
    if (isDeepStrictEqual(before.text, text)) return;
    if (before.ofCase === ofCase && before.isStored) return;
    const of = before.ofCase === ofCase ? 'answers of a case' : 'cases';
    throw new ScoreFault(
      `"${this.#name}" has one file for several ${of}, ${quote(path)}: each compares with what another wrote. ${of === 'cases' ? 'Put sample.id into its name.' : 'Write expect(output).toMatchSnapshot(), which has one for each.'}`,
    );
  }

  #noteAsserted(how: Followed): void {
    this.#hasAsserted = true;
    this.#noteLate(how);
  }

  #call(assert: () => unknown, how: Followed): unknown {
    this.#noteAsserted(how);
    // It would fail, or store a snapshot, where nobody looks.
    if (this.#hasEnded) return undefined;
    const wasAsserting = this.#isAsserting;
    this.#isAsserting = true;
    try {
      const result = assert();
      if (result instanceof chai.Assertion) return this.follow(result, how);
      return isThenable(result) ? this.#followPromise(result, how) : result;
    } catch (error) {
      return this.#fail(error, how);
    } finally {
      this.#isAsserting = wasAsserting;
    }
  }

  #fail(error: unknown, { isSoft }: Followed): void {
    // It would fail where nobody looks.
    if (this.#hasEnded) return;
    if (isMissing(error)) throw new ScoreFault(`"${this.#name}" ${NO_SNAPSHOT}`);
    if (isSoft !== true || !isAssertion(error)) throw error;
    this.#soft.push(error);
  }

  /** Vitest's own promises of assertions are no real ones either. */
  #followPromise(result: PromiseLike<unknown>, how: Followed) {
    const { words = [] } = how;
    const begun: Begun = {
      name: nameOf(words),
      stack: withPlace(() => new Error('begun').stack),
      isAwaited: false,
      isSettled: false,
    };
    this.#begun.push(begun);
    const settle = () => {
      begun.isSettled = true;
    };
    let promise: Promise<unknown> | undefined;
    const start = () => {
      if (promise !== undefined) return promise;
      promise = Promise.resolve(result).catch((error: unknown) => this.#fail(error, how));
      // Nobody may ever handle it.
      promise.then(settle, settle);
      return promise;
    };
    const awaited = () => {
      begun.isAwaited = true;
      return start();
    };
    if (how.isLazy !== true) start();
    const then: Promise<unknown>['then'] = (...handlers) => awaited().then(...handlers);
    const others: Pick<Promise<unknown>, 'catch' | 'finally'> = {
      catch: (handler) => awaited().catch(handler),
      finally: (handler) => awaited().finally(handler),
    };
    return { then, ...others, [Symbol.toStringTag]: 'Promise' };
  }
}

/** What is compared first with a file, and whether the file stays as it is. */
type TakenFile = Readonly<{ ofCase: string; text: unknown; isStored: boolean }>;

/** By their paths, for each eval file. */
const takenFiles = new WeakMap<object, Map<string, TakenFile>>();

/** Whether Vitest replaces stored snapshots, as with `-u`. */
function isUpdating(): boolean {
  const { snapshotState } = expect.getState();
  return Reflect.get(Object(snapshotState), '_updateSnapshot') === 'all';
}

/** The place is in a file of the user, below frames of Vitest and chai, and above many of viva. */
function withPlace<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function nameOf(words: readonly string[]): string {
  return ['expect(...)', ...words].join('.');
}

/** An assertion, with the words of it that were read so far. */
type Followed = Readonly<{ isSoft?: boolean; isLazy?: boolean; words?: readonly string[] }>;

/** Whether assertions have such a word: one of chai, or a matcher. */
function isWord(key: string): boolean {
  return key in chai.Assertion.prototype && !(key in Object.prototype) && !key.startsWith('_');
}

/** Words that assert nothing where they are read, unlike `true` or `empty`. */
const JOINING: ReadonlySet<string> = new Set(
  (
    'to be been is and has have with that which at of same but does still also ' +
    'not deep nested own ordered any all resolves rejects'
  ).split(' '),
);

const NO_INLINE =
  'uses an inline snapshot, which has one place for all cases. Write expect(output).toMatchSnapshot(): it has one for each.';

/** Whose assertions are made now: those of a score, or of other code in the test of a case. */
class Scope {
  readonly #make: () => Task;
  readonly score: ScoreExpect | null;
  #made: Task | undefined;

  constructor(make: () => Task, score: ScoreExpect | null) {
    this.#make = make;
    this.score = score;
  }

  /** The test of their assertions, which few cases need. */
  get ofGlobal(): Task {
    this.#made ??= this.#make();
    return this.#made;
  }
}

// Eval files of one process share Vitest with its `expect`, but not this module.
const SCOPES = Symbol.for('viva.scopes');
const CLAIMED = Symbol.for('viva.claimed');
const scopes: AsyncLocalStorage<Scope | undefined> =
  Reflect.get(globalThis, SCOPES) ?? new AsyncLocalStorage<Scope | undefined>();
Reflect.set(globalThis, SCOPES, scopes);

/** Runs the test of a case. What an agent asserts there changes no other test. */
export function inOwnTest<T>(task: Task, act: () => T): T {
  if (!Reflect.has(chai.Assertion.prototype, CLAIMED)) claimAll();
  return scopes.run(new Scope(() => standInFor(task, task.fullTestName), null), act);
}

/** Runs what viva itself asserts of a case: it belongs to no score, and is 80 µs faster without a test. */
export function outsideTests(act: () => void): void {
  scopes.run(undefined, act);
}

/** Gives the score that runs, or ran, here what nobody caught; false where none did. */
export function takeForScore(thrown: unknown): boolean {
  const score = scopes.getStore()?.score ?? null;
  score?.takeThrown(thrown);
  return score !== null;
}

/** Has assertions of the global `expect` belong to the score that makes them. */
function claimAll(): void {
  const { prototype } = chai.Assertion;
  const names = Object.getOwnPropertyNames(prototype);
  // A user may add matchers.
  if (Reflect.get(prototype, CLAIMED) === names.length) return;
  Reflect.set(prototype, CLAIMED, names.length);
  for (const name of names)
    if (name !== 'constructor' && name !== 'withTest' && !name.startsWith('_')) claim(name);
  for (const name of ['soft', 'poll', 'assertions', 'hasAssertions'] as const) refuseGlobal(name);
}

/** Has a word of assertions claim the assertion of which it is read. No call has a further frame. */
function claim(name: string): void {
  const { prototype } = chai.Assertion;
  const found = Object.getOwnPropertyDescriptor(prototype, name);
  if (found?.configurable !== true || (found.get !== undefined && CLAIMED in found.get)) return;
  let method: unknown = found.value;
  function get(this: object): unknown {
    const scope = scopes.getStore();
    if (scope !== undefined && '__flags' in this && !isClaimed(this)) {
      chai.util.flag(this, TEST, scope.ofGlobal);
      // Vitest looks for its test after an await, where the place is lost.
      if (name === 'toMatchFileSnapshot') scope.score?.refuse('a snapshot');
      if (scope.score !== null) return Reflect.get(scope.score.claim(this), name);
    }
    return found?.get === undefined ? method : Reflect.apply(found.get, this, []);
  }
  const set = (changed: unknown) => {
    method = changed;
  };
  const claiming = Object.assign(get, { [CLAIMED]: true });
  Object.defineProperty(prototype, name, { get: claiming, set, configurable: true });
}

/** The flag of an assertion that has its test. */
const TEST = 'vitest-test';

function isClaimed(assertion: object): boolean {
  return STAND_IN in Object(chai.util.flag(assertion, TEST));
}

function refuseGlobal(name: 'soft' | 'poll' | 'assertions' | 'hasAssertions'): void {
  const method: object = expect[name];
  if (CLAIMED in method) return;
  const claimed = (...args: readonly unknown[]) => {
    scopes.getStore()?.score?.refuse(`expect.${name}`);
    return Reflect.apply(method as () => unknown, expect, args);
  };
  Reflect.set(expect, name, Object.assign(claimed, { [CLAIMED]: true }));
}

/** Whether a snapshot is not stored, in CI or with `--update=none`: that says nothing of the answer. */
function isMissing(error: unknown): error is Error {
  if (!(error instanceof Error) || !('expected' in error)) return false;
  return error.expected === undefined && /(?:^|: )Snapshot `.*` mismatched$/s.test(error.message);
}

const NO_SNAPSHOT =
  'has no stored snapshot of this case, and stores none in CI. Run the eval where CI is not set, and commit the snapshot.';

const STAND_IN = Symbol.for('viva.standIn');

/** A test of this whole name, of no suite, with results of its own. */
function standInFor(task: Task, name: string): Task {
  const own = (value: unknown) => ({ value, writable: true });
  return Object.create(task, {
    [STAND_IN]: own(true),
    name: own(name),
    fullTestName: own(name),
    suite: own(undefined),
    result: own({ state: 'run' }),
    promises: own([]),
    onFinished: own([]),
  });
}
