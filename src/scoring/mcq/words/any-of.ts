import { languages } from './index.ts';
import type { Language } from './language.ts';

type WordList = Exclude<keyof Language, 'spaced'>;

/**
 * The letters of the spaced languages, in place of `\p{L}`, which takes far longer to compile. A word may stand directly
 * beside Chinese, Japanese or Korean.
 */
const LETTER =
  'A-Za-z\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02af\\u0370-\\u037d\\u037f-\\u0386\\u0388-\\u0481\\u048a-\\u0556\\u0561-\\u0587\\u05d0-\\u05ea\\u0620-\\u065f\\u066e-\\u06d3\\u0900-\\u0963\\u0971-\\u09e3\\u0a00-\\u10ff\\u1200-\\u1fff';
const IN_WORD = `[${LETTER}0-9]`;

/** Cleaned text has one space, or one line break, between two words. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  [' ?', '[ \\n]?'],
  [' ', '[ \\n]'],
  ['\\p{L}', `[${LETTER}]`],
]);

/** The source of a pattern for any of these words in any language; it captures nothing. */
export function anyOf(...lists: readonly WordList[]): string {
  const spaced = wordsOf(true, lists);
  const unspaced = wordsOf(false, lists);
  const parts = [
    ...(spaced.length === 0 ? [] : [`(?<!${IN_WORD})(?:${spaced.join('|')})(?!${IN_WORD})`]),
    ...(unspaced.length === 0 ? [] : [`(?:${unspaced.join('|')})`]),
  ];
  return `(?:${parts.join('|')})`;
}

function wordsOf(spaced: boolean, lists: readonly WordList[]): readonly string[] {
  const words = languages
    .filter((language) => language.spaced === spaced)
    .flatMap((each) => lists.flatMap((list) => each[list]));
  // Longest first: "is" must not hide "is not", nor "选" "选择".
  return [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/ \??|\\p\{L\}/gu, (found) => SOURCES.get(found) ?? found));
}
