import { decimalDigit } from './python-digits.ts';
import { isPythonBlank } from './python-text.ts';

const ASCII = /^[\0-\x7f]*$/;
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Reads a text exactly as Python 3.11's `float(text)` does; null where Python raises ValueError. */
export function parsePythonFloat(text: string): number | null {
  const plain = toAscii(text);
  if (plain === null) return null;
  const trimmed = trimAscii(plain);
  const special = SPECIAL.exec(trimmed);
  if (special !== null) return toSpecial(special[1] === '-', special[2] ?? '');
  // An underscore counts between two digits only, so one that survives this makes the text unreadable.
  const digits = trimmed.replace(/(?<=\d)_(?=\d)/g, '');
  return DECIMAL.test(digits) ? Number(digits) : null;
}

function toAscii(text: string): string | null {
  if (ASCII.test(text)) return text;
  let ascii = '';
  for (const character of text) {
    const mapped = toAsciiCharacter(character);
    if (mapped === null) return null;
    ascii += mapped;
  }
  return ascii;
}

function toAsciiCharacter(character: string): string | null {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x7f) return character;
  const digit = decimalDigit(codePoint);
  if (digit !== null) return String(digit);
  return isPythonBlank(character) ? ' ' : null;
}

// U+001C to U+001F are blanks for Python's `\s`, but not for float(): they stay and make the text unreadable.
function trimAscii(text: string): string {
  let start = 0;
  let end = text.length;
  while (isFloatBlank(text.charCodeAt(start))) start += 1;
  while (isFloatBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isFloatBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function toSpecial(negative: boolean, word: string): number {
  if (word.toLowerCase() === 'nan') return Number.NaN;
  return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
