import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { findSyntaxFault, type SyntaxFault } from '../processes/parse-script.ts';
import { isFile, readRegular } from '../records/record.ts';
import { cut, messageOf, showPath, tryOrUndefined } from '../text/show.ts';
import { readTransform } from '../vitest-worker.ts';
import { withImports } from './source-files.ts';

/** Where a file of the user cannot be parsed; without a line where only the file is known. */
type Fault = Readonly<{ file: string; why: string } & Partial<SyntaxFault>>;

/**
 * The error of an import as a SyntaxError with file, line and column, if `entry` or a file that it
 * imports cannot be parsed; any other error itself. Vite's own message is advice about JSX and
 * plugins, and Node's names no file.
 */
export function locateSyntaxError(thrown: unknown, entry: string): unknown {
  const fault = tryOrUndefined(() => (thrown instanceof Error ? findFault(thrown, entry) : null));
  if (!fault) return thrown;
  const { file, why, line, column } = fault;
  const at = line === undefined ? '' : `:${line}:${column}`;
  const isJsx = /^Unexpected (?:token '<'|JSX)/.test(why) && !file.endsWith('x');
  const said = `${cut(why, MOST).replace(/\.$/, '')}${isJsx ? JSX : ''}`;
  const error = new SyntaxError(`${said} at ${showPath(file)}${at}`);
  error.stack = `${error.name}: ${error.message}\n    at ${file}${at}`;
  return error;
}

const JSX = ' (JSX needs a file name that ends with .jsx or .tsx)';

/** A parser may list all that it expected. */
const MOST = 300;

function findFault(error: Error, entry: string): Fault | null {
  const transform = readTransform(error);
  const message = stripVTControlCharacters(error.message);
  if (transform === null)
    return error.name === 'SyntaxError' ? ofNode(error, entry) : ofBundle(message, entry);
  const named = toPath(transform.id, entry);
  if (/json$/.test(transform.plugin)) return ofJson(named, entry);
  if (named === null) return null;
  if (/^Failed to parse source for import analysis/.test(message)) return parse(named);
  for (const [pattern, first] of PLACED) {
    const { why, line, column } = pattern.exec(message)?.groups ?? {};
    if (why === undefined) continue;
    // The rest is parsed after the types are removed, which moves the lines.
    if (pattern === REST && isTypeScript(named)) return parse(named) ?? { file: named, why };
    return { file: named, why, line: Number(line), column: Number(column) + first };
  }
  return null;
}

const REST =
  /^Parse failure: (?:Parse failed with .*\n)?(?<why>.+)\n(?:.*\n){0,20}?At file: .+:(?<line>\d+):(?<column>\d+)/;

/** What Vite's parsers say, with what to add to their columns. */
const PLACED: readonly (readonly [pattern: RegExp, first: number])[] = [
  // Oxc, of Vite 8.
  [/\[PARSE_ERROR\] (?<why>.+)\n\s*╭─\[ .+:(?<line>\d+):(?<column>\d+) \]/, 0],
  // esbuild, of Vite 6 and 7.
  [/^.+:(?<line>\d+):(?<column>\d+): ERROR: (?<why>.+)$/m, 1],
  [REST, 1],
];

/** Vite names files from the root, or "/@fs/home/me/a.ts" where they are not in it. */
function toPath(id: unknown, entry: string): string | null {
  if (typeof id !== 'string') return null;
  const path = id.replace(/^\/@fs(?=\/)|[?#].*$/gs, '');
  const inRoot = entry.endsWith(path) ? entry : `.${path}`;
  return [path, inRoot].map((each) => resolve(each)).find(isFile) ?? null;
}

/** Parses a script again, as JavaScript or without its types. */
function parse(file: string): Fault | null {
  // Node knows no JSX.
  if (!/\.[cm]?[jt]s$/.test(file)) return null;
  const fault = findSyntaxFault(readRegular(file).toString('utf8'), isTypeScript(file));
  return fault === null ? null : { ...fault, file };
}

function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file);
}

/**
 * What Node cannot compile is named by the first line of the stack, or not at all. A SyntaxError that
 * code throws, as JSON.parse does, names no file there, and all files can be parsed.
 */
function ofNode({ message, stack = '' }: Error, entry: string): Fault | null {
  const named = /^(?<path>(?:file:\/\/)?\/.+):\d+\n/.exec(stack)?.groups?.['path'];
  const file = named?.startsWith('file:') ? fileURLToPath(named) : named;
  if (file !== undefined) return parse(file) ?? { file, why: message };
  const isThrown = stack.split('\n').some((line) => /^\s+at .*(?:file:\/\/|\(|at )\//.test(line));
  if (isThrown) return null;
  const scripts = withImports([entry]).filter((path) => !path.includes('node_modules'));
  return firstFault(scripts.slice(0, MOST_PARSED), parse);
}

/** Each takes 50 ms. */
const MOST_PARSED = 20;

/** A configuration, which Vite bundles with a line of its own. */
function ofBundle(message: string, entry: string): Fault | null {
  for (const pattern of BUNDLED) {
    const { path, why } = pattern.exec(message)?.groups ?? {};
    const file = toPath(path, entry);
    if (file !== null && why !== undefined) return parse(file) ?? { file, why };
  }
  return null;
}

const BUNDLED: readonly RegExp[] = [
  /^Build failed .*\n\s*\[PARSE_ERROR\] (?<why>.+)\n\s*╭─\[ (?<path>.+):\d+:\d+ \]/,
  /^Build failed .*\n(?<path>.+):\d+:\d+: ERROR: (?<why>.+)/,
];

/** Vite 8 names no file of JSON. Node's own parser says more of it. */
function ofJson(named: string | null, entry: string): Fault | null {
  const files = named === null ? withImports([entry]) : [named];
  return firstFault(
    files.filter((path) => path.endsWith('.json')),
    parseJson,
  );
}

function parseJson(file: string): Fault | null {
  try {
    JSON.parse(readRegular(file).toString('utf8'));
    return null;
  } catch (error) {
    const said = messageOf(error);
    const { why = said, line, column } = JSON_FAULT.exec(said)?.groups ?? {};
    return { file, why, ...(line !== undefined && { line: Number(line), column: Number(column) }) };
  }
}

const JSON_FAULT =
  /^(?<why>.+) in JSON at position \d+ \(line (?<line>\d+) column (?<column>\d+)\)$/;

function firstFault(
  files: readonly string[],
  parseFile: (file: string) => Fault | null,
): Fault | null {
  for (const file of files) {
    const fault = parseFile(file);
    if (fault !== null) return fault;
  }
  return null;
}
