import { cleanString } from './clean/clean.ts';
import { escapePattern } from './labels.ts';

const LONGEST_TEXT = 4000;
const ALPHABETIC = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Devanagari}';
const ALPHABETIC_OR_NUMBER = `[${ALPHABETIC}\\p{N}_]`;
const ALPHABETIC_START = new RegExp(`^[${ALPHABETIC}]`, 'u');
const ALPHABETIC_END = new RegExp(`[${ALPHABETIC}]$`, 'u');

/** Where an option's text stands in a text; several labels when options share their text. */
export type TextMatch = { readonly labels: readonly string[]; readonly start: number; readonly end: number };

/** Finds the texts of the options, ignoring case and spacing. */
export type OptionTexts = {
  /** The longest option text that starts exactly here. */
  at(lower: string, start: number): TextMatch | null;
  /** Every occurrence that does not overlap a longer one, in order. */
  all(lower: string): readonly TextMatch[];
  /** The labels whose whole text is this one. */
  equal(text: string): readonly string[];
};

export function toOptionTexts(choices: Readonly<Record<string, string>> | undefined): OptionTexts {
  const labelsByKey = new Map<string, string[]>();
  for (const [label, text] of Object.entries(choices ?? {})) {
    const key = toKey(text);
    if (key !== '') labelsByKey.set(key, [...(labelsByKey.get(key) ?? []), label]);
  }
  const keys = [...labelsByKey.keys()].toSorted((a, b) => b.length - a.length);
  // Beyond this, an option is a document and not an answer that anybody repeats word by word.
  const sources = keys.filter((key) => key.length <= 2000).map(patternSource);
  const anyText = sources.length === 0 ? '(?!)' : sources.join('|');
  const here = new RegExp(`(?:${anyText})`, 'uy');
  const everywhere = new RegExp(`(?:${anyText})`, 'gu');
  const toMatch = (found: RegExpExecArray): TextMatch => ({
    labels: labelsByKey.get(toKey(found[0])) ?? [],
    start: found.index,
    end: found.index + found[0].length,
  });
  return {
    at: (lower, start) => {
      here.lastIndex = start;
      const found = here.exec(lower);
      return found === null ? null : toMatch(found);
    },
    all: (lower) => [...lower.matchAll(everywhere)].map(toMatch),
    equal: (text) => labelsByKey.get(toKey(text)) ?? [],
  };
}

/** Two texts with the same key are the same option text: case, spacing, dress, quotes and final dots do not count. */
export function toKey(text: string): string {
  const spoken = cleanString(text.slice(0, LONGEST_TEXT)).toLowerCase();
  return tokens(spoken.replace(/^[\s"']+/u, '').replace(/(?<![\s"'.,;:])[\s"'.,;:]+$/u, '')).join(' ');
}

function tokens(lower: string): readonly string[] {
  return lower.match(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu) ?? [];
}

function patternSource(key: string): string {
  const words = key.split(' ');
  return `${leftEdge(words[0] ?? '')}${words.map(escapePattern).join('\\s{0,3}')}${rightEdge(words.at(-1) ?? '')}`;
}

/** A number is not found inside another number, a word not inside another word; Chinese words have no edges. */
function leftEdge(word: string): string {
  if (/^\p{N}/u.test(word)) return '(?<![\\p{N}\\p{Script=Latin}_.,\\-])';
  return ALPHABETIC_START.test(word) ? `(?<!${ALPHABETIC_OR_NUMBER})` : '';
}

function rightEdge(word: string): string {
  if (/\p{N}$/u.test(word)) return '(?![\\p{N}\\p{Script=Latin}_]|\\s?%|[.,]\\p{N})';
  return ALPHABETIC_END.test(word) ? `(?!${ALPHABETIC_OR_NUMBER})` : '';
}
