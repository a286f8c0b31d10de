import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ListFileEntry } from '@huggingface/hub';
import pLimit from 'p-limit';
import type { Note } from '../../words/sample.ts';
import { toNotes, tryOrUndefined } from '../../words/show.ts';
import { explainWrite } from '../../words/write-error.ts';
import { ensureFolder } from '../files/read-file.ts';
import type { RemoteFile } from './download-blob.ts';
import { type Hub, HubError, request } from './hub-request.ts';
import type { HubProgress, HubSettings } from './hub-source.ts';

/** A dataset at one commit. */
export type Snapshot = Readonly<{
  hub: Hub;
  commit: string;
  /** The folder of its files on this disk, once they are downloaded. */
  folder: string;
  /** The files by path. Null without the Hub: then only files in the cache can be used. */
  files: ReadonlyMap<string, RemoteFile> | null;
  notes: readonly Note[];
}>;

/**
 * Finds the commit of a revision and lists its files. Without the Hub (HF_HUB_OFFLINE, or no
 * connection) it uses the commit in the cache and adds a note. Rejects with a HubError.
 */
export async function openSnapshot(hub: Hub): Promise<Snapshot> {
  if (hub.settings.offline) return openCached(hub, 'HF_HUB_OFFLINE is set');
  try {
    const commit = await findCommit(hub);
    return {
      hub,
      commit,
      folder: snapshotFolder(hub, commit),
      files: await listFiles(hub, commit),
      notes: [],
    };
  } catch (error) {
    if (!(error instanceof HubError && error.isTransient) || cachedCommit(hub) === null)
      throw error;
    return openCached(hub, error.message);
  }
}

/** Whether a snapshot is known to have a file. */
export function hasFile({ files, folder }: Snapshot, path: string): boolean {
  return files === null ? existsSync(join(folder, path)) : files.has(path);
}

/** The options of a loader for the Hub. */
export type HubAccess = Readonly<{
  /** How the Hub is reached. Without it there is no token, and the cache is the usual one. */
  hub?: HubSettings;
  /** Called with the progress of a download. */
  onProgress?: (progress: HubProgress) => void;
}>;

/**
 * Downloads files of a snapshot unless they are already on this disk. Rejects with a HubError, also
 * for a path that the dataset does not have.
 */
export async function fetchFiles(
  snapshot: Snapshot,
  paths: readonly string[],
  onProgress: (progress: HubProgress) => void = () => undefined,
): Promise<void> {
  const { hub, commit, folder, files } = snapshot;
  removeOrphans(join(cacheFolder(hub), 'blobs'));
  const missing = [...new Set(paths)].filter((path) => !existsSync(join(folder, path)));
  const wanted = missing.map((path) => toRemote(snapshot, path));
  const total = wanted.reduce((sum, { size }) => sum + size, 0);
  const arrived = new Map<string, number>();
  const failures: unknown[] = [];
  const fetchOne = async (file: RemoteFile) => {
    const onBytes = (bytes: number) => {
      arrived.set(file.path, bytes);
      onProgress({ done: [...arrived.values()].reduce((sum, each) => sum + each, 0), total });
    };
    if (failures.length === 0)
      await fetchFile(snapshot, file, onBytes).catch((error: unknown) => failures.push(error));
  };
  const limit = pLimit(DOWNLOADS_AT_ONCE);
  // Ends when no download is running.
  await Promise.all(wanted.map((file) => limit(() => fetchOne(file))));
  try {
    if (failures.length > 0) throw failures[0];
    // This comes last, so the files of a commit are in the cache before a revision names it.
    if (files !== null && hub.source.revision !== commit)
      putWhole(refFile(hub), (aside) => writeFileSync(aside, commit));
  } catch (error) {
    if (error instanceof HubError) throw error;
    const { why, remedy } = explainWrite(error, 'set HF_HOME to another folder');
    throw new HubError(hub.source, 'disk', `${why}, ${cacheFolder(hub)}`, { remedy: `${remedy}.` });
  }
}

/** Removes what killed processes left. A running download writes all the time, or is given up. */
function removeOrphans(blobs: string): void {
  for (const name of tryOrUndefined(() => readdirSync(blobs)) ?? []) {
    if (!/\.viva-[^.]+\.incomplete$/.test(name)) continue;
    const file = join(blobs, name);
    // Another process may remove it too.
    tryOrUndefined(() => Date.now() - statSync(file).mtimeMs > HOUR_MS && rmSync(file));
  }
}

const HOUR_MS = 3_600_000;

function openCached(hub: Hub, why: string): Snapshot {
  const commit = cachedCommit(hub);
  if (commit === null) throw new HubError(hub.source, 'not_cached', `${cacheFolder(hub)}; ${why}`);
  const text = `Read from the cache at commit ${commit}: ${why.replace(/\.$/, '')}.`;
  const notes = toNotes('source', [text]);
  return { hub, commit, folder: snapshotFolder(hub, commit), files: null, notes };
}

function cachedCommit(hub: Hub): string | null {
  const { revision } = hub.source;
  const commit = isCommit(revision) ? revision : readRef(refFile(hub));
  return commit !== null && existsSync(snapshotFolder(hub, commit)) ? commit : null;
}

/**
 * The folder of a dataset in the cache that all tools of the Hub share: `refs/<revision>` names a
 * commit, `snapshots/<commit>/<path>` links to `blobs/<hash>`.
 */
function cacheFolder({ settings, source }: Hub): string {
  return join(settings.cacheDir, `datasets--${source.name.replace('/', '--')}`);
}

function snapshotFolder(hub: Hub, commit: string): string {
  return join(cacheFolder(hub), 'snapshots', commit);
}

function refFile(hub: Hub): string {
  return join(cacheFolder(hub), 'refs', hub.source.revision);
}

function readRef(file: string): string | null {
  // Another revision may have a folder there.
  const commit = tryOrUndefined(() => readFileSync(file, 'utf8').trim());
  return isCommit(commit) ? commit : null;
}

async function findCommit(hub: Hub): Promise<string> {
  const { settings, source } = hub;
  const { name, revision } = source;
  if (isCommit(revision)) return revision;
  // Loaded here and below: without the Hub nothing needs it.
  const { datasetInfo } = await import('@huggingface/hub');
  const { sha } = await request(hub, (fetchHub) =>
    datasetInfo({
      name,
      revision,
      additionalFields: ['sha'],
      hubUrl: settings.url,
      fetch: fetchHub,
    }),
  );
  if (isCommit(sha)) return sha;
  throw new HubError(source, 'failed', 'its response names no commit');
}

async function listFiles(hub: Hub, commit: string): Promise<ReadonlyMap<string, RemoteFile>> {
  const { settings, source } = hub;
  const { listFiles: list } = await import('@huggingface/hub');
  const repo = { type: 'dataset', name: source.name } as const;
  const options = { repo, revision: commit, recursive: true, hubUrl: settings.url };
  return request(hub, async (fetchHub) => {
    const files = new Map<string, RemoteFile>();
    for await (const entry of list({ ...options, fetch: fetchHub })) {
      if (entry.type === 'directory') continue;
      const file = toRemoteFile(entry);
      if (file === null) throw new HubError(source, 'failed', 'its list of files is not valid');
      files.set(file.path, file);
    }
    return files;
  });
}

/**
 * A file of the Hub's list; null when the entry is not valid, or its path would leave the cache.
 */
function toRemoteFile({ type, path, lfs, ...own }: ListFileEntry): RemoteFile | null {
  const { size, oid: hash } = lfs ?? own;
  const isSize = Number.isSafeInteger(size) && size >= 0;
  if (type !== 'file' || !isSafePath(path) || !isSize) return null;
  return typeof hash === 'string' && HASH.test(hash) ? { path, size, hash } : null;
}

function isSafePath(path: string): boolean {
  if (path.length > 1000 || /[\\\0]|^[A-Za-z]:/.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function isCommit(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40}$/.test(value);
}

const DOWNLOADS_AT_ONCE = 4;

function toRemote({ files, folder, hub }: Snapshot, path: string): RemoteFile {
  const file = files?.get(path);
  if (file !== undefined) return file;
  throw new HubError(hub.source, files === null ? 'not_cached' : 'not_found', join(folder, path));
}

async function fetchFile(
  snapshot: Snapshot,
  file: RemoteFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { hub, commit, folder } = snapshot;
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  const url = `${hub.settings.url}/datasets/${hub.source.name}/resolve/${commit}/${path}`;
  const blobs = join(cacheFolder(hub), 'blobs');
  // Loaded here: most datasets are on this disk.
  const { downloadBlob } = await import('./download-blob.ts');
  await downloadBlob({ hub, file, url, blobs, onBytes });
  link(join(folder, file.path), join(blobs, file.hash));
}

/** Links a file of a snapshot to its blob. On a file system without links it copies the blob. */
function link(pointer: string, blob: string): void {
  ensureFolder(dirname(pointer));
  try {
    // The link is made in its final place: a process that is killed here leaves nothing that looks
    // like a file of the dataset.
    symlinkSync(relative(dirname(pointer), blob), pointer);
  } catch {
    // Another process made the link first, or the file system has no links.
    if (existsSync(pointer)) return;
    putWhole(pointer, (aside) => copyFileSync(blob, aside));
  }
}

/** Writes a temporary file and moves it into place, so no process reads half of it. */
function putWhole(file: string, write: (aside: string) => void): void {
  ensureFolder(dirname(file));
  const aside = `${file}.${process.pid}.tmp`;
  write(aside);
  renameSync(aside, file);
}
