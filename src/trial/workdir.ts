import { chmodSync, copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { AgentError, type Attachment } from '../types.ts';
import { toPrefix } from './abandoned-workdirs.ts';
import { removeFolder } from './remove-folder.ts';

/**
 * The private folder of one call, made when it is first read: a replay needs none. Attachments are copied into it under
 * neutral names, since a benchmark's own names and paths tell an agent which question it is in.
 */
export class Workdir {
  readonly #originals: readonly Attachment[];
  #path: string | null = null;
  #fault: AgentError | null = null;

  constructor(originals: readonly Attachment[]) {
    this.#originals = originals;
  }

  /** Throws an AgentError "machine" when the folder cannot be made or filled. */
  get path(): string {
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

  remove(): void {
    if (this.#path !== null) removeFolder(this.#path);
  }

  #make(): string {
    let folder: string | null = null;
    try {
      folder = mkdtempSync(join(tmpdir(), toPrefix(process.pid)));
      for (const [index, name] of toNeutralNames(this.#originals).entries()) {
        const original = this.#originals[index];
        if (original !== undefined) copyFile(original.path, join(folder, name));
      }
      this.#fault = null;
      return folder;
    } catch (cause) {
      if (folder !== null) removeFolder(folder);
      this.#fault = toFault(cause);
      throw this.#fault;
    }
  }
}

function toFault(cause: unknown): AgentError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const remedy = `Check the dataset's files and that ${tmpdir()} has room and can be written to, then run again.`;
  return new AgentError('machine', `The work folder of this question cannot be made (${said}). ${remedy}`, { cause });
}

/** The content, also of a link: datasets from the Hub are links into a cache that all runs share. */
function copyFile(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}

/** "attachment.csv", or "attachment-1.csv", "attachment-2.txt" when there are several. */
export function toNeutralNames(attachments: readonly Attachment[]): readonly string[] {
  return attachments.map(({ name }, index) => {
    const number = attachments.length === 1 ? '' : `-${index + 1}`;
    const extension = /^\.[A-Za-z0-9]{1,10}$/.exec(extname(name))?.[0] ?? '';
    return `attachment${number}${extension}`;
  });
}
