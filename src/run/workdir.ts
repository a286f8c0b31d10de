import { hash, randomBytes } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { holdLock, isHeld } from '../processes/socket-lock.ts';
import { readRegular, toErrorCode } from '../records/files.ts';
import { removeTree, saveWorkdir, toWorkspacePath } from '../store/kept-workdir.ts';
import { quote } from '../text/show.ts';
import { messageOf, tryOrUndefined } from '../text/thrown.ts';
import { AgentError, type Attachment, type Sample, type SampleResult } from '../types.ts';

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
      folder = mkdtempSync(join(tmpdir(), toOwnPrefix(tmpdir())));
      live.add(folder);
      const names = toNeutralNames(this.#originals);
      for (const [index, original] of this.#originals.entries()) {
        // Reads through links: datasets of the Hub are links into a cache that all runs share.
        const bytes = readRegular(original.path);
        const planned = this.#hashes[index];
        if (planned !== undefined && hash('sha256', bytes) !== planned)
          throw new Error(`${quote(original.name)} has changed since the run began`);
        writeFileSync(join(folder, names[index] ?? ''), bytes, { flag: 'wx', mode: 0o600 });
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
 * Copies the work folder of a trial into the run folder, as EVAL_KEEP_WORKDIR asks; `workdir` is
 * null for a cached answer, which gets its attachments and answer.txt. Returns a remark for an
 * incomplete copy.
 */
export async function keepWorkdir(
  workdir: Workdir | null,
  { attachments }: Pick<Sample, 'attachments'>,
  row: SampleResult,
  run: { readonly folder: string; readonly secrets: readonly string[] },
): Promise<readonly string[]> {
  // A folder that could not be made has nothing to copy. Its row has the reason.
  if (workdir !== null && workdir.fault !== null) return [];
  const kept = workdir ?? new Workdir(attachments);
  const where = toWorkspacePath(row);
  try {
    const leftOut = await saveWorkdir(run.folder, kept.path, row, run.secrets);
    return leftOut === 0 ? [] : [`${where} (see left-out.txt in it)`];
  } catch (error) {
    return [`${where} (${toErrorCode(error)})`];
  } finally {
    if (workdir === null) await kept.remove();
  }
}

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

/** Work folders whose process has ended; they may hold gated attachments. */
export async function findAbandoned(folder = tmpdir()): Promise<readonly string[]> {
  const names = (tryOrUndefined(() => readdirSync(folder)) ?? []).filter((name) =>
    name.startsWith(PREFIX),
  );
  const owners = new Set(names.flatMap((name) => OWNER.exec(name)?.[1] ?? []));
  const locks = await Promise.all(
    [...owners].map(async (owner) => ({ owner, held: await isHeld(folder, toLock(owner)) })),
  );
  const held = new Set(locks.flatMap((lock) => (lock.held ? lock.owner : [])));
  const paths = names
    .filter((name) => !held.has(OWNER.exec(name)?.[1] ?? ''))
    .map((name) => join(folder, name));
  return paths.filter((path) => tryOrUndefined(() => isAbandoned(path)) === true);
}

export async function removeAbandoned(folder = tmpdir()): Promise<void> {
  for (const path of await findAbandoned(folder))
    tryOrUndefined(() => rmSync(path, { recursive: true, force: true }));
}

const PREFIX = 'viva-task-';

/** The name of a folder, or of a lock, with its owner: a process. */
const OWNER = /^viva-task-([0-9a-f]{12})[-.]/;

const REMOVED =
  'The work folder is removed when the agent has answered. Read it before that, and await all work in it.';

function toFault(cause: unknown): AgentError {
  const said = messageOf(cause);
  const remedy = `Check the dataset's files and that ${tmpdir()} has room and can be written to, then run again.`;
  return new AgentError(
    'machine',
    `The work folder of this question cannot be made (${said}). ${remedy}`,
    { cause },
  );
}

/** Work folders of this process that are not removed yet. */
const live = new Set<string>();

process.on('exit', () => {
  for (const path of [...live, ...locks])
    tryOrUndefined(() => rmSync(path, { recursive: true, force: true }));
});

/** The locks of this process, one in each temporary folder: an agent may change TMPDIR. */
const locks = new Set<string>();

const ID = randomBytes(6).toString('hex');

function toLock(owner: string): string {
  return `${PREFIX}${owner}.sock`;
}

/**
 * What the names of this process' folders begin with. Where it cannot hold a lock they name no
 * owner.
 */
function toOwnPrefix(folder: string): string {
  const lock = join(folder, toLock(ID));
  if (!locks.has(lock) && holdLock(folder, toLock(ID)) !== null) locks.add(lock);
  return locks.has(lock) ? `${PREFIX}${ID}-` : PREFIX;
}

/** A folder without an owner may belong to a process that runs. */
const ABANDONED_MS = 86_400_000;

/**
 * Other users may use this name in the shared temporary folder, so links and other users' files are
 * never removed.
 */
function isAbandoned(path: string): boolean {
  const entry = lstatSync(path);
  const isOwn = entry.uid === (process.getuid?.() ?? entry.uid);
  const hasOwner = OWNER.test(basename(path));
  return isOwn && entry.isDirectory() && (hasOwner || Date.now() - entry.mtimeMs > ABANDONED_MS);
}
