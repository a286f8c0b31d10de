import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { readRegular } from '../files/regular-file.ts';
import { findLocalImports, isScript } from './fingerprint-imports.ts';

/**
 * Identifies what files say, with the local files that scripts among them import: the same on every machine and in every
 * folder, as paths count relative to `base` only.
 */
export function fingerprintFiles(files: readonly string[], base: string): string {
  const show = (file: string) => relative(base, file).replaceAll('\\', '/');
  const contents = withImports(files).map((file) => JSON.stringify([show(file), hashFile(file)]));
  return hash(JSON.stringify([files.map(show), contents.toSorted()]));
}

/** Files with the local files that scripts among them import, at whatever depth. */
export function withImports(files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const pending = [...files];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    pending.push(...importsOf(file));
  }
  return [...found];
}

/** Above this size a file (a model's weights, say) is known by size and time: reading it would delay every start. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

function hashFile(file: string): string {
  try {
    const { size, mtimeMs } = statSync(file);
    return size > MAX_READ_BYTES ? `${size} bytes of ${mtimeMs}` : hash(readRegular(file));
  } catch {
    return 'unreadable';
  }
}

/** A larger script is a bundle: what it needs is in it. */
const MAX_SCRIPT_BYTES = 1024 * 1024;

function importsOf(file: string): readonly string[] {
  try {
    if (!isScript(file) || statSync(file).size > MAX_SCRIPT_BYTES) return [];
    return findLocalImports(file, readRegular(file).toString('utf8'));
  } catch {
    return [];
  }
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
