import { isAbsolute, relative, resolve, sep } from 'node:path';

const MAX_SHOWN = 120;

/** A value as an error message shows it: quoted, control characters escaped, cut at 120 characters, its type named. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return `${toJson(value)} (${nameType(value)})`;
}

/** The kind of a JSON value in the words of JSON. */
export function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A text in double quotes, safe to print: no control, format or line separator character is left raw. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(cut(text)));
}

/**
 * Escapes what JSON leaves raw but a terminal obeys or hides: C1 controls, bidirectional marks, U+2028 and the like; and
 * halves of characters, which a parser may cut out of a text for its message.
 */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** The first 120 characters of a text, with a mark when there were more. */
export function cut(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function toJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  try {
    return escapeControls(cut(JSON.stringify(value) ?? String(value)));
  } catch {
    // JSON.stringify recurses where JSON.parse does not: a deeply nested record is read but cannot be shown.
    return 'deeply nested';
  }
}

/** A path as messages show it: relative to the working folder when inside it, else as given. */
export function showPath(path: string): string {
  const inside = relative(process.cwd(), resolve(path));
  const leaves = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return escapeControls(leaves ? path : inside || '.');
}
