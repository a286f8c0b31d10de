import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isFile, readRegular } from '../data/files/read-file.ts';
import { quote, tryOrUndefined } from '../words/show.ts';

/**
 * A hash of the contents of files and of the local files that they import. Paths are relative to
 * `base`, so the hash is the same on every machine.
 */
export function fingerprintFiles(files: readonly string[], base: string): string {
  const show = (file: string) => relative(base, file).replaceAll('\\', '/');
  const contents = withImports(files).map((file) => JSON.stringify([show(file), hashFile(file)]));
  return hash('sha256', JSON.stringify([files.map(show), contents.toSorted()]));
}

/** The files and all local files that they import, at any depth. */
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

/**
 * The local files that a script imports: static and dynamic imports, require() and `new URL(...,
 * import.meta.url)` with a literal path. The text is searched, not parsed. A path in a comment
 * counts too; at worst questions are then asked again. Computed paths, `#aliases`, packages and
 * `import type` are not followed.
 */
export function findLocalImports(file: string, source: string): readonly string[] {
  return [...source.replace(TYPE_IMPORT, '').matchAll(IMPORT)].flatMap(({ groups }) => {
    const path = resolve(dirname(file), groups?.['path'] ?? '');
    // Bundlers add a query: "./prompt.md?raw".
    const bare = path.replace(/[?#].*$/s, '');
    return [path, bare, ...guesses(bare)].find(isFile) ?? [];
  });
}

/** The absolute paths of the files that a command line names. Relative ones start at `root`. */
export function findNamedFiles(line: string, root: string): readonly string[] {
  return [...new Set(locateFiles(line, root).map(({ file }) => file))];
}

/**
 * Makes relative paths of files below `root` absolute, since the command runs in its own folder. A
 * word without "." and "/" is not a path.
 */
export function anchorNamedFiles(line: string, root: string): string {
  return locateFiles(line, root).reduceRight((anchored, { path, file, start, end }) => {
    if (path.startsWith('/') || !/[./]/.test(path)) return anchored;
    const quoted = file.replaceAll("'", "'\\''");
    return `${anchored.slice(0, start)}'${quoted}'${anchored.slice(end)}`;
  }, line);
}

/** Says that a file which an agent's spec names does not exist; null if it does. */
export function describeMissingFile(path: string, root: string): string | null {
  return path !== '' && isFile(resolve(root, path))
    ? null
    : `no such file, got ${quote(path)}. Write its path relative to the project's root.`;
}

/** Says that a command line begins with no command; null if it may run. */
export function describeMissingCommand(line: string, root: string): string | null {
  // With quotes, variables or assignments, only a call can tell.
  const [, word] = /^\s*([\w./+-]+)(?=\s|$)/.exec(line) ?? [];
  if (word === undefined) return null;
  const { status } = spawnSync('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', word], {
    cwd: root,
    stdio: 'ignore',
  });
  return status === 0
    ? null
    : `command not found: ${word}. Correct the command or install it, then run again.`;
}

/**
 * Of larger files (such as a model's weights) only size and time are hashed: reading them would
 * delay every start.
 */
const MAX_READ_BYTES = 64 * 1024 * 1024;

export function hashFile(file: string): string {
  const read = () => {
    const { size, mtimeMs } = statSync(file);
    return size > MAX_READ_BYTES
      ? `${size} bytes of ${mtimeMs}`
      : hash('sha256', readRegular(file));
  };
  return tryOrUndefined(read) ?? 'unreadable';
}

function importsOf(file: string): readonly string[] {
  const isScript = /\.[cm]?[jt]sx?$/.test(file);
  return isScript
    ? findLocalImports(file, tryOrUndefined(() => readRegular(file).toString('utf8')) ?? '')
    : [];
}

/** The start of `import type { A } from './a.ts'` or `export type * from './a.ts'`. */
const TYPE_IMPORT =
  /\b(?:import|export)\s+type\s+(?:\{[^{}'"]*\}|\*(?:\s+as\s+\w+)?|\w+)\s*from\b/g;

const IMPORT =
  /(?:\bfrom|\bimport|\b(?:import|require|URL)\s{0,20}\()\s{0,20}(?<quote>['"`])(?<path>(?:\.{1,2}\/|\/)[^'"`\n]{1,4096})\k<quote>/g;

/**
 * The files that bundlers and require() try for a path without an extension, or with the compiled
 * file's extension.
 */
function guesses(path: string): readonly string[] {
  const extensions = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'];
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return [
    source,
    ...extensions.flatMap((extension) => [path + extension, resolve(path, `index${extension}`)]),
  ];
}

/** The files that words of a command line name, and the places of these words. */
function locateFiles(line: string, root: string) {
  return [...line.matchAll(WORD)].flatMap(({ 0: word, index: start, groups = {} }) => {
    const path = groups['single'] ?? groups['double'] ?? groups['bare'] ?? '';
    const file = resolve(root, path);
    return path !== '' && isFile(file) ? [{ path, file, start, end: start + word.length }] : [];
  });
}

/**
 * A word of a POSIX command line, or the part after its "=". What else matches names no file: a
 * comment, a file that is written to, and text that only the shell can expand.
 */
const WORD =
  /(?<![^\s;&|()])#[^\n]*|>[>|&]*\s*\S+|(?<![^\s;&|()<=])(?:'(?<single>[^']*)'|"(?<double>[^"$`\\]*)"|(?<bare>[^\s;&|()<>'"\\$`*?[\]{}~!=]+))(?![^\s;&|()<>])|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;
