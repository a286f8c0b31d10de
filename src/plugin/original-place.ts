import { SourceMap } from 'node:module';
import { isFields } from '../words/fields.ts';
import { cut, tryOrUndefined } from '../words/show.ts';

/** Something in code, and the code there as it may be shown. */
export type Found = Readonly<{ at: number; what: string }>;

/**
 * Places in the code that Vite made as lines and code of the file that the user wrote, each once, as in
 * "31 import(name)".
 */
export function placeAll(found: readonly Found[], code: string, map: unknown): readonly string[] {
  if (found.length === 0) return [];
  const origins = tryOrUndefined(() => new SourceMap(Object(map)));
  const { sourcesContent } = isFields(map) ? map : {};
  const source: unknown = Array.isArray(sourcesContent) ? sourcesContent[0] : undefined;
  const lines = typeof source === 'string' ? source.split('\n') : null;
  const placed = found.map(({ at, what }) => {
    const before = code.slice(0, at).split('\n');
    const line = before.length - 1;
    const entry = origins?.findEntry(line, before.at(-1)?.length ?? 0);
    const isMapped = entry !== undefined && 'originalLine' in entry;
    if (!isMapped) return { line: findLine(lines, what) ?? line, what };
    const { originalLine, originalColumn } = entry;
    const text = lines?.slice(originalLine, originalLine + MOST_LINES).join('\n');
    return { line: originalLine, what: readExpression(text?.slice(originalColumn)) ?? what };
  });
  return [...new Set(placed.map(({ line, what }) => `${line + 1} ${what}`))];
}

const MOST_LINES = 20;

/** What Vite adds, such as exports, has no place: that of its name. */
function findLine(lines: readonly string[] | null, what: string): number | null {
  const name = what.split('.').at(-1);
  const line = lines?.findIndex((each) => each.split(/\W+/).includes(name ?? '')) ?? -1;
  return line < 0 ? null : line;
}

/** The expression that a text begins with: a name with its fields, and arguments. */
function readExpression(text: string | undefined): string | null {
  const start = /^(?:\.\.\.)?(?:new\s+|await\s+)?[\w$.?!]+/.exec(text ?? '')?.[0];
  if (text === undefined || start === undefined) return null;
  let end = start.length;
  while (/^\s*(?:\?\.)?[([`]/.test(text.slice(end))) {
    const next = endOfGroup(text, end);
    if (next === null) return null;
    end = next;
  }
  return cut(text.slice(0, end).replaceAll(/\s+/g, ' '), 60);
}

/** Behind `(...)`, `[...]` or a template; null without an end. */
function endOfGroup(text: string, from: number): number | null {
  let depth = 0;
  TOKEN.lastIndex = from;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [what] = token;
    if (/^[([{]$/.test(what)) depth += 1;
    else if (/^[)\]}]$/.test(what)) depth -= 1;
    if (depth <= 0) return TOKEN.lastIndex;
  }
  return null;
}

const TOKEN = /[()[\]{}]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;
