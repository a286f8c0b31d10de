import { spawnSync } from 'node:child_process';
import { extname, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { showPath } from '../text/show.ts';
import { withImports } from './source-files.ts';

/**
 * Where a module that could not be imported, or a file that it imports, is no JavaScript or TypeScript:
 * "agent.ts:2:14: Unexpected token". Null when the import failed for another reason.
 */
export function findSyntaxError(file: string, thrown: Error): string | null {
  const said = stripVTControlCharacters(`${thrown.stack ?? ''}\n${thrown.message}`);
  if (!/pars|syntax/i.test(said)) return null;
  const vite = readVite(said);
  if (vite !== null && IS_TYPESCRIPT.test(vite)) return vite;
  return checkScripts(file) ?? vite ?? readNode(said);
}

const IS_TYPESCRIPT = /^\S+\.[cm]?tsx?:/;

/** What Vite says of TypeScript, in a frame of lines. */
function readVite(said: string): string | null {
  const [, what = 'syntax error'] = /\[PARSE_ERROR\] (.+)/.exec(said) ?? [];
  const [, path, line, column] = /\[ (\S[^[\]\n]*):(\d+):(\d+) \]/.exec(said) ?? [];
  return path === undefined ? null : `${showPath(resolve(path))}:${line}:${column}: ${what}`;
}

/** What Node says: the line and, except at the end of a file, marks below the place. */
function readNode(said: string): string | null {
  const [, path, line] = /^(\/.+):(\d+)\n/.exec(said) ?? [];
  const [, before = ''] = /^( *)\^+$/m.exec(said) ?? [];
  const [, what] = /^SyntaxError[^:]*: (.+)$/m.exec(said) ?? [];
  if (path === undefined || what === undefined) return null;
  return `${showPath(resolve(path))}:${line}:${before.length + 1}: ${what}`;
}

const SCRIPTS: readonly string[] = ['.js', '.mjs', '.cjs'];

/** Vite runs JavaScript with lines of its own before it, and names a wrong place; Node alone names the right one. */
function checkScripts(file: string): string | null {
  for (const script of withImports([file]).filter((path) => SCRIPTS.includes(extname(path)))) {
    const { stderr } = spawnSync(process.execPath, ['--check', script], { env: {}, encoding: 'utf8' });
    const found = readNode(stderr);
    if (found !== null) return found;
  }
  return null;
}
