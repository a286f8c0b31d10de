/**
 * Characters that do not show: zero-width spaces and joiners, soft hyphens, directions of text,
 * variation selectors, tags.
 */
export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/**
 * Those that change no text inside of it. Joiners stay in words of scripts that need them and in
 * pictographs, and so do the selectors and tags that choose a pictograph.
 */
export const UNSEEN_INSIDE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|(?<![^\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f])/g;

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
