const MAX_LENGTH = 80;

// JSON escapes C0 and lone surrogates; these would still act on a terminal or be invisible in a message.
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A text in double quotes for a one-line message: control characters escaped, cut after 80 code points. */
export function quote(text: string): string {
  return JSON.stringify(cut(text)).replace(UNSEEN, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function cut(text: string): string {
  // Two UTF-16 units per code point at most, so the head is all that has to be split.
  const head = [...text.slice(0, 2 * (MAX_LENGTH + 1))];
  return head.length > MAX_LENGTH ? `${head.slice(0, MAX_LENGTH).join('')}…` : text;
}
