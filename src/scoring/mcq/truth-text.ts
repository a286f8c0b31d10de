import { isAllStatement, isNoneStatement, plain } from './all-none.ts';
import { type ChoiceQuestion, foldLabel, type Labels, onlyLabel } from './question.ts';

/** A question, prepared for reading truths of it. */
export type KnownTruths = {
  readonly labels: Labels;
  readonly question: ChoiceQuestion;
};

/** Labels, none where it says that none is right. */
export type Found = readonly string[] | 'all';

const FRAME = /(?:both|options|choices|answers)\s|\s(?:are (?:both |all )?(?:correct|right|true)|only)/giu;
const SEPARATORS = [/[;|\n、]/u, /,(?: and )?/iu, /[,;&+/|、]|\s(?:and|und|y|et|e)\s|[和与]/iu];
/** "(B)", "Option B.", "B:". */
const DRESSED = /^(?:(?:option|choice|answer)\s)?[\s"'([]{0,3}(\S+?)[\s"').:\]]{0,4}$/iu;

const LABELLED = /[([]?([^\s.:)\]]{1,12})[.:)\]]{1,2}(.*)/su;

/** What a written truth names: a label, several in any writing, an option's text or its start, ALL, NONE. */
export function fromText(written: string, known: KnownTruths): Found | null {
  const one = oneLabel(written, known);
  if (one !== null) return [one];
  const truth = foldLabel(written);
  const word = undress(truth).toLowerCase();
  if (word === 'all' || isAllStatement(truth)) return 'all';
  if (word === 'none' || isNoneStatement(truth)) return [];
  return (
    separated(truth, known) ??
    separated(truth.replace(FRAME, ''), known) ??
    listed(truth.split(/\s/u), known.labels.find) ??
    joined(truth, known) ??
    labelWithText(truth, known) ??
    asList(prefixLabel(truth, known))
  );
}

/** A label in any dress, or the whole text of exactly one option. */
export function oneLabel(written: string, known: KnownTruths): string | null {
  const { find } = known.labels;
  const label = find(written) ?? find(undress(foldLabel(written)));
  if (label !== null) return label;
  const [equal = null, ...others] = equalTexts(written, known);
  return others.length === 0 ? equal : null;
}

function undress(truth: string): string {
  return truth.replace(DRESSED, '$1');
}

/** The options that have this text. */
export function equalTexts(text: string, { question }: KnownTruths): readonly string[] {
  const key = toKey(text);
  return key === '' ? [] : (labelsByKey(question.choices ?? NO_CHOICES).get(key) ?? []);
}

const NO_CHOICES: Readonly<Record<string, string>> = {};
const prepared = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();

/** Most truths are labels, for which no texts are prepared. */
function labelsByKey(choices: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const labels = prepared.get(choices) ?? Map.groupBy(Object.keys(choices), (label) => toKey(choices[label] ?? ''));
  prepared.set(choices, labels);
  return labels;
}

const LONGEST_KEY = 4000;

/** Two texts with one key are the same text: case, blanks, dress, quotes, thousands and final dots do not count. */
function toKey(text: string): string {
  const said = plain(text.slice(0, LONGEST_KEY))
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '');
  const words = said.replace(/^[\s"']+/u, '').match(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu) ?? [];
  return words.slice(0, words.findLastIndex((word) => !/^["'.,;:]/u.test(word)) + 1).join(' ');
}

/** "A,D", "A; D", "A|D", "A and D", and texts separated in the same ways. */
function separated(truth: string, known: KnownTruths): readonly string[] | null {
  for (const separator of SEPARATORS) {
    const labels = listed(truth.split(separator), (part) => oneLabel(part, known));
    if (labels !== null) return labels;
  }
  return null;
}

function listed(parts: readonly string[], find: (part: string) => string | null): readonly string[] | null {
  const labels = parts.filter((part) => /\S/u.test(part)).map(find);
  return labels.length > 0 && labels.every((label) => label !== null) ? labels : null;
}

/** "AD", where every letter is a label as it is spelt, and none comes twice; "Cab" and "ABBA" are words. */
function joined(truth: string, { labels }: KnownTruths): readonly string[] | null {
  const letters = [...truth];
  if (letters.length < 2 || new Set(letters).size < letters.length) return null;
  const known = letters.every((letter) => /\p{L}/u.test(letter) && labels.ordered.includes(letter));
  // Without choices any word is made of labels, so there they must be in order.
  return known && (!labels.open || truth === letters.toSorted().join('')) ? letters : null;
}

/** "B. its text". */
function labelWithText(truth: string, known: KnownTruths): readonly string[] | null {
  const label = known.labels.find(truth.replace(LABELLED, '$1'));
  if (label === null) return null;
  const named = equalTexts(truth.replace(LABELLED, '$2'), known);
  return named.includes(label) || known.labels.open ? [label] : null;
}

/**
 * A truth that says it was cut, between two words: at least 8 characters, and the start of one option only. Without
 * the mark, "not safe" is another text than "not safer than before".
 */
function prefixLabel(truth: string, { question }: KnownTruths): string | null {
  const key = toKey(truth);
  if (!truth.endsWith('...') || key.length < 8) return null;
  return onlyLabel(question.choices, (text) => isStart(key, toKey(text)));
}

/** Keys hold a blank after each word, number and sign; "12 . 345" goes on inside a number. */
function isStart(key: string, text: string): boolean {
  const inNumber = /\p{N}$/u.test(key) && /^(?: [.,])? \p{N}/u.test(text.slice(key.length));
  return text.startsWith(`${key} `) && !inNumber;
}

export function asList(label: string | null): readonly string[] | null {
  return label === null ? null : [label];
}
