/**
 * Characters that do not show: zero-width spaces and joiners, soft hyphens, directions of text,
 * variation selectors, tags.
 */
export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

const AT_START = /^[\s\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]+/u;
/** A variation selector after a pictograph or a Han character is part of that character. */
const AT_END = new RegExp(
  [
    String.raw`(?<![\s\p{Default_Ignorable_Code_Point}\ufff9-\ufffb])(?!(?<=[\p{Extended_Pictographic}\p{Script=Han}])\p{VS})`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Script=Han}]\p{VS})`,
  ]
    .map((place) => String.raw`${place}[\s\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]+$`)
    .join('|'),
  'u',
);

/**
 * A text without spaces and characters that do not show at its two ends.
 *
 * @example
 * trimUnseen('\uFEFF 42\u200B\n'); // '42'
 */
export function trimUnseen(text: string): string {
  return text.replace(AT_START, '').replace(AT_END, '');
}
