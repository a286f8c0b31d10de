import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { readRegular } from '../data/files/read-file.ts';
import { isRunning } from '../processes/groups.ts';
import { AgentError } from '../words/answer.ts';
import type { Attachment } from '../words/sample.ts';
import { quote, tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { WriteError, writing } from '../words/write-error.ts';

/**
 * The private folder of one call, made when it is first read: a replay needs none. Attachments are
 * copied into it under neutral names, because a benchmark's own names tell an agent which question
 * they belong to.
 */
export class Workdir {
  readonly #originals: readonly Attachment[];
  readonly #hashes: readonly string[];
  #path: string | null = null;
  #fault: AgentError | null = null;
  #isRemoved = false;

  /**
   * `hashes` are those of the originals when the run was planned; without them any content is
   * copied.
   */
  constructor(originals: readonly Attachment[], hashes: readonly string[] = []) {
    this.#originals = originals;
    this.#hashes = hashes;
  }

  /**
   * Throws an AgentError "machine" when the folder cannot be made or filled, and another error once
   * it was removed.
   */
  get path(): string {
    if (this.#isRemoved) throw new Error(REMOVED);
    this.#path ??= this.#make();
    return this.#path;
  }

  /**
   * Why the folder could not be made, or null. The agent's answer is then not the agent's fault.
   */
  get fault(): AgentError | null {
    return this.#fault;
  }

  /** The copies; reading them makes the folder. */
  get attachments(): readonly Attachment[] {
    return toNeutralNames(this.#originals).map((name) => ({ name, path: join(this.path, name) }));
  }

  /** Removes the folder for good. Ignores errors. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    if (this.#path !== null && (await removeTree(this.#path))) live.delete(this.#path);
  }

  #make(): string {
    let folder: string | null = null;
    try {
      folder = makeTemporary();
      live.add(folder);
      const names = toNeutralNames(this.#originals);
      for (const [index, original] of this.#originals.entries()) {
        // Reads through links: datasets of the Hub are links into a cache that all runs share.
        const bytes = readRegular(original.path);
        const planned = this.#hashes[index];
        if (planned !== undefined && hash('sha256', bytes) !== planned)
          throw new Error(`${quote(original.name)} has changed since the run began`);
        const file = join(folder, names[index] ?? '');
        writing(file, () => writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 }));
      }
      this.#fault = null;
      return folder;
    } catch (cause) {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
      this.#fault = toFault(cause);
      throw this.#fault;
    }
  }
}

/**
 * Removes a folder and its content, but nothing that links lead to. False if something could not be
 * removed.
 */
export async function removeTree(folder: string): Promise<boolean> {
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    // Programs leave read-only folders and paths that are too long for Node.
    await remove().catch(() =>
      run('sh', ['-c', 'chmod -R u+rwX -- "$1"; rm -rf -- "$1"', 'sh', folder]),
    );
    return true;
  } catch {
    return false;
  }
}

const run = promisify(execFile);

/** "attachment.csv", or "attachment-1.csv", "attachment-2.txt" when there are several. */
export function toNeutralNames(attachments: readonly Attachment[]): readonly string[] {
  return attachments.map(({ name }, index) => {
    const number = attachments.length === 1 ? '' : `-${index + 1}`;
    const extension = /^\.[A-Za-z0-9]{1,10}$/.exec(extname(name))?.[0] ?? '';
    return `attachment${number}${extension}`;
  });
}

/** SHA-256 of an attachment, a part of the cache key. */
export function hashAttachment({ path }: Attachment): string {
  return hash('sha256', readRegular(path));
}

/**
 * Removes the work folders of processes that were killed: they may contain gated attachments. A
 * container may number its processes alike, so young folders stay.
 */
export function removeAbandoned(folder = tmpdir()): void {
  for (const name of tryOrUndefined(() => readdirSync(folder)) ?? []) {
    const owner = OWNER.exec(name)?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    tryOrUndefined(() => removeOld(join(folder, name)));
  }
}

const PREFIX = 'viva-task-';

/** The name of a folder, with the process that owns it. */
const OWNER = /^viva-task-(\d{1,10})-/;

const REMOVED =
  'The work folder is removed when the agent has answered. Read it before that, and await all work in it.';

/** Makes a folder of this process, which `removeAbandoned` removes if nobody else does. */
export function makeTemporary(): string {
  const start = join(tmpdir(), `${PREFIX}${process.pid}-`);
  return writing(start, () => mkdtempSync(start), `${start}XXXXXX`);
}

function toFault(cause: unknown): AgentError {
  const why =
    cause instanceof WriteError
      ? `: ${cause.or('set TMPDIR to another folder')}`
      : ` (${messageOf(cause)}). Check the dataset's files, then run again.`;
  const message = `The work folder of this question cannot be made${why}`;
  return new AgentError('machine', message, { cause });
}

/** Work folders of this process that are not removed yet. */
const live = new Set<string>();

process.on('exit', () => {
  for (const path of live) tryOrUndefined(() => rmSync(path, { recursive: true, force: true }));
});

const DAY_MS = 86_400_000;

/**
 * Other users may use this name in the shared temporary folder, so links and other users' files are
 * never removed.
 */
function removeOld(path: string): void {
  const entry = lstatSync(path);
  const isOwn = entry.isDirectory() && entry.uid === (process.getuid?.() ?? entry.uid);
  if (isOwn && Date.now() - entry.mtimeMs > DAY_MS) rmSync(path, { recursive: true });
}
