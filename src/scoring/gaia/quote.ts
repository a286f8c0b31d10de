const MAX_LENGTH = 80;

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text in double quotes for a one-line message: control characters escaped, cut after 80 code points. */
export function quote(text: string): string {
  const escaped = cut(text).replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
  return `"${escaped.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)}"`;
}

function cut(text: string): string {
  // Two UTF-16 units per code point at most, so the head is all that has to be split.
  const head = [...text.slice(0, 2 * (MAX_LENGTH + 1))];
  return head.length > MAX_LENGTH ? `${head.slice(0, MAX_LENGTH).join('')}…` : text;
}
