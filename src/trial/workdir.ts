import { chmodSync, copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Attachment } from '../types.ts';
import { toPrefix } from './abandoned-workdirs.ts';
import { removeFolder } from './remove-folder.ts';

/**
 * The private folder of one call, made when it is first read: a replay needs none. Attachments are copied into it under
 * neutral names, since a benchmark's own names and paths tell an agent which question it is in.
 */
export class Workdir {
  readonly #originals: readonly Attachment[];
  #path: string | null = null;

  constructor(originals: readonly Attachment[]) {
    this.#originals = originals;
  }

  get path(): string {
    this.#path ??= this.#make();
    return this.#path;
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
    const folder = mkdtempSync(join(tmpdir(), toPrefix(process.pid)));
    for (const [index, name] of toNeutralNames(this.#originals).entries()) {
      const original = this.#originals[index];
      if (original !== undefined) copyFile(original.path, join(folder, name));
    }
    return folder;
  }
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
