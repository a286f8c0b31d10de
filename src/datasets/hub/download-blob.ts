import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../processes/groups.ts';
import { ensureFolder } from '../../records/files.ts';
import { quote } from '../../text/show.ts';
import { get, type Hub, HubError, toNetworkError, withRetries } from './hub-request.ts';

/** A file of a dataset as the Hub describes it. */
export type RemoteFile = {
  /** From the root of the dataset, with "/". */
  readonly path: string;
  readonly size: number;
  /** Name of the blob in the cache: SHA-256 of a file in large storage, else the id that git gives it. */
  readonly hash: string;
};

/** A file, the address that it comes from, the folder that it goes to, and who hears how many bytes are there. */
export type Download = {
  readonly hub: Hub;
  readonly file: RemoteFile;
  readonly url: string;
  readonly blobs: string;
  readonly onBytes: (bytes: number) => void;
};

/**
 * Brings a file into the folder of blobs unless it is there. It continues what a killed process left, and gives the
 * file its name only when size and hash are right. Rejects with a HubError, or with the error of the file system.
 */
export async function downloadBlob(download: Download): Promise<void> {
  const blob = join(download.blobs, download.file.hash);
  const bringing = underWay.get(blob) ?? bring(download, blob).finally(() => underWay.delete(blob));
  underWay.set(blob, bringing);
  await bringing;
  download.onBytes(download.file.size);
}

/** By blob: two downloads in one process would write to one file. */
const underWay = new Map<string, Promise<void>>();

async function bring(download: Download, blob: string): Promise<void> {
  const { blobs, file } = download;
  ensureFolder(blobs);
  if (existsSync(blob)) return;
  const partial = claimPartial(blobs, file.hash);
  await complete(download, partial);
  renameSync(partial, blob);
  for (const left of findLeft(blobs, file.hash)) rmSync(left, { force: true });
}

/**
 * The file that this process writes to, `<hash>.<process id>.incomplete`: two processes would spoil one file for each
 * other. It takes over the part of a process that has ended.
 */
function claimPartial(blobs: string, hash: string): string {
  const own = join(blobs, `${hash}.${process.pid}.incomplete`);
  for (const left of existsSync(own) ? [] : findLeft(blobs, hash)) {
    try {
      renameSync(left, own);
      return own;
    } catch {
      // Another process took it first.
    }
  }
  return own;
}

/** The parts of a blob whose processes have ended. */
function findLeft(blobs: string, hash: string): readonly string[] {
  const left = readdirSync(blobs).filter((name) => {
    const [stem, owner = '', end] = name.split('.');
    return stem === hash && end === 'incomplete' && /^\d{1,10}$/.test(owner) && !isRunning(Number(owner));
  });
  return left.map((name) => join(blobs, name));
}

async function complete(download: Download, partial: string): Promise<void> {
  const { hub, file } = download;
  const resumed = existsSync(partial);
  await withRetries(hub, () => receive(download, partial));
  if (await hasHash(partial, file)) return;
  rmSync(partial, { force: true });
  // The part that was there may be the cause: once more, from the start.
  if (resumed) return complete(download, partial);
  throw new HubError(hub.source, 'failed', `${quote(file.path)} arrived with other bytes than the Hub lists`);
}

/** Appends each chunk as it arrives: a process that is killed loses next to nothing. */
async function receive({ hub, file, url, onBytes }: Download, partial: string): Promise<void> {
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(new DOMException('', 'TimeoutError')), hub.settings.stallMs);
  const handle = await open(partial, 'a');
  try {
    const { size } = await handle.stat();
    if (size === file.size) return;
    // More than the whole is no part of it.
    const start = size < file.size ? size : 0;
    const range = start === 0 ? {} : { range: `bytes=${start}-` };
    // A compressed body would have other positions than the file.
    const headers = { 'accept-encoding': 'identity', ...range };
    const response = await get(hub, url, { headers, signal: stall.signal });
    let at = response.status === 206 && startOf(response) === start ? start : 0;
    if (at === 0) await handle.truncate(0);
    for await (const chunk of response.body ?? []) {
      timer.refresh();
      at += chunk.length;
      if (at > file.size) throw new HubError(hub.source, 'failed', `${quote(file.path)} is longer than the Hub lists`);
      await handle.appendFile(chunk);
      onBytes(at);
    }
    if (at < file.size) throw new HubError(hub.source, 'network', `${at} of ${file.size} bytes came`);
    await handle.sync();
  } catch (error) {
    // Only errors of the file system have a `syscall`.
    throw error instanceof Error && 'syscall' in error ? error : toNetworkError(hub, error);
  } finally {
    clearTimeout(timer);
    stall.abort();
    await handle.close();
  }
}

/** A server may answer with another range than the one asked for. */
function startOf(response: Response): number {
  return Number(/^bytes (\d{1,15})-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN);
}

/** Whether a file on this disk has the hash that the Hub lists. */
async function hasHash(path: string, { size, hash }: RemoteFile): Promise<boolean> {
  // Git's id of a file: SHA-1 over a header with the length, then the content.
  const digest = hash.length === 64 ? createHash('sha256') : createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path)) digest.update(chunk);
  return digest.digest('hex') === hash;
}
