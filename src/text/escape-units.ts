/** A text in which the code points that `isEscaped` names stand as JSON escapes (`\u200b`), one for each code unit. */
export function escapeUnits(text: string, isEscaped: (point: number) => boolean): string {
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
