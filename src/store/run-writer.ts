import {
  appendFileSync,
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { cp, lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ensureFolder, isFile, keepToUser } from '../data/files/read-file.ts';
import { isPrivate } from '../words/audience.ts';
import { type Trace, toTraceOutput } from '../words/conversation.ts';
import { pick } from '../words/fields.ts';
import type { SampleResult } from '../words/row.ts';
import type { Sample, Shard } from '../words/sample.ts';
import { redact } from '../words/secrets.ts';
import { tryOrUndefined } from '../words/show.ts';
import { explainWrite, writing } from '../words/write-error.ts';
import { LineFile, readLines, writeJson, writeLines, writeWhole } from './line-file.ts';
import {
  type AgentNote,
  type JudgeFacts,
  type Manifest,
  readManifest,
  type SuiteManifest,
} from './manifest.ts';
import { toRowLine } from './row-line.ts';
import { BEGUN, type StoredEnd } from './run-end.ts';
import {
  isTakenOver,
  RUN_FILES,
  slug,
  toPromptFile,
  toQuestionFile,
  toQuestionLines,
  toTracePath,
  toWorkspacePath,
} from './run-folder.ts';

/** What makes the name of a run folder. */
type RunName = Readonly<{ agents: readonly string[]; now: Date; part?: Shard | 'merged' | null }>;

/** So many rows at most wait to be written together. */
const MOST_WAITING = 64;

/** With so many characters, rows wait for no others. */
const MOST_CHARACTERS = 10_000_000;

/**
 * Writes the folder of one run; nothing else does. The main process has one for begin and end, the
 * worker one for each suite, whose tests run in turn. Throws a WriteError where the disk refuses.
 */
export class RunWriter {
  readonly folder: string;
  /** It stays open: opening it costs more than writing a row. */
  #log: LineFile | null = null;
  readonly #waiting: string[] = [];
  #mostWaiting = MOST_WAITING;
  #waitingLength = 0;

  /** For a folder that exists. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Begins a run in a new folder, `<dir>/runs/<YYYYMMDDTHHMMSSZ>-<agent slug>[-shard-1-of-4|-merged][-2]/`:
   * with its manifest, an empty log, so that a run without results has one too, and end.json.
   */
  static begin(
    dir: string,
    name: RunName,
    toManifest: (run: string) => Manifest,
    end: StoredEnd = BEGUN,
  ): RunWriter {
    const run = new RunWriter(makeFolder(dir, name));
    try {
      run.manifest(toManifest(basename(run.folder)));
      const log = join(run.folder, RUN_FILES.rows.name);
      writing(log, () => appendFileSync(log, ''));
      run.end(end);
      return run;
    } catch (error) {
      run.remove();
      throw error;
    }
  }

  manifest(manifest: Manifest): void {
    writeJson(join(this.folder, RUN_FILES.manifest.name), manifest);
  }

  /** Adds a suite with its questions, or replaces those of an earlier watch run. */
  plan(entry: SuiteManifest, samples: readonly Sample[]): void {
    const { suite } = entry;
    this.questions(suite, samples);
    const manifest = readManifest(this.folder);
    const others = manifest.suites.filter((other) => other.suite !== suite);
    this.manifest({ ...manifest, suites: [...others, entry] });
    if (isPrivate(entry)) this.#keepToUser();
  }

  questions(suite: string, samples: readonly Sample[]): void {
    const lines = toQuestionLines(suite, samples, resolve(this.folder));
    writeLines(join(this.folder, toQuestionFile(suite)), lines);
  }

  /** Keeps a prompt of a suite, and returns its path in the folder. */
  prompt(suite: string, text: string, hash16: string): string {
    const file = toPromptFile(suite, hash16);
    ensureFolder(join(this.folder, RUN_FILES.prompts.name));
    writeWhole(join(this.folder, file), text);
    return file;
  }

  /** Names a judge of a suite: it may be made when the first answer is judged. */
  judge(suite: string, fact: JudgeFacts): void {
    this.#change(suite, ({ judges = [] }) => ({
      judges: [...judges.filter(({ judge }) => judge !== fact.judge), fact],
    }));
  }

  /** Adds notes on agents to a suite after it ran. */
  notes(suite: string, notes: readonly AgentNote[]): void {
    this.#change(suite, ({ agent_notes }) => ({ agent_notes: [...agent_notes, ...notes] }));
  }

  /**
   * Opens the log, before the first question: calls that run may use up the open files that a process
   * may have.
   */
  open(): LineFile {
    this.#log ??= new LineFile(join(this.folder, RUN_FILES.rows.name));
    return this.#log;
  }

  /** Appends a row in one write: a crash or a full disk cuts off at most one line. */
  row(row: SampleResult): void {
    this.rowSoon(row);
    this.flush();
  }

  /** Appends a row with others, if it costs nothing to get again. */
  rowSoon(row: SampleResult): void {
    const line = toRowLine(row);
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    const isLong = this.#waitingLength >= MOST_CHARACTERS;
    if (isLong || this.#waiting.length >= this.#mostWaiting) this.flush();
  }

  /** From now on no row waits. */
  writeAtOnce(): void {
    this.#mostWaiting = 1;
    this.flush();
  }

  /** Writes the waiting rows in their order. */
  flush(): void {
    const rows = this.#waiting.splice(0);
    const isLong = this.#waitingLength >= MOST_CHARACTERS;
    this.#waitingLength = 0;
    // Together, long rows may be longer than a string can be.
    for (const part of isLong ? rows : [rows.join('')]) if (part !== '') this.open().append(part);
  }

  /** Writes the trace of a row, in place of an earlier one, and returns its path. */
  trace(row: SampleResult, { sent, steps, messages }: Trace): string {
    const file = join(this.folder, toTracePath(row));
    const output = toTraceOutput(row.output);
    ensureFolder(dirname(file));
    writeJson(file, {
      version: 1,
      ...pick(row, 'suite', 'dataset', 'agent', 'prompt', 'model', 'id', 'trial', 'group'),
      ...pick(row, 'state', 'reason'),
      sent,
      steps,
      messages,
      output,
      answer: typeof row.answer === 'string' ? toTraceOutput(row.answer) : row.answer,
      ...pick(row, 'usage', 'cost_usd', 'error'),
    });
    return file;
  }

  /** Copies the work folder of a trial: without links, pipes and files that contain a key. */
  async workdir(row: SampleResult, path: string, secrets: readonly string[]): Promise<void> {
    const filter = async (file: string) => {
      if (redact(basename(file), secrets) !== basename(file)) return false;
      const stats = await lstat(file);
      return stats.isDirectory() || (stats.isFile() && !(await holdsKey(file, secrets)));
    };
    const copy = join(this.folder, toWorkspacePath(row));
    // No result depends on the copy.
    await cp(path, copy, { recursive: true, filter }).catch(() => {});
  }

  /**
   * Takes over what shards have: rows, with the lines that were cut off, and questions, prompts, traces
   * and work folders. Questions and prompts are the same in all.
   */
  takeOver(folders: readonly string[]): void {
    const logs = folders.map((folder) => join(folder, RUN_FILES.rows.name)).filter(isFile);
    writeLines(join(this.folder, RUN_FILES.rows.name), joinLines(logs));
    for (const folder of folders)
      for (const name of readdirSync(folder).filter(isTakenOver))
        cpSync(join(folder, name), join(this.folder, name), { recursive: true });
    if (readManifest(this.folder).suites.some(isPrivate)) this.#keepToUser();
  }

  end(end: StoredEnd): void {
    writeJson(join(this.folder, RUN_FILES.end.name), end);
  }

  file(name: string, lines: Iterable<string>): void {
    writeLines(join(this.folder, name), lines);
  }

  close(): void {
    this.flush();
    this.#log?.close();
    this.#log = null;
  }

  /** Removes the folder of a run that planned nothing, and `runs/` if it has no other run. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    // It throws if there are other runs.
    tryOrUndefined(() => rmdirSync(dirname(this.folder)));
  }

  /** Points `<dir>/latest` at the folder. A new link replaces the old one, so one always exists. */
  makeLatest(): void {
    const link = join(dirname(dirname(this.folder)), 'latest');
    const aside = `${link}.${process.pid}`;
    try {
      rmSync(aside, { force: true });
      // On Windows a junction needs no right to make links.
      symlinkSync(join('runs', basename(this.folder)), aside, 'junction');
      // Windows renames nothing over a link to a folder.
      if (process.platform === 'win32' && tryOrUndefined(() => lstatSync(link).isSymbolicLink()))
        rmSync(link);
      renameSync(aside, link);
    } catch {
      // The file system has no links, or a folder has the link's name. The run does not need the
      // link.
      rmSync(aside, { force: true });
    }
  }

  #keepToUser(): void {
    keepToUser(this.folder);
    const rows = join(this.folder, RUN_FILES.rows.name);
    tryOrUndefined(() => chmodSync(rows, 0o600));
  }

  #change(suite: string, change: (entry: SuiteManifest) => Partial<SuiteManifest>): void {
    const manifest = readManifest(this.folder);
    const suites = manifest.suites.map((entry) =>
      entry.suite === suite ? { ...entry, ...change(entry) } : entry,
    );
    this.manifest({ ...manifest, suites });
  }
}

/**
 * Processes that start in the same second get different folders. Shards on different machines do
 * too, so that their folders can be copied to one place for a merge.
 */
function makeFolder(dir: string, { agents, now, part = null }: RunName): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const runs = resolve(dir, 'runs');
  const ending = part === 'merged' ? '-merged' : part && `-shard-${part.index}-of-${part.count}`;
  const stem = `${stamp}-${slug(agents.join('+'))}${ending ?? ''}`;
  for (let count = 1; ; count++) {
    const folder = join(runs, count === 1 ? stem : `${stem}-${count}`);
    try {
      ensureFolder(runs);
      mkdirSync(folder);
      return folder;
    } catch (cause) {
      if (existsSync(folder)) continue;
      const { why, remedy } = explainWrite(cause, 'set EVAL_DIR to another folder');
      throw new Error(`The run folder cannot be made: ${folder}: ${why}. ${remedy}.`, { cause });
    }
  }
}

function* joinLines(files: readonly string[]): Generator<string, void> {
  for (const file of files) for (const line of readLines(file)) yield `${line}\n`;
}

/** Longer than any key. */
const OVERLAP = 1000;

async function holdsKey(file: string, secrets: readonly string[]): Promise<boolean> {
  if (secrets.length === 0) return false;
  let end = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 2 ** 20 })) {
    const text = `${end}${chunk}`;
    if (redact(text, secrets) !== text) return true;
    end = text.slice(-OVERLAP);
  }
  return false;
}
