import { foldCharacters } from './characters.ts';
import { removeMarkup } from './markup.ts';
import { type TrackedText, track } from './tracked-text.ts';

/** Nothing in such a text is folded or markup; most option texts and short answers are like this. */
const PLAIN = /^[A-Za-z0-9 .,;:()'"%/?!\n-]*$/u;
const SPACED = /^[ \n]|[ \n]$| {2}| \n|\n |\d,\d{3}/u;

/** One spelling for options and outputs: characters folded, markup removed. Case and words are kept. */
export function clean(source: TrackedText): TrackedText {
  return isPlain(source.text) ? source : removeMarkup(foldCharacters(source));
}

export function cleanString(text: string): string {
  return isPlain(text) ? text : clean(track(text)).text.trim();
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !SPACED.test(text);
}
