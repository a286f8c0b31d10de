import { pattern } from './pattern.ts';
/** The labels of a question; nothing else is ever read as a label. */
export type Labels = {
  readonly ordered: readonly string[];
  /** True when no choices are known and every letter from A to Z is a label. */
  readonly open: boolean;
  /** The label that is spelt like this, whatever its case. */
  find(spelling: string): string | null;
  /** The spelling of a label, in any case, that stands here and is not the start of a longer word. */
  at(lower: string, index: number): string | null;
  /** Finds where labels stand in a lower-cased text. */
  readonly places: RegExp;
};

const LETTERS: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The questions of a dataset share a few sets of labels, and their patterns are slow to build. */
const MOST_KNOWN = 64;
const known = new Map<string, Labels>();

export function toLabels(choices: Readonly<Record<string, string>> | undefined): Labels {
  const named = choices === undefined ? [] : Object.keys(choices);
  const key = JSON.stringify(named);
  const labels = known.get(key) ?? buildLabels(named);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, labels);
  return labels;
}

function buildLabels(named: readonly string[]): Labels {
  const ordered = named.length === 0 ? LETTERS : named;
  const bySpelling = new Map<string, string | null>();
  for (const label of ordered) {
    const folded = foldLabel(label).toLowerCase();
    // "a" and "A" as two labels of one question: only the exact spelling tells them apart.
    bySpelling.set(folded, bySpelling.has(folded) ? null : label);
  }
  const source = patternSource(ordered);
  const here = pattern(`${source}(?![\\p{Script=Latin}\\p{N}_])`, 'y');
  const exact = new Map(ordered.map((label) => [foldLabel(label), label]));
  return {
    ordered,
    open: named.length === 0,
    find: (spelling) => exact.get(foldLabel(spelling)) ?? bySpelling.get(foldLabel(spelling).toLowerCase()) ?? null,
    at: (lower, index) => {
      here.lastIndex = index;
      return here.exec(lower)?.[0] ?? null;
    },
    places: pattern(`(?<![\\p{Script=Latin}\\p{N}_])${source}(?![\\p{Script=Latin}\\p{N}_])`, 'g'),
  };
}

/** Labels without repeats, in the order of the question. */
export function inOrder(labels: readonly string[], ordered: readonly string[]): readonly string[] {
  const chosen = new Set(labels);
  return ordered.filter((label) => chosen.has(label));
}

export function foldLabel(label: string): string {
  return label.normalize('NFKC').trim();
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}

function patternSource(ordered: readonly string[]): string {
  const spellings = ordered.map(foldLabel).filter((label) => label !== '');
  const sources = spellings.toSorted((a, b) => b.length - a.length).map((label) => escapePattern(label.toLowerCase()));
  return `(?:${sources.length === 0 ? '(?!)' : [...new Set(sources)].join('|')})`;
}
