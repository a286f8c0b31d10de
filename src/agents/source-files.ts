import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isFile, readRegular } from '../records/record.ts';
import { quote, tryOrUndefined } from '../text/show.ts';

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
  return [...new Set(splitShellWords(line).flatMap((word) => locate(word, root)?.file ?? []))];
}

/**
 * Makes relative paths of files below `root` absolute, since the command runs in its own folder. A
 * word without "." and "/" is not a path, and a command without "/" is searched in PATH.
 */
export function anchorNamedFiles(line: string, root: string): string {
  let anchored = '';
  let done = 0;
  for (const word of splitShellWords(line)) {
    const located = locate(word, root);
    if (located === null) continue;
    const { prefix, path, file } = located;
    const isPath = path.includes('/') || (path.includes('.') && !word.isCommand);
    if (path.startsWith('/') || !isPath) continue;
    anchored += `${line.slice(done, word.start)}${prefix}'${file.replaceAll("'", "'\\''")}'`;
    done = word.end;
  }
  return anchored + line.slice(done);
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

/** Says that a file which an agent's spec names does not exist. */
export function describeMissingFile(path: string): string {
  return `no such file, got ${quote(path)}. Write its path relative to the project's root.`;
}

/**
 * Of larger files (such as a model's weights) only size and time are hashed: reading them would
 * delay every start.
 */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** A hash of a file's content. */
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

type Located = Readonly<{
  /** "--config=" of `--config=agent.json`, else empty. */
  prefix: string;
  path: string;
  file: string;
}>;

/**
 * The file that a word names, or the part after its "="; null without one, or if the line writes to
 * it.
 */
function locate({ value, isTarget }: ShellWord, root: string): Located | null {
  if (value === null || isTarget) return null;
  const [prefix = ''] = /^[\w-]+=/.exec(value) ?? [];
  const located = ['', prefix].map((before) => {
    const path = value.slice(before.length);
    return { prefix: before, path, file: resolve(root, path) };
  });
  return located.find(({ path, file }) => path !== '' && isFile(file)) ?? null;
}

type ShellWord = Readonly<{
  /** The word without quotes; null if it depends on variables, patterns or commands. */
  value: string | null;
  start: number;
  end: number;
  /** Whether it is the first word of the line or after an operator. */
  isCommand: boolean;
  /** Whether the shell writes to this file, as in `> file`. */
  isTarget: boolean;
}>;

/** The words of a POSIX shell command line. */
function splitShellWords(line: string): readonly ShellWord[] {
  const words: ShellWord[] = [];
  let isCommand = true;
  let isTarget = false;
  for (const { 0: token, index: start, groups = {} } of line.matchAll(TOKEN)) {
    if (groups['word'] === undefined) {
      isTarget = token.startsWith('>');
      isCommand ||= !/^[<>]/.test(token);
      continue;
    }
    const value = toValue(token);
    words.push({ value, start, end: start + token.length, isCommand, isTarget });
    // "NAME=value command"
    isCommand &&= isTarget || (value !== null && /^\w+=/.test(value));
    isTarget = false;
  }
  return words;
}

/**
 * A comment up to the end of the line, an operator, or a word of quoted and bare pieces. Spaces do
 * not match.
 */
const TOKEN =
  /(?<![^\s;&|()])#[^\n]*|\n|[;&|()]+|[<>]+[&|-]?|(?<word>(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s;&|()<>'"\\])+)/g;

function toValue(token: string): string | null {
  const found = token.match(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^'"\\]+/g) ?? [];
  const pieces = found.map(toText);
  return pieces.every((piece) => piece !== null) ? pieces.join('') : null;
}

function toText(piece: string): string | null {
  if (piece.startsWith("'")) return piece.slice(1, -1);
  if (piece.startsWith('\\')) return piece.slice(1);
  if (piece.startsWith('"')) return /[$`\\]/.test(piece) ? null : piece.slice(1, -1);
  return /[$`*?[\]{}~!]/.test(piece) ? null : piece;
}
