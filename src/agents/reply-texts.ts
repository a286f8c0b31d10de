import { field } from '../words/fields.ts';

/** A text of a reply: a string, also in {"value": "..."}; "" for none. Throws a TypeError for another form. */
export function toText(written: unknown): string {
  const text = field(written, 'value') ?? written ?? '';
  if (typeof text !== 'string') throw new TypeError('a text of another type');
  return text;
}

/** The text of a thought, for the trace alone: of another type as JSON. */
export function toThought(written: unknown): string {
  if ((written ?? null) === null) return '';
  return typeof written === 'string' ? written : JSON.stringify(written);
}

/** Two parts of which each may be a text of its own or a piece of one: no word runs into the next. */
export function glueParts(before: string, part: string): string {
  return /\S/.test(before.at(-1) ?? ' ') && /^[\p{L}\p{N}]/u.test(part)
    ? `${before}\n${part}`
    : before + part;
}

/**
 * Joins the texts of a reply, where null stands for what is between two texts: adjacent parts are
 * one text, others are lines. Null if there is none.
 */
export function joinTexts(
  parts: readonly (string | null)[],
  glue = (before: string, part: string) => before + part,
): string | null {
  const lines = [''];
  for (const part of parts) {
    if (part === null) lines.push('');
    else lines.push(glue(lines.pop() ?? '', part));
  }
  return lines.filter((line) => line !== '').join('\n') || null;
}
