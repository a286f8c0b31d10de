import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { AgentError, type Attachment } from '../types.ts';
import { type Content, copyContent } from './attachment-content.ts';
import { removeFolder } from './remove-folder.ts';
import { addStanding, removeStanding, WORKDIR_PREFIX } from './standing-workdirs.ts';

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
