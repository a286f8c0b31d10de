import { anyOf } from './words.ts';

/** Capitals that look like a Latin one, in Cyrillic and Greek, with the Latin one below each. */
const ALIKE = 'АВЕКМНОРСТХ' + 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const LATIN = 'ABEKMHOPCTX' + 'ABEZHIKMNOPTYX';
const LATIN_OF: ReadonlyMap<string, string> = new Map(
  [...ALIKE].map((letter, i) => [letter, LATIN.charAt(i)]),
);

const BEFORE = anyOf(
  '^|[\\n:=–—-]',
  '(?:ответ|вариант)[а-я]{0,2}|является|буква|απάντηση|επιλογή|είναι',
);
/** A capital alone in the place of an answer. "В" before a word is "in". */
const PLACE = new RegExp(
  `(?<=${BEFORE}\\s{0,3}[("'⟦]?)[${ALIKE}](?=[)"'⟧]?[.,;!]?\\s*(?:\\n|$)|[).] |[,;] )`,
  'giu',
);
const NOT_LATIN = /[\u0370-\u04ff]/u;
/** Alone, these letters show that an output has labels of its own alphabet. */
const OWN_ALPHABET = /(?<![\p{L}\p{N}])[БГДΓΔ](?![\p{L}\p{N}])/u;

/**
 * Gives labels the Latin letters of the question where a keyboard of another alphabet wrote ones that
 * look the same: "Ответ: В" with a Cyrillic letter names B. The text keeps its length.
 */
export function toLatinLabels(text: string, labels: readonly string[]): string {
  if (!NOT_LATIN.test(text) || OWN_ALPHABET.test(text)) return text;
  if (labels.some((label) => NOT_LATIN.test(label))) return text;
  return text.replace(PLACE, (letter) => LATIN_OF.get(letter) ?? letter);
}
