import { basename, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { distance } from 'fastest-levenshtein';
import { hashFile } from '../agents/source-files.ts';
import type { EvalConfig } from '../settings.ts';
import {
  addRecordings,
  type CaseName,
  listRecordingsFiles,
  type RecordedCall,
  type Recordings,
  readRecordings,
  toRecordingsFile,
} from '../store/recordings.ts';
import type { Agent, Outcome } from '../words/answer.ts';
import type { Note } from '../words/sample.ts';
import { toBase64Forms } from '../words/secrets.ts';
import { cut, plural, showPath, toNotes } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { type CaseMode, CaseTools, type NewRecordings, showCall } from './case-tools.ts';
import { whileAsking } from './record-tools.ts';

export type ToolsSetting = Readonly<{
  mode: EvalConfig['tools'];
  suite: string;
  /** Its name. */
  agent: string;
  evalFile: string;
  /** Whether nobody may read the records of the suite here, as in CI: nothing is recorded. */
  isHidden: boolean;
  secrets: readonly string[];
}>;

/** The wrapped tools of one agent in one suite. */
export class AgentTools {
  readonly #setting: ToolsSetting;
  /** As they were when the suite was planned, by their files: a run replays what its keys stand for. */
  readonly #known: ReadonlyMap<string, Recordings>;
  readonly #hashes: Readonly<Record<string, string>>;
  /** How many calls were recorded, by the names of files. */
  readonly #recorded = new Map<string, number>();
  /** Calls that belong to no case, by tool. */
  readonly #lost = new Map<string, Set<symbol>>();
  /** How many calls were called off or have not ended, by tool. */
  readonly #unrecorded = new Map<string, number>();
  /** Tools of calls that a key alone tells apart. */
  readonly #mixed = new Set<string>();
  #asked = 0;
  #isUsed = false;
  #pending: NewRecordings[] = [];
  #writing: Promise<void> | null = null;
  #nextWriteAt = 0;
  readonly #ending = new AbortController();

  /** Throws if a recording is damaged. */
  constructor(setting: ToolsSetting) {
    const secrets = [...setting.secrets, ...setting.secrets.flatMap(toBase64Forms)];
    this.#setting = { ...setting, secrets };
    const files = setting.mode === 'off' ? [] : listRecordingsFiles(setting.evalFile);
    this.#known = new Map(files.map((file) => [file, readRecordings(file)]));
    // The same on every system, since caches are shared.
    const here = (file: string) => relative(process.cwd(), file).replaceAll(sep, '/');
    this.#hashes = Object.fromEntries(files.map((file) => [here(file), hashFile(file)]));
  }

  /** Whether all calls are recorded. */
  get records(): boolean {
    return this.#setting.mode === 'record' && !this.#setting.isHidden;
  }

  /** The agent, whose answers depend on recordings where they are replayed. */
  adapt(agent: Agent): Agent {
    const { mode } = this.#setting;
    const remarks = (hidden?: boolean) => [...(agent.remarks?.(hidden) ?? []), ...this.#remarks()];
    const isKeyed = agent.fingerprint !== undefined && (mode === 'replay' || mode === 'auto');
    const facts = isKeyed ? this.#addToKey(agent) : {};
    return Object.defineProperties(
      Object.create(agent),
      Object.getOwnPropertyDescriptors({ name: agent.name, remarks, ...facts }),
    );
  }

  #addToKey({ fingerprint, parts, recordings }: Agent): Pick<Agent, 'fingerprint' | 'parts'> {
    const isOf = (path: string) => recordings?.includes(basename(path, '.jsonl')) ?? true;
    const hashes = Object.entries(this.#hashes).filter(([path]) => isOf(path));
    const own = { EVAL_TOOLS: this.#setting.mode, ...Object.fromEntries(hashes) };
    return {
      fingerprint: JSON.stringify([fingerprint, own]),
      ...(parts && { parts: { ...parts, ...own } }),
    };
  }

  /** Has a case answered, with its calls of wrapped tools. Calls `onLoss` if they cannot be recorded. */
  async ask(
    of: Omit<CaseName, 'suite' | 'agent'>,
    ask: () => Promise<Outcome>,
    onLoss: (why: string) => void,
  ): Promise<Outcome> {
    const { suite, agent, secrets } = this.#setting;
    const session = new CaseTools({
      of: { suite, agent, ...of },
      mode: this.#modeOfCase(),
      secrets,
      find: (name, of, call, n) => this.#recordingsOf(name)?.find(of, call, n),
      explainMissing: (name, call, n) => this.#explainMissing(name, call, n),
      onMixed: (name) => this.#mixed.add(name),
      onLost: (name, call) => this.#lost.set(name, (this.#lost.get(name) ?? new Set()).add(call)),
    });
    this.#asked++;
    try {
      return session.complete(await whileAsking(session, ask));
    } finally {
      session.close();
      this.#isUsed ||= session.isUsed;
      for (const tool of session.unrecorded)
        this.#unrecorded.set(tool, (this.#unrecorded.get(tool) ?? 0) + 1);
      this.#keep(session.recorded, onLoss);
    }
  }

  #modeOfCase(): CaseMode {
    const { mode, isHidden } = this.#setting;
    if (mode === 'off' || (mode === 'record' && isHidden)) return 'live';
    return mode === 'auto' && isHidden ? 'replay or live' : mode;
  }

  #fileOf(name: string): string {
    return toRecordingsFile(this.#setting.evalFile, name);
  }

  #recordingsOf(name: string): Recordings | undefined {
    return this.#known.get(this.#fileOf(name));
  }

  /** Ends when all that was recorded is in its file. */
  async settle(): Promise<void> {
    this.#ending.abort();
    await this.#writing;
  }

  #keep(recorded: readonly NewRecordings[], onLoss: (why: string) => void): void {
    if (recorded.length === 0) return;
    this.#pending.push(...recorded);
    this.#writing ??= this.#writeAll()
      .catch((error: unknown) => onLoss(`Tools cannot be recorded: ${messageOf(error)}`))
      .finally(() => {
        this.#writing = null;
      });
  }

  /** Each time the whole file is written, so it must not be written all the time. */
  async #writeAll(): Promise<void> {
    const { signal } = this.#ending;
    while (this.#pending.length > 0) {
      const restMs = Math.max(0, this.#nextWriteAt - performance.now());
      await sleep(restMs, null, { signal }).catch(() => {});
      const startedAt = performance.now();
      await this.#write();
      this.#nextWriteAt = performance.now() + 9 * (performance.now() - startedAt);
    }
  }

  async #write(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    for (const [name, same] of Map.groupBy(pending, (each) => each.name)) {
      const lists = same.map(({ calls }) => calls);
      await addRecordings(this.#fileOf(name), lists);
      const before = this.#recorded.get(name) ?? 0;
      this.#recorded.set(name, before + lists.flat().length);
    }
  }

  #explainMissing(name: string, call: RecordedCall, n: number): string {
    const file = showPath(this.#fileOf(name));
    const recordings = this.#recordingsOf(name);
    const shown = showCall(call);
    if (recordings === undefined)
      return `${shown} is not recorded: there is no file ${file}. EVAL_TOOLS=record makes it.`;
    const count = recordings.count(call);
    if (count > 0)
      return `${shown} is recorded ${plural(count, 'time')} in ${file}, and this is call ${n} of a case. ${AUTO}`;
    return `${shown} is not recorded in ${file}. ${AUTO} ${describeNearest(call, recordings)}`;
  }

  #remarks(): readonly Note[] {
    const { mode, isHidden } = this.#setting;
    if (mode === 'off' || this.#asked === 0) return [];
    const texts = [...this.#recorded].map(
      ([name, count]) => `${plural(count, 'call')} recorded in ${showPath(this.#fileOf(name))}`,
    );
    for (const [tool, count] of this.#unrecorded)
      texts.push(
        `${plural(count, 'call')} of ${cut(tool)} not recorded: called off, or not ended before the answer`,
      );
    for (const tool of this.#mixed)
      texts.push(
        `calls of ${cut(tool)} differ in keys alone, which are not recorded: the n-th of a case gets the n-th result`,
      );
    const undone = mode === 'replay' ? 'replayed' : 'recorded';
    for (const [tool, calls] of this.#lost)
      texts.push(
        `${plural(calls.size, 'call')} of ${cut(tool)} belonged to no case, so nothing of them is ${undone}: wrap the tools inside the agent`,
      );
    if (!this.#isUsed && this.#lost.size === 0)
      texts.push(`EVAL_TOOLS=${mode}, but no tool of recordTools was called`);
    if (this.#isUsed && isHidden && mode !== 'replay')
      texts.push(`EVAL_TOOLS=${mode} records nothing here, since the dataset is hidden in CI`);
    return toNotes('recorded tools', texts);
  }
}

/** An agent whose tools are called as they are in every mode, which it says. */
export function noteUnreached(agent: Agent, mode: ToolsSetting['mode']): Agent {
  if (mode === 'off') return agent;
  const text = `EVAL_TOOLS=${mode} does not reach its tools, which are called as they are: it is for recordTools in an agent of your own code`;
  const notes = [...(agent.notes ?? []), ...toNotes('recorded tools', [text])];
  return Object.create(agent, { notes: { value: notes } });
}

const AUTO = 'EVAL_TOOLS=auto records what is missing.';

/** The recorded calls with the most alike arguments, or the tools that are recorded. */
function describeNearest(call: RecordedCall, recordings: Recordings): string {
  const calls = [...new Set(recordings.all.map(showCall))];
  const same = calls.filter((shown) => shown.startsWith(`${call.tool}(`));
  if (same.length === 0) {
    const tools = [...new Set(recordings.all.map(({ tool }) => tool))];
    return `Recorded tools: ${cut(tools.join(', ')) || 'none'}.`;
  }
  const wanted = showCall(call);
  const near = same.map((shown) => [distance(shown, wanted), shown] as const);
  const [...nearest] = near.sort(([a], [b]) => a - b).slice(0, 3);
  return `Nearest: ${nearest.map(([, shown]) => shown).join('; ')}.`;
}
