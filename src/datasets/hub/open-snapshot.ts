import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { nameType } from '../../text/show.ts';
import { CacheFolder, hasHash, type RemoteFile, readBlobName, toRemoteFile } from './cache-folder.ts';
import { downloadBlob } from './download-blob.ts';
import { type Hub, HubError, hubFetch, toDiskError, toNetworkError } from './hub-request.ts';

/** A dataset at one commit: what it holds, as far as that is known. */
export type Snapshot = {
  readonly hub: Hub;
  readonly cache: CacheFolder;
  readonly commit: string;
  /** The files by path; null without the Hub, when only what was downloaded before can be used. */
  readonly files: ReadonlyMap<string, RemoteFile> | null;
  readonly notes: readonly string[];
};

/** No dataset of questions is so large; a list that never ends is no list. */
const MAX_FILES = 50_000;

/**
 * Finds the commit of a revision and lists its files. Without the Hub (HF_HUB_OFFLINE, or no connection) it falls
 * back to the commit in the cache, and says so. Rejects with a HubError.
 */
export async function openSnapshot(hub: Hub): Promise<Snapshot> {
  const cache = new CacheFolder(hub.settings.cacheDir, hub.source);
  if (hub.settings.offline) return openCached(hub, cache, 'HF_HUB_OFFLINE is set');
  assertToken(hub);
  try {
    const commit = await findCommit(hub);
    const files = await listRemote(hub, commit);
    return { hub, cache, commit, files, notes: [] };
  } catch (error) {
    if (!(error instanceof HubError) || !isAway(error) || cachedCommit(hub, cache) === null) throw error;
    return openCached(hub, cache, error.message);
  }
}

/** Whether a snapshot has a file, of what is known of it. */
export function hasFile({ files, cache, commit }: Snapshot, path: string): boolean {
  return files === null ? existsSync(join(cache.snapshot(commit), path)) : files.has(path);
}

/** Whether the Hub could not answer at all; a refusal is an answer. */
function isAway({ kind }: HubError): boolean {
  return kind === 'network' || kind === 'server' || kind === 'rate_limit';
}

function openCached(hub: Hub, cache: CacheFolder, why: string): Snapshot {
  const commit = cachedCommit(hub, cache);
  if (commit === null) throw new HubError(hub.source, { kind: 'not_cached', detail: `${cache.root}; ${why}` });
  return {
    hub,
    cache,
    commit,
    files: null,
    notes: [`Read from the cache at commit ${commit}: ${why.replace(/\.$/, '')}.`],
  };
}

function cachedCommit({ source }: Hub, cache: CacheFolder): string | null {
  const commit = isCommit(source.revision) ? source.revision : cache.readRef(source.revision);
  return commit !== null && existsSync(cache.snapshot(commit)) ? commit : null;
}

/** The library and `fetch` would refuse it too, the one without saying whose token is meant, the other by showing it. */
function assertToken({ settings: { token }, source }: Hub): void {
  if (token === null || /^hf_[\x21-\x7e]+$/.test(token)) return;
  const detail = `it must be "hf_" and visible ASCII characters, got ${token.length} characters that are not shown`;
  throw new HubError(source, { kind: 'bad_token', detail });
}

async function findCommit(hub: Hub): Promise<string> {
  if (isCommit(hub.source.revision)) return hub.source.revision;
  const { datasetInfo } = await import('@huggingface/hub');
  const { name, revision } = hub.source;
  const info = await answered(hub, () => datasetInfo({ name, revision, additionalFields: ['sha'], ...toAccess(hub) }));
  if (isCommit(info.sha)) return info.sha;
  throw new HubError(hub.source, { kind: 'bad_response', detail: `no commit, but ${nameType(info.sha)}` });
}

async function listRemote(hub: Hub, commit: string): Promise<ReadonlyMap<string, RemoteFile>> {
  const { listFiles } = await import('@huggingface/hub');
  const repo = { type: 'dataset', name: hub.source.name } as const;
  const files = new Map<string, RemoteFile>();
  return answered(hub, async () => {
    for await (const entry of listFiles({ repo, revision: commit, recursive: true, ...toAccess(hub) })) {
      const file = toRemoteFile(entry);
      if (file === undefined || files.size >= MAX_FILES) throw new TypeError('the list of files makes no sense');
      if (file !== null) files.set(file.path, file);
    }
    return files;
  });
}

function toAccess(hub: Hub) {
  const { url, token } = hub.settings;
  return { hubUrl: url, fetch: hubFetch(hub), ...(token === null ? {} : { accessToken: token }) };
}

/** Whatever the library throws beside our own errors is an answer that it could not read, or the end of one. */
async function answered<T>(hub: Hub, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof HubError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const broken = message === 'terminated' || (cause instanceof Error && cause.name === 'TimeoutError');
    throw broken
      ? toNetworkError(hub, cause)
      : new HubError(hub.source, { kind: 'bad_response', detail: message, cause });
  }
}

function isCommit(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40}$/.test(value);
}

/** How far a download is. */
export type HubProgress = {
  readonly files: { readonly done: number; readonly total: number };
  readonly bytes: { readonly done: number; readonly total: number };
};

const DOWNLOADS_AT_ONCE = 4;

/**
 * Brings files of a snapshot onto this disk, each checked by its hash, those from earlier runs too. A path that the
 * dataset does not have is refused with a HubError.
 */
export async function fetchFiles(
  snapshot: Snapshot,
  paths: readonly string[],
  onProgress: (progress: HubProgress) => void = () => undefined,
): Promise<void> {
  const missing: string[] = [];
  for (const path of new Set(paths)) if (!(await isWhole(snapshot, path))) missing.push(path);
  await fetchMissing(snapshot, missing, onProgress);
  if (snapshot.files !== null) keepRevision(snapshot);
}

async function fetchMissing(
  snapshot: Snapshot,
  missing: readonly string[],
  onProgress: (progress: HubProgress) => void,
): Promise<void> {
  const files = missing.map((path) => toRemote(snapshot, path));
  const report = trackProgress(files, onProgress);
  // Two files may have the same content: then the second finds the blob of the first.
  const byHash = [...Map.groupBy(files, ({ hash }) => hash).values()];
  await runAll(byHash.map((same) => () => fetchSame(snapshot, same, report)));
}

/** Rejects with the first failure, once nothing is under way any more; what had not begun by then is left. */
async function runAll(downloads: readonly (() => Promise<void>)[]): Promise<void> {
  const limit = pLimit(DOWNLOADS_AT_ONCE);
  const failures: unknown[] = [];
  const run = async (download: () => Promise<void>) => {
    if (failures.length > 0) return;
    await download().catch((error: unknown) => failures.push(error));
  };
  await Promise.all(downloads.map((download) => limit(() => run(download))));
  if (failures.length > 0) throw failures[0];
}

/** Last, so that without the Hub a revision is a commit whose files are there. */
function keepRevision({ hub, cache, commit }: Snapshot): void {
  if (hub.source.revision === commit) return;
  try {
    cache.writeRef(hub.source.revision, commit);
  } catch (cause) {
    throw toDiskError(hub.source, cache.root, cause);
  }
}

async function fetchSame(
  { hub, cache, commit }: Snapshot,
  same: readonly RemoteFile[],
  report: (path: string, bytes: number) => void,
): Promise<void> {
  for (const file of same) {
    await downloadBlob(hub, { cache, commit, file }, (bytes) => report(file.path, bytes));
    try {
      cache.link(commit, file.path, file.hash);
    } catch (cause) {
      throw toDiskError(hub.source, cache.root, cause);
    }
  }
}

/** Whether a file is in the cache as it should be. A damaged blob is removed, so that it is downloaded again. */
async function isWhole({ cache, commit, files }: Snapshot, path: string): Promise<boolean> {
  const pointer = join(cache.snapshot(commit), path);
  const hash = files?.get(path)?.hash ?? readBlobName(pointer);
  if (hash === null) return files === null && existsSync(pointer);
  const blob = join(cache.blobs, hash);
  const there = statSync(blob, { throwIfNoEntry: false });
  if (there === undefined) return false;
  // A pipe or a device in its place is damage too.
  if (there.isFile() && (await hasHash(blob, there.size, hash))) return existsSync(pointer);
  if (files !== null) rmSync(blob, { force: true });
  return false;
}

function toRemote({ files, cache, hub }: Snapshot, path: string): RemoteFile {
  const file = files?.get(path);
  if (file !== undefined) return file;
  const kind = files === null ? 'not_cached' : 'no_file';
  throw new HubError(hub.source, { kind, detail: files === null ? `${path}, in ${cache.root}` : path });
}

function trackProgress(
  files: readonly RemoteFile[],
  onProgress: (progress: HubProgress) => void,
): (path: string, bytes: number) => void {
  const there = new Map<string, number>();
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  return (path, bytes) => {
    there.set(path, bytes);
    const done = [...there].filter(([each, count]) => count === sizes.get(each)).length;
    const bytesDone = [...there.values()].reduce((sum, count) => sum + count, 0);
    onProgress({ files: { done, total: files.length }, bytes: { done: bytesDone, total } });
  };
}
