import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { openRegular } from '../../files/regular-file.ts';

/** A file of a dataset as the Hub describes it. */
export type RemoteFile = {
  /** From the root of the dataset, with "/". */
  readonly path: string;
  readonly size: number;
  /** Name of the blob in the cache: SHA-256 of a file in large storage, else the id that git gives it. */
  readonly hash: string;
};

/** Checks what the Hub's file list says of one entry; null for a folder, undefined when it makes no sense. */
export function toRemoteFile(entry: unknown): RemoteFile | null | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { type, path, size, oid, lfs }: { [K in 'type' | 'path' | 'size' | 'oid' | 'lfs']?: unknown } = entry;
  if (type === 'directory') return null;
  const stored: { oid?: unknown; size?: unknown } = typeof lfs === 'object' && lfs !== null ? lfs : { oid, size };
  if (type !== 'file' || !isSafePath(path) || !isHash(stored.oid) || !isSize(stored.size)) return undefined;
  return { path, size: stored.size, hash: stored.oid };
}

/** Whether the content of a file on this disk has a hash, in either form. Rejects when it cannot be read. */
export async function hasHash(file: string, size: number, hash: string): Promise<boolean> {
  const digest = startHash(size, hash);
  for await (const chunk of createReadStream(file, { fd: openRegular(file) })) digest.update(chunk);
  return digest.digest('hex') === hash;
}

function startHash(size: number, hash: string): Hash {
  if (hash.length === SHA256_LENGTH) return createHash('sha256');
  // Git's id of a file: SHA-1 over a header with the length, then the content.
  return createHash('sha1').update(`blob ${size}\0`);
}

const SHA256_LENGTH = 64;

/** Whether a text can be the name of a blob: it becomes a file name. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The paths become files below the cache. */
function isSafePath(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 1000 || /[\\\0]|^[A-Za-z]:/.test(value)) return false;
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
