import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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
export function isScript(file: string): boolean {
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
