import { parsePythonFloat } from '../python-float.ts';

/** The most letters of a text that reads as a number: "infinity". */
const LETTERS_OF_A_NUMBER = 8;

/**
 * False when an answer holds so many letters that no rule of equality (official, exact) can find it equal to the truth;
 * reads no more of it than that takes. Whole outputs are mostly told apart by this alone.
 */
export function canEqual(answer: string, truth: string): boolean {
  const parts = truth.split(/[,;]/);
  const most = truth.length + LETTERS_OF_A_NUMBER * parts.length;
  return !hasMoreLetters(answer, most) || parts.some(isInfinite);
}

/** Each unreadable number equals a truth of infinity, however long it is. */
function isInfinite(truth: string): boolean {
  return parsePythonFloat(truth) === Number.POSITIVE_INFINITY;
}

function hasMoreLetters(text: string, most: number): boolean {
  let letters = 0;
  for (let index = 0; index < text.length; index++) {
    // Lower-casing keeps ASCII letters as many as they are; anything else is left out of the count.
    const lower = text.charCodeAt(index) | 32;
    if (lower >= 97 && lower <= 122) letters += 1;
    if (letters > most) return true;
  }
  return false;
}
