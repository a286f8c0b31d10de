import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { readBlobName } from './cache-folder.ts';
import { downloadBlob } from './download-blob.ts';
import { HubError, toDiskError } from './hub-error.ts';
import type { Snapshot } from './open-snapshot.ts';
import { hasHash, type RemoteFile } from './remote-file.ts';

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
