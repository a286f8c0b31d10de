/** As many places as any honest output has; a text with more is read from its end, where the answer stands. */
const MOST = 150;

/** The last matches of a global pattern, in the order of the text: this bounds the work on hostile text. */
export function lastMatches(text: string, pattern: RegExp, most = MOST): readonly RegExpExecArray[] {
  return [...text.matchAll(pattern)].slice(-most);
}
