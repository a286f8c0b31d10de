import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../processes/groups.ts';
import { type CacheFolder, hasHash, type RemoteFile } from './cache-folder.ts';
import { type Hub, HubError, requestOnce, toDiskError, toNetworkError, withRetries } from './hub-request.ts';

/** One file at one commit, and where it goes. */
export type BlobTarget = { readonly cache: CacheFolder; readonly commit: string; readonly file: RemoteFile };

/**
 * Brings a file into `blobs/` unless it is there. What an earlier process left of it is continued; the name appears
 * only when size and hash are right. `onBytes` hears how much of the file is there. Rejects with a HubError.
 */
export async function downloadBlob(hub: Hub, target: BlobTarget, onBytes: (bytes: number) => void): Promise<void> {
  const blob = join(target.cache.blobs, target.file.hash);
  const download = underWay.get(blob) ?? bring(hub, target, blob, onBytes).finally(() => underWay.delete(blob));
  underWay.set(blob, download);
  await download;
  onBytes(target.file.size);
}

/** By blob: two calls in one process would write to one file. */
const underWay = new Map<string, Promise<void>>();

async function bring(hub: Hub, target: BlobTarget, blob: string, onBytes: (bytes: number) => void): Promise<void> {
  const { cache, file } = target;
  const partial = onDisk(hub, cache.blobs, () => {
    if (existsSync(blob)) return null;
    return claimPartial(cache.blobs, file.hash);
  });
  if (partial !== null) {
    await complete(hub, target, partial, onBytes);
    onDisk(hub, cache.blobs, () => {
      renameSync(partial, blob);
      removePartials(cache.blobs, file.hash);
    });
  }
}

async function complete(
  hub: Hub,
  target: BlobTarget,
  partial: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const resumed = existsSync(partial);
  await withRetries(hub, () => continueDownload(hub, target, partial, onBytes));
  const damage = await findDamage(target.file, partial);
  if (damage === null) return;
  rmSync(partial, { force: true });
  // What an earlier process left may be the cause: once more, from nothing.
  if (resumed) return complete(hub, target, partial, onBytes);
  throw damaged(hub, target.file.path, damage);
}

async function continueDownload(
  hub: Hub,
  { cache, commit, file }: BlobTarget,
  partial: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const handle = await open(partial, 'a').catch((cause: unknown) => {
    throw toDiskError(hub.source, cache.blobs, cause);
  });
  try {
    const there = (await handle.stat()).size;
    // More than the whole is no part of it.
    const start = there > file.size ? 0 : there;
    if (start !== there) await handle.truncate(0);
    if (start < file.size) await receive(hub, { path: file.path, commit, start, size: file.size }, handle, onBytes);
    await handle.sync();
  } catch (error) {
    throw error instanceof HubError ? error : toDiskError(hub.source, cache.blobs, error);
  } finally {
    await handle.close();
  }
}

type Part = { readonly path: string; readonly commit: string; readonly start: number; readonly size: number };

/** Appends what is missing as it comes, so that a process that is killed loses next to nothing. */
async function receive(hub: Hub, part: Part, handle: FileHandle, onBytes: (bytes: number) => void): Promise<void> {
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(new DOMException('stalled', 'TimeoutError')), hub.settings.stallMs);
  try {
    const response = await requestOnce(hub, toUrl(hub, part), { headers: toHeaders(hub, part), signal: stall.signal });
    const continues = response.status === 206 && startOf(response) === part.start;
    if (!continues && part.start > 0) await handle.truncate(0);
    let at = continues ? part.start : 0;
    for await (const chunk of readBody(hub, response)) {
      timer.refresh();
      at += chunk.length;
      if (at > part.size) throw damaged(hub, part.path, `more than ${part.size} bytes came`);
      await handle.appendFile(chunk);
      onBytes(at);
    }
    if (at < part.size) throw new HubError(hub.source, { kind: 'network', detail: `${at} of ${part.size} bytes came` });
  } finally {
    clearTimeout(timer);
    stall.abort();
  }
}

async function* readBody(hub: Hub, response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  for (;;) {
    const read = await reader?.read().catch((cause: unknown) => {
      throw toNetworkError(hub, cause);
    });
    if (read?.value === undefined) return;
    yield read.value;
  }
}

function toUrl({ settings, source }: Hub, { path, commit }: Part): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `${settings.url}/datasets/${source.name}/resolve/${commit}/${encoded}`;
}

function toHeaders({ settings }: Hub, { start }: Part): Record<string, string> {
  return {
    // A compressed body would have other positions than the file.
    'accept-encoding': 'identity',
    ...(start === 0 ? {} : { range: `bytes=${start}-` }),
    ...(settings.token === null ? {} : { authorization: `Bearer ${settings.token}` }),
  };
}

/** A server may answer with another range than the one asked for, or with the whole file. */
function startOf(response: Response): number {
  return Number(/^bytes (\d{1,15})-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN);
}

async function findDamage(file: RemoteFile, partial: string): Promise<string | null> {
  const { size } = statSync(partial);
  if (size === file.size && (await hasHash(partial, size, file.hash))) return null;
  return `${size} bytes came, and their hash is not ${file.hash.slice(0, 12)}...`;
}

function damaged({ source }: Hub, path: string, detail: string): HubError {
  return new HubError(source, { kind: 'damaged', detail: `${path}: ${detail}` });
}

function onDisk<T>({ source }: Hub, folder: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw toDiskError(source, folder, cause);
  }
}

/**
 * Takes over what an ended process left of a blob, or names a new file: `<hash>.<process id>.incomplete`. Each process
 * writes to a file of its own, since two writers of one file would spoil it for both.
 */
function claimPartial(blobs: string, hash: string): string {
  mkdirSync(blobs, { recursive: true });
  const own = join(blobs, `${hash}.${process.pid}.incomplete`);
  for (const name of readdirSync(blobs)) {
    const owner = ownerOf(name, hash);
    if (owner === process.pid) return own;
    if (owner === null || isRunning(owner)) continue;
    try {
      renameSync(join(blobs, name), own);
      return own;
    } catch {
      // Another process took it first.
    }
  }
  return own;
}

/** Removes what ended processes left of a blob that is whole now. */
function removePartials(blobs: string, hash: string): void {
  for (const name of readdirSync(blobs)) {
    const owner = ownerOf(name, hash);
    if (owner !== null && !isRunning(owner)) rmSync(join(blobs, name), { force: true });
  }
}

function ownerOf(name: string, hash: string): number | null {
  const [stem, owner, end, ...rest] = name.split('.');
  if (stem !== hash || end !== 'incomplete' || rest.length > 0 || !/^\d{1,10}$/.test(owner ?? '')) return null;
  return Number(owner);
}
