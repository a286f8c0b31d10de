import { cut, escapeControls, plural, quote } from './show.ts';

declare const TOLD: unique symbol;

/**
 * Words that say no text of a record, so that they may be shown where records are hidden. By its type
 * no text is one: it takes a function of this file.
 */
export type Told = string & { readonly [TOLD]: true };

/** A sentence of viva's own words, numbers and names. */
export function told(words: TemplateStringsArray, ...parts: readonly (number | Told)[]): Told {
  return String.raw({ raw: words }, ...parts) as Told;
}

/** An id, or the name of a field, a file or a suite, in quotes. Never a value. */
export function called(name: string): Told {
  return quote(name) as Told;
}

/** The same of several: "a" and "b". */
export function listCalled(names: readonly string[]): Told {
  return names.map(quote).join(' and ') as Told;
}

/** A place in a file, the label of an option or a word of a setting, without quotes. Never a value. */
export function plainly(name: string): Told {
  return escapeControls(cut(name)) as Told;
}

/** "1 column", "3 columns" */
export function counted(count: number, noun: Told): Told {
  return plural(count, noun) as Told;
}
