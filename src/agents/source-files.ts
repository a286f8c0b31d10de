import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegular } from '../records/files.ts';

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

/**
 * The local files that a script's text imports: static and dynamic imports, require() and `new URL(..., import.meta.url)`
 * with a literal path. The text is scanned, not parsed: a path in a comment counts too, which asks a question again at
 * worst. Computed paths, `#aliases` and packages are not followed.
 */
export function findLocalImports(file: string, source: string): readonly string[] {
  return [...source.matchAll(PATH_LITERAL)]
    .filter(({ index }) => isImported(source, index))
    .map(({ groups }) => resolveImport(file, groups?.['path'] ?? ''))
    .filter((path) => path !== null);
}

/** Whether a file is a script whose own imports count. */
function isScript(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file);
}

const PATH_LITERAL = /(?<quote>['"`])(?<path>(?:\.{1,2}\/|\/|file:)[^'"`\n]{1,4096})\k<quote>/g;

/** How far before a path its keyword may stand, comments between them included. */
const REACH = 300;

function isImported(source: string, index: number): boolean {
  let before = source.slice(Math.max(0, index - REACH), index).trimEnd();
  for (let comment = before.lastIndexOf('/*'); before.endsWith('*/') && comment !== -1; ) {
    before = before.slice(0, comment).trimEnd();
    comment = before.lastIndexOf('/*');
  }
  return /(?:\bfrom|\bimport|\b(?:import|require|URL)\s{0,20}\()$/.test(before);
}

function resolveImport(file: string, specifier: string): string | null {
  const path = toPath(file, specifier);
  // "./prompt.md?raw" is the file; a bundler's question mark is no part of its name.
  const bare = path.replace(/[?#].*$/s, '');
  return [path, bare, ...guesses(bare)].find(isFile) ?? null;
}

function toPath(file: string, specifier: string): string {
  if (!specifier.startsWith('file:')) return resolve(dirname(file), specifier);
  try {
    return fileURLToPath(specifier);
  } catch {
    return '';
  }
}

/** What bundlers and require() try for a path without its extension, or with that of the compiled file. */
function guesses(path: string): readonly string[] {
  const extensions = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'];
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return [source, ...extensions.flatMap((extension) => [path + extension, resolve(path, `index${extension}`)])];
}

/** Whether a path is a regular file; whatever cannot be looked at is none. */
export function isFile(path: string): boolean {
  try {
    return path !== '' && statSync(path).isFile();
  } catch {
    return false;
  }
}
