/**
 * Text from a dataset or an agent, made safe for a line that is printed or a test title: as `writeOutControls` does, and
 * it can be no command to CI.
 */
export function toVisible(text: string, maxLength = 200): string {
  return disarmCommands(writeOutControls(text, maxLength));
}

/**
 * The same for a file that CI does not read commands from, or a part of what is disarmed as a whole: control, format and
 * line-break characters are written out as escapes, and long text is cut after `maxLength` characters.
 */
export function writeOutControls(text: string, maxLength = 200): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}...` : text;
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, writeOut);
}

/** The same for a text of several lines, which stay lines but no commands to CI; cut after 2,000 characters. */
export function toVisibleLines(text: string): string {
  const lines = text.slice(0, 2000).split('\n');
  return disarmCommands(lines.map((line) => writeOutControls(line, 2000)).join('\n'));
}

function writeOut(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A text in which the code points that `isEscaped` names stand as JSON escapes (`\u200b`), one for each code unit. */
function escapeUnits(text: string, isEscaped: (point: number) => boolean): string {
  const units = new Uint16Array(text.length * LONGEST);
  let length = 0;
  for (let at = 0, end = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    const write = isEscaped(point) ? writeEscape : writeUnit;
    for (end = point > 0xffff ? at + 2 : at + 1; at < end; at += 1) length = write(units, length, text.charCodeAt(at));
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

const LONGEST = String.raw`\u200b`.length;
const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Both return where the next one goes. */
function writeUnit(units: Uint16Array, at: number, unit: number): number {
  units[at] = unit;
  return at + 1;
}

function writeEscape(units: Uint16Array, at: number, unit: number): number {
  units[at] = BACKSLASH;
  units[at + 1] = LETTER_U;
  for (let digit = 0; digit < 4; digit += 1) units[at + 2 + digit] = DIGITS[(unit >> (12 - 4 * digit)) & 15] ?? 0;
  return at + LONGEST;
}

/**
 * A value as JSON that a terminal may show and that any reader of lines reads: what acts on a terminal, hides text or
 * ends a line for some programs (U+0085, U+2028) stands as JSON escapes. It parses to the same value.
 */
export function toVisibleJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent) ?? 'null';
  return isPlain(json) ? json : escapeActing(json);
}

/**
 * Whether all of it is ASCII, of whose control characters JSON itself escapes all but DEL; the line breaks of its
 * indentation stay. As many bytes as code units are ASCII. Native code: several times as fast as a pattern.
 */
function isPlain(json: string): boolean {
  return Buffer.byteLength(json) === json.length && !json.includes('\u007f');
}

const ACTING = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/u;

/** So many code units at a time: a function called for each of ten million characters would take seconds. */
const PORTION = 2048;

function escapeActing(json: string): string {
  const portions: string[] = [];
  for (let start = 0; start < json.length; ) {
    const end = splitsPair(json, start + PORTION) ? start + PORTION + 1 : start + PORTION;
    const portion = json.slice(start, end);
    portions.push(ACTING.test(portion) ? escapeUnits(portion, isActing) : portion);
    start = end;
  }
  return portions.join('');
}

/** JSON has no half of a pair. */
function splitsPair(json: string, at: number): boolean {
  const unit = json.charCodeAt(at - 1);
  return unit >= 0xd800 && unit < 0xdc00;
}

/** What is known of each code point; 0 while it has not been looked at. */
const KNOWN = new Uint8Array(0x11_0000);
const PLAIN = 1;
const ESCAPED = 2;

function isActing(point: number): boolean {
  if (KNOWN[point] === 0) KNOWN[point] = ACTING.test(String.fromCodePoint(point)) ? ESCAPED : PLAIN;
  return KNOWN[point] === ESCAPED;
}

/**
 * Breaks the commands that CI would read out of a printed text, by a backslash that shows: `::name::` at a line's start,
 * behind spaces and colours too, and `##[name]` (GitHub) or `##vso[name]` (Azure) anywhere.
 */
export function disarmCommands(text: string): string {
  // Nearly all texts: this runs for each test's title and each cell of a table.
  if (!text.includes('::') && !text.includes('##')) return text;
  return text.replaceAll(AT_START, (start) => `${start}\\`).replaceAll(/##(?=(?:vso)?\[)/gi, '##\\');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one.
const AT_START = /^(?:[^\S\n]|\u001B\[[0-9;]{0,20}m)*(?=::)/gm;

/** The beginning of a text, with a mark where it is cut: before it half a key is known as one (`hideInMessage`). */
export function cutEnd(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
}
