import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readFileSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { TestContext } from 'vitest';
import { openRegular, TOO_MANY_BYTES } from '../records/files.ts';
import { escapeLine, quote } from '../text/show.ts';
import { AgentError, type Attachment } from '../types.ts';

/** What an attachment held when its question was planned: answers are kept under it. */
export type Content = {
  readonly hash: string;
  /** Which file it was and when it was last changed; null where that would not tell of another change. */
  readonly stamp: string | null;
};

export function readContent(path: string): Content {
  const { bytes, stamp } = readStamped(path);
  return { hash: toHash(bytes), stamp };
}

/**
 * Copies an attachment, through links, since datasets from the Hub are links into a cache that all runs share. The copy
 * holds `content`, null for whatever is there now; throws an AgentError "machine", which is not kept, when the file was
 * changed since.
 */
export function copyContent({ name, path }: Attachment, to: string, content: Content | null): void {
  const { bytes, stamp } = readStamped(path);
  if (content !== null && (stamp === null || stamp !== content.stamp)) {
    const hash = toHash(bytes);
    if (hash !== content.hash) throw changed(name, content.hash, hash);
  }
  writeFileSync(to, bytes, { flag: 'wx', mode: 0o600 });
}

function toHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function changed(name: string, expected: string, got: string): AgentError {
  const problem = `The attachment ${quote(name)} was changed while the run went on`;
  const hashes = `its SHA-256 was ${expected.slice(0, 16)}... when the run began, got ${got.slice(0, 16)}...`;
  const remedy = 'Leave the files of a dataset alone during a run; run again to ask about the file as it is now.';
  return new AgentError('machine', `${problem}: ${hashes} ${remedy}`);
}

function readStamped(path: string): { readonly bytes: Uint8Array; readonly stamp: string | null } {
  const file = openRegular(path);
  try {
    requireReadable(path, fstatSync(file).size);
    const stamp = toStamp(file);
    const bytes = readFileSync(file);
    // Who writes meanwhile leaves no file that could be known again by its time.
    return { bytes, stamp: stamp === toStamp(file) ? stamp : null };
  } finally {
    closeSync(file);
  }
}

/** A loader refuses such a file by its record: one that is met here has grown since. */
function requireReadable(path: string, size: number): void {
  if (size < TOO_MANY_BYTES) return;
  throw new Error(`${path} must be a file of less than 2 GiB, got ${size} bytes. Put a smaller file there.`);
}

/** A second change soon after a first one may leave the same time, as clocks of file systems tick rarely. */
const TICK_MS = 3000;

function toStamp(file: number): string | null {
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = fstatSync(file, { bigint: true });
  return Date.now() - Number(ctimeMs) < TICK_MS ? null : [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** Vitest copies what is attached; larger files stay where they are. */
const MAX_BYTES = 20_000_000;

/** What the Vitest UI is to show of a failed case beside its error, as files that can be opened. */
export async function attachFiles(
  { annotate }: Pick<TestContext, 'annotate'>,
  trace: string | null,
  attachments: readonly { readonly name: string; readonly path: string }[],
): Promise<void> {
  if (trace !== null) await attach(annotate, basename(trace), 'trace', trace);
  for (const { name, path } of attachments) await attach(annotate, name, 'attachment', path);
}

async function attach(annotate: TestContext['annotate'], message: string, type: string, path: string): Promise<void> {
  const text = escapeLine(message);
  try {
    const reason = findReason(statSync(path));
    await (reason === null ? annotate(text, type, { path }) : annotate(`${text} (${reason})`, type));
  } catch {
    // A file that is gone, or a full disk, must not stand in for the case's own failure.
  }
}

/** Why something is not attached, or null. Vitest opens what it is given, and a pipe would keep it waiting for ever. */
function findReason(stats: Stats): string | null {
  if (!stats.isFile()) return 'no longer a file, not attached';
  return stats.size > MAX_BYTES ? 'too large to attach' : null;
}
