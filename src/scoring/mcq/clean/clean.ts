import { foldCharacters } from './characters.ts';
import { removeMarkup } from './markup.ts';
import { type TrackedText, track } from './tracked-text.ts';

/** What may be folded or be markup; most option texts and short answers have nothing of it, and cleaning takes long. */
const UNCLEAN = /[^A-Za-z0-9 .,;:()'"%/?!-]|,\d|^ | $| {2}/u;

/** One spelling for options and outputs: characters folded, markup removed. Case and words are kept. */
export function clean(source: TrackedText): TrackedText {
  return UNCLEAN.test(source.text) ? removeMarkup(foldCharacters(source)) : source;
}

export function cleanString(text: string): string {
  return clean(track(text)).text.trim();
}
