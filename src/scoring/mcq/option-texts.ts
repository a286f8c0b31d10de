import { cleanString } from './clean/clean.ts';
import { textAfter } from './text-near.ts';

const LONGEST_TEXT = 4000;
/** Beyond this, an option is a document, and nobody repeats it word by word. */
const LONGEST_SOUGHT = 1000;
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}]/u;
const WORD_OR_NUMBER =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\p{N}_]/u;
const NUMBER = /\p{N}/u;
const BEFORE_NUMBER = /[\p{N}\p{Script=Latin}_.,-]/u;
const AFTER_NUMBER = /^(?:[\p{N}\p{Script=Latin}_]|\s?%|[.,]\p{N})/u;

/** Where an option's text stands in a text; several labels when options share their text. */
export type TextMatch = { readonly labels: readonly string[]; readonly start: number; readonly end: number };

/** Finds the texts of the options, ignoring case and spacing. */
export type OptionTexts = {
  /** The longest option text that starts exactly here. */
  at(lower: string, start: number): TextMatch | null;
  /** Every occurrence that does not overlap an earlier or longer one, in order. */
  all(lower: string): readonly TextMatch[];
  /** The labels whose whole text is this one. */
  equal(text: string): readonly string[];
  /** Whether the text of an option, in lower case, looks like this. */
  some(pattern: RegExp): boolean;
};

type Sought = { readonly words: readonly string[]; readonly labels: readonly string[] };

export function toOptionTexts(choices: Readonly<Record<string, string>>): OptionTexts {
  const labelsByKey = new Map<string, string[]>();
  for (const [label, text] of Object.entries(choices)) {
    const key = toKey(text);
    if (key !== '') labelsByKey.set(key, [...(labelsByKey.get(key) ?? []), label]);
  }
  const sought = byFirstSign(labelsByKey);
  const at = (lower: string, start: number): TextMatch | null => {
    for (const { words, labels } of sought.get(lower.charAt(start)) ?? []) {
      const end = matchEnd(lower, start, words);
      if (end !== null) return { labels, start, end };
    }
    return null;
  };
  return {
    at,
    all: (lower) => allMatches(lower, at),
    equal: (text) => labelsByKey.get(toKey(text)) ?? [],
    some: (pattern) => [...labelsByKey.keys()].some((key) => pattern.test(key)),
  };
}

/** Two texts with the same key are the same option text: case, spacing, dress, quotes and final dots do not count. */
export function toKey(text: string): string {
  const spoken = cleanString(text.slice(0, LONGEST_TEXT)).toLowerCase();
  return toWords(spoken.replace(/^[\s"']+/u, '').replace(/(?<![\s"'.,;:])[\s"'.,;:]+$/u, '')).join(' ');
}

function toWords(lower: string): readonly string[] {
  return lower.match(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu) ?? [];
}

/** Longest first, so that "copper and zinc" is found before "copper". */
function byFirstSign(labelsByKey: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly Sought[]> {
  const sought = new Map<string, Sought[]>();
  const keys = [...labelsByKey]
    .filter(([key]) => key.length <= LONGEST_SOUGHT)
    .toSorted(([a], [b]) => b.length - a.length);
  for (const [key, labels] of keys) {
    const first = key.charAt(0);
    sought.set(first, [...(sought.get(first) ?? []), { words: key.split(' '), labels }]);
  }
  return sought;
}

function matchEnd(lower: string, start: number, words: readonly string[]): number | null {
  let end = start;
  for (const word of words) {
    while (/\s/u.test(lower.charAt(end))) end += 1;
    if (!lower.startsWith(word, end)) return null;
    end += word.length;
  }
  return hasEdges(lower, start, end) ? end : null;
}

/** A number is not found inside another number, a word not inside another word; Chinese words have no edges. */
function hasEdges(lower: string, start: number, end: number): boolean {
  const [first, last, before] = [lower.charAt(start), lower.charAt(end - 1), lower.charAt(start - 1)];
  const inside = NUMBER.test(first)
    ? BEFORE_NUMBER.test(before)
    : ALPHABETIC.test(first) && WORD_OR_NUMBER.test(before);
  if (inside) return false;
  const after = textAfter(lower, end, 2);
  return NUMBER.test(last)
    ? !AFTER_NUMBER.test(after)
    : !(ALPHABETIC.test(last) && WORD_OR_NUMBER.test(after.charAt(0)));
}

function allMatches(lower: string, at: OptionTexts['at']): readonly TextMatch[] {
  const matches: TextMatch[] = [];
  let start = 0;
  while (lower[start] !== undefined) {
    const match = at(lower, start);
    if (match !== null) matches.push(match);
    start = match?.end ?? start + 1;
  }
  return matches;
}
