import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { toErrorCode } from '../records/files.ts';
import { STATES } from '../states.ts';
import { saveWorkdir, toWorkspacePath } from '../store/kept-workdir.ts';
import { AgentError, type Attachment, type SampleResult } from '../types.ts';
import { addStanding, removeFolder, removeStanding, WORKDIR_PREFIX } from './abandoned-workdirs.ts';
import { type Content, copyContent } from './attachments.ts';
import type { Trial, TrialSetting } from './trial.ts';

/**
 * The private folder of one call, made when it is first read: a replay needs none. Attachments are copied into it under
 * neutral names, since a benchmark's own names and paths tell an agent which question it is in. With `contents`, what
 * each of them held when its question was planned, nothing else is copied.
 */
export class Workdir {
  readonly #originals: readonly Attachment[];
  readonly #contents: readonly Content[] | null;
  #path: string | null = null;
  #fault: AgentError | null = null;
  #isRemoved = false;

  constructor(originals: readonly Attachment[], contents: readonly Content[] | null = null) {
    this.#originals = originals;
    this.#contents = contents;
  }

  /** Throws an AgentError "machine" when the folder cannot be made or filled, and another error once it was removed. */
  get path(): string {
    if (this.#isRemoved) throw new Error(REMOVED);
    this.#path ??= this.#make();
    return this.#path;
  }

  /** Why the folder could not be made, or null: whatever an agent then makes of it is no fault of the agent. */
  get fault(): AgentError | null {
    return this.#fault;
  }

  /** The folder if it was made, or null. */
  get made(): string | null {
    return this.#path;
  }

  /** The copies; reading them makes the folder. */
  get attachments(): readonly Attachment[] {
    return toNeutralNames(this.#originals).map((name) => ({ name, path: join(this.path, name) }));
  }

  /** Removes the folder for good: an agent that goes on after its answer gets no other one. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    if (this.#path !== null) await removeStanding(this.#path);
  }

  #make(): string {
    let folder: string | null = null;
    try {
      folder = mkdtempSync(join(tmpdir(), WORKDIR_PREFIX));
      for (const [index, name] of toNeutralNames(this.#originals).entries()) {
        const original = this.#originals[index];
        if (original !== undefined) copyContent(original, join(folder, name), this.#contents?.[index] ?? null);
      }
      this.#fault = null;
      addStanding(folder);
      return folder;
    } catch (cause) {
      if (folder !== null) removeFolder(folder);
      this.#fault = cause instanceof AgentError ? cause : toFault(cause);
      throw this.#fault;
    }
  }
}

const REMOVED =
  'The work folder and the attachments of this question were read after its answer, and were removed with it. ' +
  'Read them before the answer is given, and wait for whatever goes on in them.';

function toFault(cause: unknown): AgentError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const remedy = `Check the dataset's files and that ${tmpdir()} has room and can be written to, then run again.`;
  return new AgentError('machine', `The work folder of this question cannot be made (${said}). ${remedy}`, { cause });
}

/** "attachment.csv", or "attachment-1.csv", "attachment-2.txt" when there are several. */
export function toNeutralNames(attachments: readonly Attachment[]): readonly string[] {
  return attachments.map(({ name }, index) => {
    const number = attachments.length === 1 ? '' : `-${index + 1}`;
    const extension = /^\.[A-Za-z0-9]{1,10}$/.exec(extname(name))?.[0] ?? '';
    return `attachment${number}${extension}`;
  });
}

/** A work folder of which not all was kept: where it was to be, and why not. */
export type Unkept = { readonly where: string; readonly why: string };

/** Whether the setting says to keep the work folder of a trial with this result. */
export function isWorkdirKept(
  { state }: Pick<SampleResult, 'state'>,
  { keepWorkdir }: Pick<TrialSetting, 'keepWorkdir'>,
): boolean {
  if (keepWorkdir === 'failed') return STATES[state].fails || !STATES[state].ran;
  return keepWorkdir === 'all';
}

/**
 * Keeps the work folder of a trial in the run folder, also for what was recalled, or never looked into its folder:
 * each kept task has its files and answer.txt. What goes wrong is a remark, and no fault of the sample or the run.
 */
export async function keepWorkdir(
  workdir: Workdir | null,
  trial: Pick<Trial, 'sample' | 'contents' | 'station'>,
  result: SampleResult,
  setting: Pick<TrialSetting, 'folder' | 'onUnkept'>,
): Promise<void> {
  // A folder that could not be made has nothing to keep, and its row says why.
  if (workdir !== null && workdir.fault !== null) return;
  const kept = workdir ?? new Workdir(trial.sample.attachments, trial.contents);
  const where = toWorkspacePath(result);
  try {
    const leftOut = await saveWorkdir(setting.folder, kept.path, result, trial.station.secrets);
    if (leftOut > 0) setting.onUnkept?.({ where, why: 'left-out.txt in it says what' });
  } catch (error) {
    setting.onUnkept?.({ where, why: toErrorCode(error) });
  } finally {
    if (workdir === null) await kept.remove();
  }
}

/** One remark for all of them. */
export function describeUnkept(unkept: readonly Unkept[]): readonly string[] {
  const [first] = unkept;
  if (first === undefined) return [];
  const which = unkept.length === 1 ? first.where : `${unkept.length} work folders, the first of them ${first.where}`;
  return [`EVAL_KEEP_WORKDIR: not all was kept of ${which} (${first.why}). No result depends on it.`];
}
