import { escapeUnits } from './escape-units.ts';

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
