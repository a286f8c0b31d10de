import { spawnSync } from 'node:child_process';

/** The place of a script that cannot be parsed, counted from 1, and what the parser says of it. */
type SyntaxFault = Readonly<{ line: number; column: number; why: string }>;

/**
 * Parses an ES module as Node does, in a process of its own, and runs nothing of it. Null if there
 * is no fault, and for TypeScript in a Node before 22.13, which cannot tell.
 */
export function findSyntaxFault(source: string, isTypeScript: boolean): SyntaxFault | null {
  const { stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--experimental-vm-modules', '--eval', PARSE, String(isTypeScript)],
    { input: source, encoding: 'utf8', env: {}, timeout: 10_000 },
  );
  const { line = '', shown = '', indent = '', caret, why } = FAULT.exec(stderr ?? '')?.groups ?? {};
  if (why === undefined) return null;
  const written = source.split('\n')[Number(line) - 1] ?? '';
  const tab = shown.includes('\t') ? 1 : TAB;
  const width = caret === '' ? Number.POSITIVE_INFINITY : indent.length;
  return { line: Number(line), column: toColumn(written, width, tab), why };
}

/** Only the error that ends a process is printed with its place. */
const PARSE = `
const { readFileSync } = require('node:fs');
const { stripTypeScriptTypes } = require('node:module');
const { SourceTextModule } = require('node:vm');
const source = readFileSync(0, 'utf8');
const code = process.argv[1] === 'true' ? stripTypeScriptTypes(source) : source;
new SourceTextModule(code, { identifier: 'script' });`;

/**
 * The place, the line, a caret below it unless the fault is its end, and the message. The parser of
 * TypeScript names no file.
 */
const FAULT =
  /^(?:script)?:(?<line>\d+)\n(?:.*\n){0,2}?(?<shown>.*)\n(?<indent>[ \t]*)(?<caret>\^*)\n[\s\S]{0,2000}?^SyntaxError(?: \[ERR_INVALID_TYPESCRIPT_SYNTAX\])?: (?<why>.+)/m;

/** The parser of TypeScript shows a tab as so many spaces. */
const TAB = 4;

/** The column at which a line is so wide. */
function toColumn(line: string, width: number, tab: number): number {
  let before = 0;
  for (let index = 0; index < line.length; index++) {
    if (before >= width) return index + 1;
    before += line[index] === '\t' ? tab : 1;
  }
  return line.length + 1;
}
