import { languages } from './index.ts';
import type { Language } from './language.ts';

type WordList = Exclude<keyof Language, 'spaced'>;

/** The source of a pattern for any of these words in any language; it captures nothing. */
export function anyOf(...lists: readonly WordList[]): string {
  const spaced = wordsOf(true, lists);
  const unspaced = wordsOf(false, lists);
  const parts = [
    ...(spaced.length === 0 ? [] : [`(?<![\\p{L}\\p{N}])(?:${spaced.join('|')})(?![\\p{L}\\p{N}])`]),
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
    .map((word) => word.replaceAll(' ?', '\\s{0,3}').replaceAll(' ', '\\s{1,3}'));
}
