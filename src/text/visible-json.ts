/**
 * A value as JSON that a terminal may show and that any reader of lines reads: what acts on a terminal, hides text or
 * ends a line for some programs (U+0085, U+2028) stands as JSON escapes. It parses to the same value.
 */
export function toVisibleJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  // JSON itself escapes the control characters of ASCII; the line breaks of its indentation stay.
  return BEYOND_ASCII.test(json) ? json.replace(ACTING, toEscapes) : json;
}

const BEYOND_ASCII = /[^\n -~]/;
const ACTING = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

function toEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
