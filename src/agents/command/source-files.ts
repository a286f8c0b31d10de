import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { isFile } from '../fingerprint-imports.ts';
import { type ShellWord, splitShellWords } from './shell-words.ts';

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
  /** What is known of the shell's variables: these two, and what the line itself sets. */
  readonly #variables: Map<string, string>;

  constructor(root: string) {
    this.#folders = [root];
    this.#variables = new Map([
      ['HOME', homedir()],
      ['OLDPWD', root],
    ]);
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
