import { readRegular } from '../data/files/read-file.ts';
import { findSyntaxFault } from '../processes/parse-script.ts';
import { showPath, tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { withImports } from './source-files.ts';

/**
 * The error of an import as a SyntaxError with file, line and column, if a parser refused `entry` or
 * a file that it imports, and Node's parser refuses it too; any other error itself. Vite's own
 * message is advice about JSX and plugins, and Node's names no file.
 */
export function locateSyntaxError(thrown: unknown, entry: string): unknown {
  const located = () => (thrown instanceof Error ? parseAgain(thrown, entry) : null);
  return tryOrUndefined(located) ?? thrown;
}

/** How Vite and its bundlers begin. Of JSON, Vite 8 says only where in the file. */
const OF_PARSER =
  /^(?:(?:Build|Transform) failed|Failed to parse|Parse failure)| at line \d+ column \d+$/;

function parseAgain({ name, message, stack }: Error, entry: string): SyntaxError | null {
  if (name !== 'SyntaxError' && !OF_PARSER.test(message)) return null;
  const files = withImports([entry]).filter((file) => !file.includes('node_modules'));
  // Others may not be imported yet, or have what Vite compiles and Node does not know.
  const named = files.filter((file) => `${message}\n${stack}`.includes(showPath(file)));
  for (const file of (named.length > 0 ? named : files).slice(0, MOST_PARSED)) {
    const fault = findFault(file, new TextDecoder().decode(readRegular(file)));
    if (fault !== null) return toSyntaxError(file, fault);
  }
  return null;
}

/** Each takes 50 ms. */
const MOST_PARSED = 20;

/** What the parser says, and the place unless it gives none. */
type Fault = Readonly<Record<'line' | 'column', string | number | undefined> & { why: string }>;

/** Null also for files that Node cannot parse, such as those with JSX. */
function findFault(file: string, source: string): Fault | null {
  if (file.endsWith('.json')) return findJsonFault(source);
  return /\.[cm]?[jt]s$/.test(file) ? findSyntaxFault(source, /ts$/.test(file)) : null;
}

function findJsonFault(source: string): Fault | null {
  try {
    JSON.parse(source);
    return null;
  } catch (error) {
    const [why = '', line, column] = messageOf(error).split(JSON_PLACE);
    return { why, line, column };
  }
}

const JSON_PLACE = / in JSON at position \d+ \(line (\d+) column (\d+)\)$/;

function toSyntaxError(file: string, { why, line, column }: Fault): SyntaxError {
  const at = line === undefined ? '' : `:${line}:${column}`;
  const hint = why === "Unexpected token '<'" ? ' (JSX needs a file name with .jsx or .tsx)' : '';
  const error = new SyntaxError(`${why}${hint} at ${showPath(file)}${at}`);
  error.stack = `${error.name}: ${error.message}\n    at ${file}${at}`;
  return error;
}
