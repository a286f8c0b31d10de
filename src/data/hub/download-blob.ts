import { createHash, randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { quote } from '../../words/show.ts';
import { ensureFolder } from '../files/read-file.ts';
import { type Hub, HubError, type HubFetch, request } from './hub-request.ts';

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
 * Downloads a file into the folder of blobs unless it is already there. The file gets its name only
 * when size and hash are right. Rejects with a HubError, or with the error of the file system.
 *
 * Not by `downloadFileToCacheDir` of @huggingface/hub 2.17.5: it checks neither and prints to stdout
 * (no issue found), and two processes that download one file break each other, since it takes no
 * lock (https://github.com/huggingface/huggingface.js/pull/1034).
 */
export async function downloadBlob(download: Download): Promise<void> {
  const { hub, blobs, file } = download;
  const blob = join(blobs, file.hash);
  if (!existsSync(blob)) {
    ensureFolder(blobs);
    // Two downloads must not write to the same file.
    const aside = `${blob}.viva-${randomUUID()}.incomplete`;
    try {
      await request(hub, (fetchHub, onData) => receive(download, aside, fetchHub, onData));
      renameSync(aside, blob);
    } finally {
      rmSync(aside, { force: true });
    }
  }
  download.onBytes(file.size);
}

/** Writes each chunk as it arrives, so memory does not grow with the file. */
async function receive(
  { hub, file, url, onBytes }: Download,
  path: string,
  fetchHub: HubFetch,
  onData: () => void,
): Promise<void> {
  // Git's id of a file: SHA-1 over a header with the length, then the content.
  const digest =
    file.hash.length === 64
      ? createHash('sha256')
      : createHash('sha1').update(`blob ${file.size}\0`);
  const response = await fetchHub(url);
  const handle = await open(path, 'w');
  try {
    let arrived = 0;
    for await (const chunk of response.body ?? []) {
      onData();
      arrived += chunk.length;
      if (arrived > file.size) {
        const problem = `${quote(file.path)} is longer than the size that the Hub gives`;
        throw new HubError(hub.source, 'failed', problem);
      }
      digest.update(chunk);
      await handle.appendFile(chunk);
      onBytes(arrived);
    }
    if (arrived < file.size)
      throw new HubError(hub.source, 'network', `${arrived} of ${file.size} bytes arrived`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (digest.digest('hex') === file.hash) return;
  const problem = `${quote(file.path)} arrived with a hash that differs from the Hub's`;
  throw new HubError(hub.source, 'failed', problem);
}
