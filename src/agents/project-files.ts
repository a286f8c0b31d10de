import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isFile, isFolder } from '../data/files/read-file.ts';
import { tryOrUndefined } from '../words/show.ts';

/** A text in pieces; null is what only a run knows. */
export type Text = readonly (string | null)[];

export const UNKNOWN: Text = [null];

/** A folder with more files is not followed. */
const MOST_FILES = 200;

/** The files of a folder, those of the folders in it too, or any, also with hidden names. */
export type Reach = 'files' | 'below' | 'any';

const NO_SOURCE = /^(?:node_modules|\.git|\.DS_Store)$/;

/** The names in folders, as far as they have been looked at, in small letters. */
export type Folders = Map<string, ReadonlySet<string>>;

/** The files that paths in the code of a file name: from the root, where processes run, or from the file. */
export class ProjectFiles {
  readonly #root: string;
  readonly #folder: string;
  readonly #folders: Folders;

  constructor(root: string, file: string, folders: Folders = new Map()) {
    this.#root = root;
    this.#folder = dirname(file);
    this.#folders = folders;
  }

  resolve(path: string): readonly string[] {
    const paths = [path, toPlainPath(path)].flatMap((each) => [
      resolve(this.#root, each),
      resolve(this.#folder, each),
    ]);
    return [...new Set(paths)];
  }

  /** Where a process writes that runs at the root. */
  resolveFromRoot(path: string): readonly string[] {
    return [path, toPlainPath(path)].map((each) => resolve(this.#root, each));
  }

  find(path: string): readonly string[] {
    return this.#mayBe(path) ? this.resolve(path).filter(isFile) : [];
  }

  /** Whether a path is that of a folder in the project. */
  isFolder(path: string): boolean {
    if (path === '' || !this.#mayBe(path)) return false;
    return this.resolve(path).some((each) => !this.isAround(each) && isFolder(each));
  }

  /** Most texts are no paths: a look at the names in both folders costs less than at each path. */
  #mayBe(path: string): boolean {
    const [, first = ''] = /^(?:\.\/)*([^/?#]+)/.exec(path) ?? [];
    if (first === '' || first === '..' || path.startsWith('file:')) return true;
    return [this.#root, this.#folder].some((folder) =>
      this.#namesIn(folder).has(first.toLowerCase()),
    );
  }

  #namesIn(folder: string): ReadonlySet<string> {
    const earlier = this.#folders.get(folder);
    if (earlier !== undefined) return earlier;
    const names = tryOrUndefined(() => readdirSync(folder)) ?? [];
    const found = new Set(names.map((name) => name.toLowerCase()));
    this.#folders.set(folder, found);
    return found;
  }

  /** The files in a folder; null for one of too many. */
  list(path: string, reach: Reach): readonly string[] | null {
    const folder = this.resolve(path).find((each) => isFolder(each));
    return folder === undefined ? this.find(path) : this.#listFolder(folder, reach);
  }

  /** The files whose paths begin and end as a text does; null where these may be any. */
  match(text: Text, reach: Reach): readonly string[] | null {
    const [, inside = '', start = ''] = /^(.*\/)?(.*)$/s.exec(startOf(text)) ?? [];
    const folders = inside === '' ? [] : this.resolve(inside).filter((path) => isFolder(path));
    const found: string[] = [];
    for (const folder of folders) {
      const files = this.#listFolder(folder, reach);
      if (files === null) return null;
      const begin = join(folder, start);
      found.push(...files.filter((path) => path.startsWith(begin) && path.endsWith(endOf(text))));
    }
    // A pattern may find nothing, but code has some name in mind.
    return folders.length === 0 || (found.length === 0 && reach === 'any') ? null : found;
  }

  /** Whether a folder has the whole project in it. */
  isAround(folder: string): boolean {
    return join(this.#root, '/').startsWith(join(folder, '/'));
  }

  #listFolder(root: string, reach: Reach): readonly string[] | null {
    if (this.isAround(root)) return null;
    const found: string[] = [];
    const folders = [root];
    for (const folder of folders) {
      const entries = tryOrUndefined(() => readdirSync(folder, { withFileTypes: true }));
      if (entries === undefined) return null;
      for (const { name } of entries) {
        if (NO_SOURCE.test(name) || (reach !== 'any' && name.startsWith('.'))) continue;
        const path = join(folder, name);
        if (isFile(path)) found.push(path);
        else if (reach !== 'files' && isFolder(path)) folders.push(path);
        if (Math.max(found.length, folders.length) > MOST_FILES) return null;
      }
    }
    return found;
  }
}

/** The path of a URL. */
function toPlainPath(path: string): string {
  return path.replace(/^file:(?:\/\/)?/, '').replace(/[?#].*$/s, '');
}

export function isKnown(text: Text): text is readonly string[] {
  return !text.includes(null);
}

/** What stands before the first unknown piece, and behind the last. */
export function startOf(text: Text): string {
  const first = text.indexOf(null);
  return text.slice(0, first < 0 ? text.length : first).join('');
}

export function endOf(text: Text): string {
  return text.slice(text.lastIndexOf(null) + 1).join('');
}

/** "prompts/*.md" is known before and behind its wildcards. */
export function withoutWildcards(text: string | null): Text {
  const [, start = '', end] = /^([^*?[{]*)(?:.*[*?\]}])?(.*)$/s.exec(text ?? '') ?? [];
  if (text === null) return UNKNOWN;
  return start === text ? [text] : [start, null, end ?? ''];
}
