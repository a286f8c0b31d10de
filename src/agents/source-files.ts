import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import type { AgentSpec } from './agent-spec.ts';
import { isFile, withImports } from './fingerprint.ts';

/** What a command line names: files that are there, and words that only the shell can work out. */
export type Sources = { readonly files: readonly string[]; readonly unread: readonly string[] };

/**
 * The files whose edit makes another agent of a command line. Relative paths start at `root` or where a `cd` goes. A
 * file too many asks a question again at worst, one too few answers for an edited agent: so words in quotes are looked
 * through as lines of their own, for what `sh -c "..."` runs.
 */
export function findSourceFiles(line: string, root: string): Sources {
  const reader = new LineReader(root);
  reader.read(line);
  return { files: [...reader.files], unread: [...reader.unread] };
}

/** Lines in lines below this are not looked at. */
const MAX_DEPTH = 3;

class LineReader {
  readonly files = new Set<string>();
  readonly unread = new Set<string>();
  readonly #folders: string[];
  /** What is known of the shell's variables: this one, and what the line itself sets. */
  readonly #variables = new Map([['HOME', homedir()]]);

  constructor(root: string) {
    this.#folders = [root];
  }

  /** `isCode` says that a shell runs the line, and no other program that uses "$" for something else. */
  read(line: string, depth = 0, isCode = true): void {
    let [seesShell, isFolder] = [false, false];
    for (const word of splitShellWords(line)) {
      const raw = line.slice(word.start, word.end);
      const text = word.value ?? this.#expand(raw);
      const inner = text ?? raw.replaceAll('"', '');
      const isLine = /\s/.test(inner);
      if (isLine && depth < MAX_DEPTH) this.read(inner, depth + 1, isCode && seesShell);
      seesShell ||= /(?:^|\/)(?:ba|da|k|z)?sh$/.test(inner);
      if (text === null) {
        if (isCode && !(isLine && seesShell) && IS_COMPUTED.test(raw)) this.unread.add(raw);
        continue;
      }
      if (!word.isTarget) this.#find(text, word);
      if (isFolder && !text.startsWith('-')) this.#folders.push(resolve(this.#folders.at(-1) ?? '', text));
      isFolder = (word.isCommand && text === 'cd') || (isFolder && text.startsWith('-'));
    }
  }

  /** The part behind "=" may be a path too, and the value of a variable. */
  #find(text: string, { isCommand, value }: ShellWord): void {
    const [, name, behind = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (isCommand && name !== undefined) this.#variables.set(name, behind);
    for (const path of [text, behind].filter((path) => path !== '')) {
      const places = this.#folders.map((folder) => resolve(folder, path));
      const found = value === null ? places.flatMap(matchFiles) : places;
      for (const file of found.filter(isFile)) this.files.add(file);
    }
  }

  /** A word with its quotes taken away and its variables put in; null when not all of them are known. */
  #expand(raw: string): string | null {
    if (/`|\$\(/.test(raw) || raw.endsWith('$')) return null;
    const bare = raw.replace(/^((?:\w+=)?)~(?=\/|$)/, (_, before) => `${before}${homedir()}`);
    const put = bare.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (use, braced, plain) => {
      return this.#variables.get(braced ?? plain) ?? use;
    });
    return put.includes('$') ? null : put.replaceAll(/["'\\]/g, '');
  }
}

/** A name the shell knows, or the output of a command; `$1` and the like are no paths. */
const IS_COMPUTED = /\$\{?[A-Za-z_]|`|\$\(|\$$/;

/** The files that the pattern in a path's last part matches; the path itself when that is none. */
function matchFiles(path: string): readonly string[] {
  const pattern = basename(path);
  if (!/[*?[]/.test(pattern)) return [path];
  try {
    const names = toRegExp(pattern);
    const found = readdirSync(dirname(path)).filter((name) => names.test(name));
    return found.toSorted().map((name) => resolve(dirname(path), name));
  } catch {
    return [];
  }
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('[!', '[^')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`);
}

/**
 * Makes the relative paths on a command line absolute where they name a file below `root`, since the command runs in a
 * folder of its own. What has neither "." nor "/" is taken for a plain word, and a command without "/" for one of PATH.
 */
export function anchorNamedFiles(line: string, root: string): string {
  let anchored = '';
  let done = 0;
  for (const word of splitShellWords(line)) {
    const located = locate(word, root);
    if (located === null || !isRelativePath(located.path, word)) continue;
    anchored += line.slice(done, word.start) + quotePrefix(located.prefix) + quoteForShell(located.file);
    done = word.end;
  }
  return anchored + line.slice(done);
}

function isRelativePath(path: string, { isCommand }: ShellWord): boolean {
  return !path.startsWith('/') && (path.includes('/') || (!isCommand && path.includes('.')));
}

type Located = {
  /** "--config=" of `--config=agent.json`, else empty. */
  readonly prefix: string;
  readonly path: string;
  readonly file: string;
};

/** The file that a word, or the part of it behind "=", names and that is not written to. */
function locate({ value, isTarget }: ShellWord, root: string): Located | null {
  if (value === null || isTarget) return null;
  const behind = value.indexOf('=') + 1;
  const readings = [
    { prefix: '', path: value },
    { prefix: value.slice(0, behind), path: value.slice(behind) },
  ];
  const located = readings.map((reading) => ({ ...reading, file: resolve(root, reading.path) }));
  return located.find(({ path, file }) => path !== '' && isFile(file)) ?? null;
}

/** In quotes, `NAME=` would no longer set a variable. */
function quotePrefix(prefix: string): string {
  return /^[\w-]*=?$/.test(prefix) ? prefix : quoteForShell(prefix);
}

/** A word of a shell command line and where it stands. */
export type ShellWord = {
  /** What the shell makes of it; null when that depends on variables, patterns or commands. */
  readonly value: string | null;
  readonly start: number;
  readonly end: number;
  /** Whether the shell looks it up as a command: the first word, or the first behind an operator. */
  readonly isCommand: boolean;
  /** Whether the shell writes to it, as in `> file`. */
  readonly isTarget: boolean;
};

/** Finds the words of a POSIX shell command line. It only looks: what it does not understand has no value. */
export function splitShellWords(line: string): readonly ShellWord[] {
  const words: ShellWord[] = [];
  let [isCommand, isTarget] = [true, false];
  for (const { 0: token, index: start, groups = {} } of line.matchAll(TOKEN)) {
    if (groups['word'] === undefined) {
      isTarget = token.startsWith('>');
      isCommand ||= !/^[<>]/.test(token);
      continue;
    }
    const value = toValue(token);
    words.push({ value, start, end: start + token.length, isCommand, isTarget });
    // "NAME=value command": the command is still to come.
    isCommand &&= isTarget || (value !== null && /^\w+=/.test(value));
    isTarget = false;
  }
  return words;
}

/** A comment to its line's end, an operator, or a word of quoted and bare pieces; spaces match nothing. */
const TOKEN =
  /(?<![^\s;&|()])#[^\n]*|\n|[;&|()]+|[<>]+[&|-]?|(?<word>(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s;&|()<>'"\\])+)/g;

function toValue(token: string): string | null {
  let value = '';
  for (const [piece] of token.matchAll(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^'"\\]+/g)) {
    const text = toText(piece);
    if (text === null) return null;
    value += text;
  }
  return value;
}

function toText(piece: string): string | null {
  if (piece.startsWith("'")) return piece.slice(1, -1);
  if (piece.startsWith('\\')) return piece.slice(1);
  if (piece.startsWith('"')) return /[$`\\]/.test(piece) ? null : piece.slice(1, -1);
  return /[$`*?[\]{}~!]/.test(piece) ? null : piece;
}

/** A text as one shell word. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The files on disk that an agent's answers come from, as absolute paths: an edit of one makes it another agent. */
export function listAgentFiles({ kind, target }: AgentSpec, root: string): readonly string[] {
  if (target === '') return [];
  if (kind === 'replay') return [resolve(root, target)];
  if (kind === 'module') return withImports([resolve(root, target)]);
  return kind === 'command' ? withImports(findSourceFiles(target, root).files) : [];
}
