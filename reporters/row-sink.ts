import { AsyncLocalStorage } from 'node:async_hooks';
import { basename, join, sep } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readManifest, type SuiteManifest } from '../src/store/manifest.ts';
import { type LoggedQuestion, readQuestions } from '../src/store/run-folder.ts';
import { nameTrial } from '../src/store/run-reader.ts';
import { type RunRow, toRunRow } from '../src/store/run-row.ts';
import { RowFollower } from '../src/store/sample-log.ts';
import { type Audience, hiddenFrom } from '../src/words/audience.ts';
import { field, textField } from '../src/words/fields.ts';
import type { SampleResult } from '../src/words/row.ts';
import { plural, showPath, tryOrUndefined } from '../src/words/show.ts';
import { toPlainError } from '../src/words/thrown.ts';
import { describeError } from './describe-error.ts';
import type { ReportedSession } from './run-report.ts';
import { readSummary, type SummaryFile } from './summary-file.ts';

/**
 * A run that has ended: the absolute path of its folder, and what summary.json has.
 *
 * @example
 * const onEnd = ({ folder, summary }: EndedRun) => {
 *   for (const { suite, groups } of summary.suites) console.log(suite, groups.at(-1)?.accuracy, folder);
 * };
 * export default defineConfig({ plugins: [viva({ onEnd })] });
 */
export type EndedRun = RunPlace & Readonly<{ summary: SummaryFile }>;

/** The name of a run, the absolute path of its folder, and the environment with what `.env` adds to it. */
type RunPlace = Readonly<{
  run: string;
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}>;

/** What `viva()` passes on: functions of the user, which may return a promise. */
export type Sinks = Readonly<{
  onRow?: (row: RunRow, place: RunPlace) => unknown;
  onEnd?: (end: EndedRun) => unknown;
}>;

type Waits = Readonly<{
  /** How often the file is looked at, in ms. */
  poll: number;
  /** The most that one call takes, in ms. */
  call: number;
  /** How long all rows take after the last answer, and all together, in ms. */
  rows: number;
  all: number;
}>;

const WAITS: Waits = { poll: 200, call: 30_000, rows: 20_000, all: 30_000 };

/** Who reads the run, which keys an error must not show, and where lines are printed. */
type Shown = Readonly<{
  env: RunPlace['env'];
  audience: Audience;
  secrets: readonly string[];
  log: (line: string) => void;
}>;

type Session = Pick<ReportedSession, 'folder' | 'config' | 'secrets'>;

/**
 * Gives the rows of each run of this process to the user's functions. What fails there fails no run, nor
 * what their module began itself, from here on.
 */
export class RowSink {
  readonly #sinks: Sinks;
  readonly #session: Session;
  readonly #env: RunPlace['env'];
  readonly #log: Shown['log'];
  readonly #waits: Waits;
  #followed: FollowedRun | null = null;
  /** Those of the last run; until the first one they are told at once. */
  #failures: Failures;

  constructor(
    sinks: Sinks,
    session: Session,
    env: RunPlace['env'],
    log: Shown['log'],
    waits = WAITS,
  ) {
    this.#sinks = sinks;
    this.#session = session;
    this.#env = { ...env };
    this.#log = log;
    this.#waits = waits;
    const shown = {
      log,
      // A start of the session adds those of MCP servers.
      get secrets() {
        return session.secrets;
      },
    };
    this.#failures = new Failures(shown, () => 0);
    this.#failures.report();
    catchStrays((error) => addStray(this.#failures, error));
  }

  /** Follows the present run, unless it is followed already, or asks nothing. */
  begin(): void {
    const { folder, config, secrets } = this.#session;
    if (folder === null || config === null || config.dryRun === true) return;
    if (this.#followed?.folder === folder) return;
    const shown = { env: this.#env, audience: config, secrets, log: this.#log };
    this.#followed = new FollowedRun(folder, this.#sinks, this.#waits, shown);
    this.#failures = this.#followed.failures;
  }

  /** Waits for what is left of the run, and says what failed. */
  async end(): Promise<void> {
    await this.#followed?.end();
    this.#followed = null;
  }
}

/**
 * A run whose rows are taken from its samples.jsonl one by one, so that a slow function costs no
 * memory.
 */
class FollowedRun {
  readonly folder: string;
  readonly failures: Failures;
  readonly #sinks: Sinks;
  readonly #waits: Waits;
  readonly #shown: Shown;
  readonly #reading: Promise<void>;
  readonly #ending = new AbortController();
  readonly #rowsOver = new AbortController();
  #toRow: ReturnType<typeof openRows> | null = null;
  #given = 0;
  #missed = 0;

  constructor(folder: string, sinks: Sinks, waits: Waits, shown: Shown) {
    this.folder = folder;
    this.#sinks = sinks;
    this.#waits = waits;
    this.#shown = shown;
    this.failures = new Failures(shown, () => this.#given);
    this.#reading = sinks.onRow === undefined ? Promise.resolve() : this.#follow(sinks.onRow);
  }

  async end(): Promise<void> {
    const { rows, all } = this.#waits;
    const began = performance.now();
    this.#ending.abort();
    const timers = [
      setTimeout(() => this.#rowsOver.abort(), rows),
      setTimeout(
        () => this.#shown.log(`Waiting for onRow or onEnd, at most ${all / 1000} s.`),
        all / 15,
      ),
    ];
    await this.#reading;
    const summary = tryOrUndefined(() => readSummary(this.folder)) ?? null;
    const { onEnd } = this.#sinks;
    if (onEnd !== undefined && summary !== null) {
      const end = { ...this.#place(), summary };
      await this.#call('onEnd', '', () => onEnd(end), all - (performance.now() - began));
    }
    for (const timer of timers) clearTimeout(timer);
    this.failures.report();
    if (this.#missed > 0)
      this.#shown.log(
        `onRow did not get ${this.#missed} of ${plural(this.#given + this.#missed, 'row')}: viva waits ${rows / 1000} s after the last answer. Send several rows in one request. They are in samples.jsonl.`,
      );
  }

  async #follow(onRow: NonNullable<Sinks['onRow']>): Promise<void> {
    const give = (row: SampleResult) => this.#give(row, onRow);
    const { signal } = this.#ending;
    let follower: RowFollower | null = null;
    try {
      follower = new RowFollower(this.folder);
      for (;;) {
        // Before the rows are read: those that came until the end are among them.
        const isLast = signal.aborted;
        for (const row of follower.readEach()) await give(row);
        if (isLast) break;
        await sleep(this.#waits.poll, null, { signal, ref: false }).catch(() => undefined);
      }
      for (const row of follower.readRest()) await give(row);
    } catch (error) {
      const { secrets, log } = this.#shown;
      log(`onRow gets no more rows: ${describeError(error, secrets)}`);
    } finally {
      follower?.close();
    }
  }

  async #give(row: SampleResult, onRow: NonNullable<Sinks['onRow']>): Promise<void> {
    if (this.#rowsOver.signal.aborted) {
      this.#missed++;
      return;
    }
    this.#given++;
    this.#toRow ??= openRows(this.folder, this.#shown.audience);
    const shown = this.#toRow(row);
    const place = this.#place();
    await this.#call('onRow', nameTrial(row), () => onRow(shown, place), this.#waits.call);
    // A function that returns no promise would let no timer run before the last row.
    await nextTurn();
  }

  #place(): RunPlace {
    return { run: basename(this.folder), folder: this.folder, env: this.#shown.env };
  }

  /** Calls a function of the user, and waits for it at most so many ms. */
  async #call(name: string, place: string, call: () => unknown, ms: number): Promise<void> {
    const fail = (error: unknown) => this.failures.add(name, place, error);
    const { promise, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(new Error('it did not settle in time'));
    const timer = setTimeout(giveUp, ms);
    const { signal } = this.#rowsOver;
    if (name === 'onRow') signal.addEventListener('abort', giveUp, { once: true });
    try {
      await Promise.race([calling.run(fail, async () => call()), promise]);
    } catch (error) {
      fail(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }
}

/** What gives a row of a run the form that users get. */
function openRows(folder: string, audience: Audience): (row: SampleResult) => RunRow {
  const questions = new Map<string, ReadonlyMap<string, LoggedQuestion>>();
  let suites: readonly SuiteManifest[] = [];
  return (row) => {
    const { suite, id } = row;
    // The eval files are planned one after the other.
    if (suites.every((entry) => entry.suite !== suite)) ({ suites } = readManifest(folder));
    if (hiddenFrom(audience, suites)(suite)) return toRunRow(row, null, true);
    const ofSuite = questions.get(suite) ?? readQuestions(folder, suite);
    questions.set(suite, ofSuite);
    return toRunRow(row, ofSuite.get(id) ?? null, false);
  };
}

/** What failed in the user's functions: how often each, and how first. */
class Failures {
  readonly #shown: Pick<Shown, 'secrets' | 'log'>;
  readonly #countRows: () => number;
  readonly #found = new Map<string, { count: number; readonly first: string }>();
  #isReported = false;

  constructor(shown: Pick<Shown, 'secrets' | 'log'>, countRows: () => number) {
    this.#shown = shown;
    this.#countRows = countRows;
  }

  add(name: string, place: string, error: unknown): void {
    const found = this.#found.get(name);
    if (found !== undefined) found.count++;
    else {
      const what = describeError({ message: tellCause(error) }, this.#shown.secrets);
      this.#found.set(name, { count: 1, first: place === '' ? what : `${place}: ${what}` });
      if (this.#isReported) this.#tell(name);
    }
  }

  report(): void {
    this.#isReported = true;
    for (const name of this.#found.keys()) this.#tell(name);
  }

  #tell(name: string): void {
    const { count = 0, first = '' } = this.#found.get(name) ?? {};
    const times = count === 1 ? 'once' : `${count} times`;
    const failed =
      name === 'onRow'
        ? ` ${times} in ${plural(this.#countRows(), 'row')}, first for `
        : `${count === 1 ? '' : ` ${times}, first`}: `;
    this.#shown.log(
      `${name} failed${failed}${first}. It changes no figure, and all rows are in samples.jsonl.`,
    );
  }
}

/** An error of no call, as of a client or a timer that the user's module has made when it was imported. */
function addStray(failures: Failures, error: unknown): void {
  const frame = findFrame(error);
  failures.add(
    'What runs beside onRow and onEnd',
    frame === undefined ? '' : showFrame(frame),
    error,
  );
}

/** "fetch failed (connect ECONNREFUSED 127.0.0.1:9)" */
function tellCause(error: unknown): string {
  const { message, cause } = toPlainError(error);
  const code = tryOrUndefined(() => textField(field(error, 'cause'), 'code'));
  const why = cause instanceof Error ? cause.message || code : undefined;
  return why ? `${message} (${why})` : message;
}

/** Runs a function of the user with what takes its errors, also those of promises that it does not return. */
const calling = new AsyncLocalStorage<(error: unknown) => void>();

/** What takes errors of no call; null before the first sink, which is when `emit` is replaced. */
let takeStray: ((error: unknown) => void) | null = null;

/**
 * Keeps such errors from Vitest, which would end the process. Nothing is undone at the end of a run: they
 * may come later.
 */
function catchStrays(take: (error: unknown) => void): void {
  const isCatching = takeStray !== null;
  takeStray = take;
  if (isCatching) return;
  const emit = process.emit;
  process.emit = new Proxy(emit, {
    apply(target, _, args: readonly unknown[]) {
      const [event, error] = args;
      const isStray = event === 'unhandledRejection' || event === 'uncaughtException';
      const fail = isStray ? (calling.getStore() ?? (isOurs(error) ? null : takeStray)) : null;
      if (fail === null) return Reflect.apply(target, process, args);
      fail(error);
      return true;
    },
  });
}

/** Where viva's and Vitest's own code is: what fails there is no error of the user's. */
const OURS = /[\\/]node_modules[\\/](?:viva|vitest|vite|@vitest[\\/][^\\/]+)[\\/]/;

function isOurs(error: unknown): boolean {
  const { file = '' } = findFrame(error) ?? {};
  const isOfClone = [import.meta.dirname, join(import.meta.dirname, '../src')].some((folder) =>
    file.startsWith(folder + sep),
  );
  return isOfClone || OURS.test(file);
}

type Frame = Readonly<{ file: string; line: string }>;

function showFrame({ file, line }: Frame): string {
  // Vite joins the config and what it imports in a file of its own, with other lines.
  const [config] = /(?<![^\\/])[^\\/]{1,255}(?=\.timestamp-\d+-\w+\.mjs$)/.exec(file) ?? [];
  return config ?? `${showPath(file)}:${line}`;
}

/** The first place in a file that a stack names. */
function findFrame(error: unknown): Frame | undefined {
  const { stack = '' } = toPlainError(error);
  const [, file, line] =
    /^ +at (?:.*\()?((?:file:\/\/)?(?:\/|[A-Z]:[\\/]).*?):(\d+):\d+\)?$/m.exec(stack) ?? [];
  if (file === undefined || line === undefined) return undefined;
  const path = file.startsWith('file:') ? tryOrUndefined(() => fileURLToPath(file)) : file;
  return { file: path ?? file, line };
}
