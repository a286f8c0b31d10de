import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Json, Note, NoteKind } from './sample.ts';

const MAX_SHOWN = 120;

/** A value as an error message shows it: as JSON, escaped, cut at 120 characters. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'function') return escapeControls(cut(String(value)));
  try {
    const kind = nameKind(value);
    const json = kind ?? JSON.stringify(value, showMember) ?? String(value);
    return escapeControls(cut(json.replaceAll(NUMBER, '$1')));
  } catch (error) {
    // JSON.stringify is recursive and JSON.parse is not: a deeply nested record can be read but not
    // shown.
    return error instanceof RangeError ? 'deeply nested' : 'a value that JSON cannot show';
  }
}

/** A number that JSON does not have, as `showMember` marks it. */
const NUMBER = /"\\u0001(NaN|-?Infinity|-?\d+n)"/g;

/** What JSON would leave out, refuse, or show as an empty object. */
function showMember(_name: string, value: unknown): unknown {
  if (typeof value === 'function') return '[function]';
  if (typeof value === 'bigint') return `\u0001${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `\u0001${value}`;
  const kind = nameKind(value);
  return kind === null ? value : `[${kind}]`;
}

/** "Promise", "1n": what JSON does not tell from an empty object, or refuses; null for others. */
function nameKind(value: unknown): string | null {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { name = 'Object' } = Object(Reflect.get(value, 'constructor'));
  const isPlain = name === 'Object' || 'toJSON' in value || Object.keys(value).length > 0;
  return isPlain ? null : String(name);
}

/** A value as text: a text as it is, anything else as JSON with `indent` spaces. */
export function toText(value: Json, indent = 0): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, indent);
}

/** As `toText`; null for null. */
export function toTextOrNull(value: Json, indent = 0): string | null {
  return value === null ? null : toText(value, indent);
}

/** The JSON type of a value. */
export function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** A text in double quotes on one line, cut at 120 characters. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(cut(text)));
}

/** A path as messages show it: relative to the working folder when inside it, else as given. */
export function showPath(path: string): string {
  const inside = pathWithin(process.cwd(), resolve(path));
  return escapeControls(inside === null ? path : inside || '.');
}

/**
 * The path of a file relative to a folder: "" for the folder itself, null for a path outside it.
 */
export function pathWithin(folder: string, path: string): string | null {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? null : inside;
}

/**
 * The start of a text, with a mark where it is cut. Half a key before the mark is still recognised
 * (secrets.ts).
 */
export function cut(text: string, maxLength = MAX_SHOWN): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * Makes outside text safe for one line of a terminal or a test title: it is cut and escaped, and it
 * contains no command to CI.
 */
export function escapeLine(text: string, maxLength = 200): string {
  return disarmCommands(escapeControls(cut(text, maxLength)));
}

/** Like `escapeLine`, but line breaks remain. */
export function escapeLines(text: string, maxLength = 2000): string {
  return disarmCommands(cut(text, maxLength).split('\n').map(escapeControls).join('\n'));
}

/**
 * Escapes all characters that control a terminal, hide text or end a line: `\n`, `\u001b`. Half of
 * a surrogate pair is escaped too. For outputs other than terminals. Does not cut.
 */
export function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => SHORT[character] ?? toEscape(character),
  );
}

/**
 * A value as JSON that is safe on a terminal and for programs that read lines. It parses to the
 * same value.
 */
export function escapeJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent) ?? 'null';
  // Most JSON is ASCII, and JSON itself escapes all its control characters but DEL. This test is
  // native code.
  if (Buffer.byteLength(json) === json.length && !json.includes('\u007f')) return json;
  return json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, toEscape);
}

/**
 * Adds a visible backslash to commands that CI would read in a printed text: `::name::` at the
 * start of a line, also after spaces and colours, and `##[name]` (GitHub) or `##vso[name]` (Azure)
 * anywhere.
 */
export function disarmCommands(text: string): string {
  // True for nearly all texts. This runs for each test's title and each cell of a table.
  if (!text.includes('::') && !text.includes('##')) return text;
  return text
    .replaceAll(AT_START, (start) => `${start}\\`)
    .replaceAll(/##(?=(?:vso)?\[)/gi, '##\\');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one.
const AT_START = /^(?:[^\S\n]|\u001B\[[0-9;]{0,20}m)*(?=::)/gm;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A JSON escape for each code unit. Only few different characters are escaped, so the escapes are
 * cached.
 */
function toEscape(character: string): string {
  const cached = escapes.get(character);
  if (cached !== undefined) return cached;
  const toUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = character.split('').map(toUnit).join('');
  escapes.set(character, escaped);
  return escaped;
}

const escapes = new Map<string, string>();

/**
 * A text of at most this many characters: its start and its end. An answer that ends in another
 * number must not look equal.
 */
export function cutMiddle(text: string, longest = 60): string {
  if (text.length <= longest) return text;
  const half = longest / 2;
  return `${text.slice(0, half - 1).toWellFormed()}…${text.slice(-half).toWellFormed()}`;
}

/**
 * Cuts a long text to about `maxLength` characters: its start and end, with a note on how much is
 * left out.
 */
export function cutLong(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.toWellFormed();
  const half = Math.floor(maxLength / 2);
  const left = text.slice(0, half).toWellFormed();
  const right = text.slice(-half).toWellFormed();
  return `${left}\n[... ${text.length - 2 * half} characters left out ...]\n${right}`;
}

/** A value of JSON with each of its texts cut so. */
export function cutTexts<T>(value: T, maxLength: number): T {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? cutLong(part, maxLength) : part,
  );
}

/** Whether `cutLong` has cut a text, also where it is in JSON. */
export function wasCut(text: string): boolean {
  return /\[\.\.\. \d+ characters left out \.\.\.\]/.test(text);
}

/** The escaped text in at most `maxBytes` of UTF-8. */
export function cutBytes(whole: string | null, maxBytes: number): string | null {
  if (whole === null) return null;
  if (whole.length <= maxBytes && /^[\w .,+-]*$/.test(whole)) return copy(whole);
  // The mark where it is cut takes three bytes.
  const text = escapeLines(whole, maxBytes - 3);
  const isShort = Buffer.byteLength(text) <= maxBytes;
  return copy(isShort ? text : escapeLines(whole, Math.floor(maxBytes / MOST_PER_CHARACTER)));
}

/** Bytes of an escaped character, such as \u001b. */
const MOST_PER_CHARACTER = 6;

/** A slice would keep the whole output in memory as long as its test exists. */
function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** "1 question", "30 questions", "1 call was", "3 calls were". */
export function plural(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** "1 of 40 results was", "3 of 40 results were". */
export function partOf(
  part: number,
  whole: number,
  noun: string,
  one: string,
  several: string,
): string {
  return `${part} of ${plural(whole, noun)} ${part === 1 ? one : several}`;
}

/** Texts in one line: the first ones and the number of the others. */
export function listUp(texts: readonly string[], most = 20): string {
  const shown = texts.slice(0, most).join(', ');
  return texts.length > most ? `${shown} and ${texts.length - most} more` : shown;
}

/**
 * Ids in one line: as many as fit into `mostCharacters`, at least one, then the number of the
 * others.
 */
export function listIds(ids: readonly string[], mostCharacters: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const id of ids) {
    length += id.length + 2;
    if (shown.length > 0 && length > mostCharacters) break;
    shown.push(id);
  }
  const more = ids.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A list with the text if a condition is true, else an empty list. For lists of sentences. */
export function lineIf(holds: boolean, text: string): readonly string[] {
  return holds ? [text] : [];
}

export function toNotes(kind: NoteKind, texts: readonly string[]): readonly Note[] {
  return texts.map((text) => ({ kind, text }));
}

/** The result of `look`; undefined if it throws. */
export function tryOrUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** The source of a regular expression for this text. Node 22 has no `RegExp.escape`. */
export function toLiteralPattern(text: string): string {
  return text.replaceAll(/[^\w\s]/g, '\\$&');
}
