import { UNSEEN_INSIDE } from '../../words/unseen.ts';
import { replaceEach, type Trail } from './edits.ts';

/**
 * A text in one Unicode form: composed letters (NFC), plain blanks, and none of the characters that
 * nobody sees. Joiners stay inside words of scripts that need them, and inside pictographs.
 */
export function toOneForm(text: string, trail?: Trail): string {
  if (!/[^\n -~]/.test(text)) return text;
  const visible = replaceEach(text, UNSEEN_INSIDE, () => '', trail);
  const spaced = visible.replace(BLANKS, ' ').replace(/[\u0085\u2028\u2029]/g, '\n');
  return replaceEach(spaced, COMPOSABLE, ([letters]) => letters.normalize('NFC'), trail);
}

const BLANKS = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
/** A letter with marks, or the parts of Korean syllables. */
const COMPOSABLE = /[^\s\p{M}]\p{M}{1,20}|[\u1100-\u11ff]{2,200}/gu;
