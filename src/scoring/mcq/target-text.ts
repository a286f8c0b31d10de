import { isAllStatement, isNoneStatement, plain } from './all-none.ts';
import { type ChoiceQuestion, foldLabel, type Labels } from './question.ts';

/** A question, prepared for reading its targets. */
export type KnownTargets = Readonly<{
  labels: Labels;
  question: ChoiceQuestion;
}>;

/** Labels; an empty list says that no option is right. */
export type Found = readonly string[] | 'all';

const SEPARATORS = [/[;|\n、]/u, /,(?: and )?/iu, /[,;&+/|、]|\s(?:and|und|y|et|e)\s|[和与]/iu];
/** "(B)", "Option B.", "B:". */
const FORMATTED = /^(?:(?:option|choice|answer)\s)?[\s"'([]{0,3}(\S+?)[\s"').:\]]{0,4}$/iu;

const LABELLED = /[([]?([^\s.:)\]]{1,12})[.:)\]]{1,2}(.*)/su;

/**
 * The options that a written target names: a label, several labels in any form, an option's text, ALL
 * or NONE.
 */
export function fromText(written: string, known: KnownTargets): Found | null {
  const one = oneLabel(written, known);
  if (one !== null) return [one];
  const target = foldLabel(written);
  const word = unformat(target).toLowerCase();
  if (word === 'all' || isAllStatement(target)) return 'all';
  if (word === 'none' || isNoneStatement(target)) return [];
  return (
    separated(target, known) ??
    listed(target.split(/\s/u), known.labels.find) ??
    joined(target, known) ??
    labelWithText(target, known)
  );
}

/** The option of a label in any formatting, or of the whole text of exactly one option. */
function oneLabel(written: string, known: KnownTargets): string | null {
  const { find } = known.labels;
  const label = find(written) ?? find(unformat(foldLabel(written)));
  if (label !== null) return label;
  const [equal = null, ...others] = equalTexts(written, known);
  return others.length === 0 ? equal : null;
}

function unformat(target: string): string {
  return target.replace(FORMATTED, '$1');
}

/** The options that have this text. */
export function equalTexts(text: string, { question }: KnownTargets): readonly string[] {
  const key = toKey(text);
  return key === '' ? [] : (labelsByKey(question.choices ?? NO_CHOICES).get(key) ?? []);
}

const NO_CHOICES: Readonly<Record<string, string>> = {};
const prepared = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();

/** Prepared on first use: most targets are labels and need no texts. */
function labelsByKey(
  choices: Readonly<Record<string, string>>,
): ReadonlyMap<string, readonly string[]> {
  const labels =
    prepared.get(choices) ??
    Map.groupBy(Object.keys(choices), (label) => toKey(choices[label] ?? ''));
  prepared.set(choices, labels);
  return labels;
}

const LONGEST_KEY = 4000;

/**
 * Texts with equal keys are the same text: case, spaces, formatting, quotes, thousands separators
 * and final periods do not count.
 */
function toKey(text: string): string {
  const said = plain(text.slice(0, LONGEST_KEY))
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '');
  const words = said.replace(/^[\s"']+/u, '').match(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu) ?? [];
  return words.slice(0, words.findLastIndex((word) => !/^["'.,;:]/u.test(word)) + 1).join(' ');
}

/** "A,D", "A; D", "A|D", "A and D", and texts with the same separators. */
function separated(target: string, known: KnownTargets): readonly string[] | null {
  for (const separator of SEPARATORS) {
    const labels = listed(target.split(separator), (part) => oneLabel(part, known));
    if (labels !== null) return labels;
  }
  return null;
}

function listed(
  parts: readonly string[],
  find: (part: string) => string | null,
): readonly string[] | null {
  const labels = parts.filter((part) => /\S/u.test(part)).map(find);
  return labels.length > 0 && labels.every((label) => label !== null) ? labels : null;
}

/**
 * "AD", when every letter is a label in its own case and none occurs twice. "Cab" and "ABBA" are
 * words.
 */
function joined(target: string, { labels }: KnownTargets): readonly string[] | null {
  const letters = [...target];
  if (letters.length < 2 || new Set(letters).size < letters.length) return null;
  const known = letters.every((letter) => /\p{L}/u.test(letter) && labels.ordered.includes(letter));
  // Without choices every letter is a label, so the letters must be in alphabetical order.
  return known && (!labels.open || target === letters.toSorted().join('')) ? letters : null;
}

/** "B. its text". */
function labelWithText(target: string, known: KnownTargets): readonly string[] | null {
  const label = known.labels.find(target.replace(LABELLED, '$1'));
  if (label === null) return null;
  const named = equalTexts(target.replace(LABELLED, '$2'), known);
  return named.includes(label) || known.labels.open ? [label] : null;
}

export function asList(label: string | null): readonly string[] | null {
  return label === null ? null : [label];
}
