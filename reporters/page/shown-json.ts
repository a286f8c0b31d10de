/**
 * A value as JSON whose texts can be shown as they are: characters that steer a terminal or hide text
 * stand as visible escapes (`\u202e`), line breaks and tabs stay. Unlike `escapeJson`, it parses to
 * the texts that a page shows.
 */
export function toShownJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null';
  // Nearly all texts need nothing, and most are ASCII. These tests are native code.
  const isPlain = Buffer.byteLength(json) === json.length && !json.includes('\u007f');
  const shown = isPlain || !UNSEEN.test(json) ? json : json.replace(EACH_UNSEEN, toVisible);
  return ESCAPED.test(shown) ? shown.replace(EACH_ESCAPED, showEscape) : shown;
}

/** A text as `toShownJson` has it. */
export function toShown(text: string): string {
  return JSON.parse(toShownJson(text));
}

const UNSEEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/u;
const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');

/** Escapes that JSON needs itself: of control characters, and of half a surrogate pair. */
const ESCAPED = /\\[ubfr]/;

/** All escapes, so that "\\u001b" is read as a backslash and letters. */
const EACH_ESCAPED = /\\r\\n|\\(?:u[0-9a-f]{4}|.)/g;

function showEscape(written: string): string {
  if (written === '\\r\\n') return '\\n';
  return ESCAPED.test(written) ? `\\${written}` : written;
}

function toVisible(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\\\u${unit}`).join('');
}
