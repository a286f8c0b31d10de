import { replaceEach, type Trail } from './edits.ts';

const BLOCK = /<(?:br|hr|\/?(?:p|div|h[1-6]|li|ul|ol|center|section))\b/i;
const TAG = String.raw`<\/?(?:p|div|h[1-6]|li|ul|ol|center|section|strong|b|em|i|u|mark|span|font|big)(?: [^<>\n]{0,80})?>|<[bh]r ?\/?>`;
const LABEL = `(?:(?:the|my) )?(?:final )?answer`;
/** `<p><strong>Final Answer` */
const TAGS_BEFORE = new RegExp(
  String.raw`(?:(?:${TAG})\s{0,3}){1,6}(?=${LABEL}(?![\p{L}>]))`,
  'giu',
);
/** `Final Answer:</strong> `, `FINAL ANSWER<br>`; a tag right behind a blank may be the answer. */
const TAGS_BEHIND = new RegExp(
  String.raw`(?<=answer ?[:：]?)(?:<\/(?:p|div|h[1-6]|strong|b|em|i|u|mark|span|font|big)>|<br ?\/?>(?=\n|[^\s<]))(?:\s{0,3}(?:${TAG})){0,5}`,
  'giu',
);
/** `[FINAL ANSWER] 42`, `【答案】42` at the start of a line. */
const BRACKETED_LABEL =
  /(?<=(?:^|[\n\r])[ \t>#*_-]{0,12})(?:\[(final[ _-]?answer|最终答案)\]|【(最终答案|最終答案|最終回答|final answer)】|【(?:答案|答え|回答|正解|answer)】)(?:[*_]{0,3}\s?[:：]|(?=[*_]{0,3}\s{0,3}[^\s*_[【]))/giu;

/**
 * The text with plain labels of answers in place of those with tags of HTML around them, or in
 * brackets. Tags elsewhere stay: they may be part of an answer.
 */
export function withPlainLabels(text: string, trail?: Trail): string {
  const lineFor = ([tags]: RegExpExecArray) => (BLOCK.test(tags) ? '\n' : '');
  const bare = /<[a-z/]/i.test(text)
    ? replaceEach(replaceEach(text, TAGS_BEFORE, lineFor, trail), TAGS_BEHIND, lineFor, trail)
    : text;
  if (!/[[【]/.test(bare) || /\[\/final/i.test(bare)) return bare;
  return replaceEach(
    bare,
    BRACKETED_LABEL,
    ([, ascii, other]) => ((ascii ?? other) === undefined ? 'Answer:' : 'FINAL ANSWER:'),
    trail,
  );
}
