import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../processes/groups.ts';
import { quote } from '../../words/show.ts';
import { ensureFolder } from '../files/read-file.ts';
import { get, type Hub, HubError, toNetworkError, withRetries } from './hub-request.ts';

/** A file of a dataset as the Hub describes it. */
export type RemoteFile = Readonly<{
  /** From the root of the dataset, with "/". */
  path: string;
  size: number;
  /**
   * Name of the blob in the cache: SHA-256 of a file in large storage, else the id that git gives
   * it.
   */
  hash: string;
}>;

/**
 * A file, its address, the folder for it, and the listener for the number of bytes that have
 * arrived.
 */
export type Download = Readonly<{
  hub: Hub;
  file: RemoteFile;
  url: string;
  blobs: string;
  onBytes: (bytes: number) => void;
}>;

/**
 * Downloads a file into the folder of blobs unless it is already there. It continues the download
 * of a killed process. The file gets its name only when size and hash are right. Rejects with a
 * HubError, or with the error of the file system.
 */
export async function downloadBlob(download: Download): Promise<void> {
  const blob = join(download.blobs, download.file.hash);
  const downloading =
    inFlight.get(blob) ?? downloadOnce(download, blob).finally(() => inFlight.delete(blob));
  inFlight.set(blob, downloading);
  await downloading;
  download.onBytes(download.file.size);
}

/** One download for each blob: two in one process would write to the same file. */
const inFlight = new Map<string, Promise<void>>();

async function downloadOnce(download: Download, blob: string): Promise<void> {
  const { blobs, file } = download;
  ensureFolder(blobs);
  if (existsSync(blob)) return;
  const partial = claimPartial(blobs, file.hash);
  await complete(download, partial);
  renameSync(partial, blob);
  for (const left of findOrphanedParts(blobs, file.hash)) rmSync(left, { force: true });
}

/**
 * The file that this process writes to, `<hash>.<process id>.incomplete`: two processes must not
 * write to the same file. It continues the part of a process that has ended.
 */
function claimPartial(blobs: string, hash: string): string {
  const own = join(blobs, `${hash}.${process.pid}.incomplete`);
  for (const left of existsSync(own) ? [] : findOrphanedParts(blobs, hash)) {
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
function findOrphanedParts(blobs: string, hash: string): readonly string[] {
  const left = readdirSync(blobs).filter((name) => {
    const [stem, owner = '', end] = name.split('.');
    return (
      stem === hash && end === 'incomplete' && /^\d{1,10}$/.test(owner) && !isRunning(Number(owner))
    );
  });
  return left.map((name) => join(blobs, name));
}

async function complete(download: Download, partial: string): Promise<void> {
  const { hub, file } = download;
  const resumed = existsSync(partial);
  await withRetries(hub, () => receive(download, partial));
  if (await hasHash(partial, file)) return;
  rmSync(partial, { force: true });
  // The earlier part may be the cause, so one more download begins at the start.
  if (resumed) return complete(download, partial);
  throw new HubError(
    hub.source,
    'failed',
    `${quote(file.path)} arrived with a hash that differs from the Hub's`,
  );
}

/** Appends each chunk as it arrives, so a killed process loses almost nothing. */
async function receive({ hub, file, url, onBytes }: Download, partial: string): Promise<void> {
  const stall = new AbortController();
  const timer = setTimeout(
    () => stall.abort(new DOMException('', 'TimeoutError')),
    hub.settings.stallMs,
  );
  const handle = await open(partial, 'a');
  try {
    const { size } = await handle.stat();
    if (size === file.size) return;
    // A part that is longer than the file cannot be continued.
    const start = size < file.size ? size : 0;
    // The positions in a compressed body differ from those in the file.
    const headers: Record<string, string> = { 'accept-encoding': 'identity' };
    if (start > 0) headers['range'] = `bytes=${start}-`;
    const response = await get(hub, url, { headers, signal: stall.signal });
    let at = response.status === 206 && startOf(response) === start ? start : 0;
    if (at === 0) await handle.truncate(0);
    for await (const chunk of response.body ?? []) {
      timer.refresh();
      at += chunk.length;
      if (at > file.size)
        throw new HubError(
          hub.source,
          'failed',
          `${quote(file.path)} is longer than the size that the Hub gives`,
        );
      await handle.appendFile(chunk);
      onBytes(at);
    }
    if (at < file.size)
      throw new HubError(hub.source, 'network', `${at} of ${file.size} bytes arrived`);
    await handle.sync();
  } catch (error) {
    // Only errors of the file system have a `syscall` field.
    throw error instanceof Error && 'syscall' in error ? error : toNetworkError(hub, error);
  } finally {
    clearTimeout(timer);
    stall.abort();
    await handle.close();
  }
}

/** A server may answer with another range than the requested one. */
function startOf(response: Response): number {
  return Number(
    /^bytes (\d{1,15})-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN,
  );
}

/** Whether a file on this disk has the hash that the Hub gives. */
async function hasHash(path: string, { size, hash }: RemoteFile): Promise<boolean> {
  // Git's id of a file: SHA-1 over a header with the length, then the content.
  const digest =
    hash.length === 64 ? createHash('sha256') : createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path)) digest.update(chunk);
  return digest.digest('hex') === hash;
}
