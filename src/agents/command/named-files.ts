import { resolve } from 'node:path';
import { isFile } from '../fingerprint-imports.ts';
import { quoteForShell, type ShellWord, splitShellWords } from './shell-words.ts';

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
