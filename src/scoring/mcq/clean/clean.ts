import { foldCharacters } from './characters.ts';
import { removeMarkup } from './markup.ts';
import { type TrackedText, track } from './tracked-text.ts';

/** One spelling for options and outputs: characters folded, markup removed. Case and words are kept. */
export function clean(source: TrackedText): TrackedText {
  return removeMarkup(foldCharacters(source));
}

export function cleanString(text: string): string {
  return clean(track(text)).text.trim();
}
