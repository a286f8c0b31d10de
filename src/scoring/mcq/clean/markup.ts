import { textAfter } from '../text-near.ts';
import { applyEdits, type Edit, replaceTracked, type TrackedText } from './tracked-text.ts';

/** Private marks around what stood in `\boxed{}`; `foldCharacters` has removed them from the raw text. */
export const BOX_START = '\u{E000}';
export const BOX_END = '\u{E001}';

const ENTITIES = new Map([
  ['&nbsp;', ' '],
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
]);

const RULES: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/<\|[^|<>\n]{1,40}\|>|<\/?s>|<(?:eos|bos|eoa|eoe|end_of_turn|pad)>|\[\/?INST\]/gu, () => ' '],
  [/<br ?\/?>|<\/?(?:p|div|li|ul|ol|h[1-6])>/giu, () => '\n'],
  [/<\/?(?:b|i|u|em|strong|span|mark|code|center|font)(?: [^<>\n]{0,80})?>/gu, () => ''],
  [/&(?:nbsp|amp|lt|gt|quot|#39);/gu, (match) => ENTITIES.get(match[0]) ?? match[0]],
  [/(?:^[ \t]{0,8}(?:[-*+] )?|(?<= ))\[[ xX✓]?\](?= ?\S)/gmu, (match) => (/\[ ?\]/u.test(match[0]) ? '- ✗' : '- ✓')],
  [/~~[^~\n]{1,200}~~/gu, () => ''],
  [
    /\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:rm|bf|sf|it|tt)|operatorname|bf|rm|underline|mbox|boxed|fbox) ?\{([^{}\n]{0,200})\}/gu,
    (match) => match[1] ?? match[0],
  ],
  [/\\[()[\],;:! ]|\\q?quad(?![a-z])|\\displaystyle/gu, () => ' '],
  [/\\[_%$&#*{}"]/gu, (match) => match[0].slice(1)],
  [/\$(?!\d)|[*`]/gu, () => ''],
  [/(?<![\p{L}\p{N}_])_{1,3}(?=[\p{L}\p{N}(])|(?<=[\p{L}\p{N}).:])_{1,3}(?![\p{L}\p{N}_{])/gu, () => ''],
  [/^[ \t]{0,8}#{1,6}[ \t]/gmu, () => ''],
  [/^[ \t]{0,8}>[ \t]?/gmu, () => ''],
  [/(?:(?!\n)[\t-\r ]){2,}|(?!\n)[\t-\r]/gu, () => ' '],
  [/^ | $/gmu, () => ''],
];

/** Takes Markdown, LaTeX and HTML dress off the text; boxed content stays between two private marks. */
export function removeMarkup(source: TrackedText): TrackedText {
  return RULES.reduce((text, [pattern, by]) => replaceTracked(text, pattern, by), markBoxes(source));
}

function markBoxes(source: TrackedText): TrackedText {
  const edits: Edit[] = [];
  let last = 0;
  for (const box of source.text.matchAll(/\\(?:boxed|fbox|framebox) ?\{/gu)) {
    const inside = box.index + box[0].length;
    const end = closingBrace(source.text, inside);
    if (end === null || box.index < last) continue;
    last = end + 1;
    edits.push({ start: box.index, end: inside, text: BOX_START }, { start: end, end: last, text: BOX_END });
  }
  return applyEdits(source, edits);
}

/** Boxes hold an answer, so a box longer than 400 characters is not one. */
function closingBrace(text: string, from: number): number | null {
  let depth = 1;
  for (const brace of textAfter(text, from, 400).matchAll(/[{}]/gu)) {
    depth += brace[0] === '{' ? 1 : -1;
    if (depth === 0) return from + brace.index;
  }
  return null;
}
