import { showValue } from '../../words/show.ts';
import { remember } from '../remember.ts';
import {
  allLabels,
  type ChoiceQuestion,
  canonicalLabels,
  foldLabel,
  isAllStatement,
  isNoneStatement,
  type Labels,
  onlyLabel,
  plain,
  toLabels,
} from './question.ts';

/**
 * A target in canonical form: labels in the order of the question, joined by "," ("A,D"), or
 * "NONE". It is "ALL" only when no choices are known.
 */
type ParsedTarget = Readonly<{
  target: string;
  /** Present when the dataset says it, or when several options are right. */
  multiple?: boolean;
}>;

/**
 * Parses a target in any form that datasets use: a label, a list of labels in any form, an option's
 * text, a list of texts, a one-hot list, an index (only when `options.counts` says how to count),
 * ALL or NONE. Throws an Error that says what is wrong, the value, and what to do; the loader adds
 * the place.
 */
export function parseTarget(
  target: unknown,
  choices: Readonly<Record<string, string>> | undefined,
  multiple?: boolean | undefined,
  options: TargetOptions = {},
): ParsedTarget {
  const question = { choices, multiple };
  const found = targetLabels(target, question, options);
  if (found === 'all') return resolveAll(target, question);
  const labels = canonicalLabels(found, question);
  if (labels.length === 0)
    return toResolved(onlyLabel(choices, isNoneStatement) ?? 'NONE', multiple);
  if (multiple === false && labels.length > 1) {
    throw targetError(
      'names several options of a question with one right option',
      target,
      'Correct the expected answer, or say that several may be right',
    );
  }
  return toResolved(labels.join(','), multiple ?? (labels.length > 1 ? true : undefined));
}

/**
 * ALL means the option that says "all of the above", else every option. It is an error when only
 * one option may be right and none says so.
 */
function resolveAll(target: unknown, question: ChoiceQuestion): ParsedTarget {
  const { multiple } = question;
  const labels = allLabels(question);
  if (multiple === false && labels.length > 1) {
    throw targetError(
      'says that all options are right, but only one may be and none says "all of the above"',
      target,
      'Name the right option, or say that several may be right',
    );
  }
  return toResolved(labels.join(','), labels.length > 1 ? true : multiple);
}

function toResolved(target: string, multiple: boolean | undefined): ParsedTarget {
  return multiple === undefined ? { target } : { target, multiple };
}

type TargetOptions = {
  /** The index of the first option. Without it a number is a label or an option's text. */
  readonly counts?: 0 | 1 | undefined;
};

/** A question, prepared for reading its targets. */
type Asked = Readonly<{ labels: Labels; question: ChoiceQuestion; options: TargetOptions }>;

/**
 * The labels that a target names, before ALL, NONE and equivalent options are reduced to one form.
 * Throws if the target names no option.
 */
function targetLabels(
  target: unknown,
  question: ChoiceQuestion,
  options: TargetOptions = {},
): Found {
  const asked = toAsked(question, options);
  const found = fromAny(target, asked);
  if (found === null) throw namesNothing(target, asked);
  return found;
}

/** Like `targetLabels`, but null if the target names no option. */
export function findTargetLabels(target: unknown, question: ChoiceQuestion): Found | null {
  return fromAny(target, toAsked(question, {}));
}

function toAsked(question: ChoiceQuestion, options: TargetOptions): Asked {
  return { labels: toLabels(question.choices), question, options };
}

function namesNothing(target: unknown, asked: Asked): Error {
  const shared = typeof target === 'string' ? equalTexts(target, asked) : [];
  if (shared.length > 1) {
    const wrong = `is the text of several options (${shared.join(', ')}), which read the same`;
    return targetError(wrong, target, 'Write the label of the right one instead');
  }
  return targetError('names no option of the question', target, remedy(asked));
}

function remedy({ labels, options }: Asked): string {
  const shown = labels.open ? 'A to Z' : labels.ordered.slice(0, 12).join(', ');
  const index =
    options.counts === undefined
      ? 'an index only where "counts" in EVAL_MCQ_FIELDS says how to count'
      : `an index that counts from ${options.counts}`;
  return `Use a label (${shown}), several as "A,D" or a list, an option's text, ALL or NONE; ${index}`;
}

function fromAny(target: unknown, asked: Asked): Found | null {
  return Array.isArray(target) ? fromList(target, asked) : fromValue(target, asked);
}

function fromList(target: readonly unknown[], asked: Asked): Found | null {
  if (target.length === 1) return fromValue(target[0], asked);
  if (isFlagList(target, asked)) {
    const { ordered } = asked.labels;
    return target.length === ordered.length ? ordered.filter((_, i) => Boolean(target[i])) : null;
  }
  const found = target.map((each) => fromValue(each, asked));
  const named = found.filter((each) => each !== null && each !== 'all');
  const complete = named.length === target.length && named.every((labels) => labels.length > 0);
  return complete && target.length > 0 ? named.flat() : null;
}

/**
 * Booleans, or 0 and 1 in a list that cannot be of indices or labels: one of them is repeated, or it
 * has one for each of two options.
 */
function isFlagList(target: readonly unknown[], { labels, options }: Asked): boolean {
  if (!target.every((each) => each === 0 || each === 1 || typeof each === 'boolean')) return false;
  if (new Set(target).size < target.length || typeof target[0] === 'boolean') return true;
  return (
    target.length === labels.ordered.length &&
    options.counts === undefined &&
    labels.find('0') === null
  );
}

function fromValue(target: unknown, asked: Asked): Found | null {
  if (!['string', 'number', 'boolean'].includes(typeof target)) return null;
  const { counts } = asked.options;
  const text = String(target).trim();
  if (counts === undefined || !/^\d+$/u.test(text)) return fromText(text, asked);
  const label = asked.labels.ordered[Number(text) - counts];
  return label === undefined ? null : [label];
}

/**
 * An error in three parts: what is wrong with the target, the value with its type, and what to do.
 */
function targetError(wrong: string, received: unknown, remedy: string): Error {
  return new Error(`The expected answer ${wrong}, got ${showValue(received)}. ${remedy}.`);
}

/** Labels; an empty list says that no option is right. */
type Found = readonly string[] | 'all';

const SEPARATORS = [/[;|\n、]/u, /,(?: and )?/iu, /[,;&+/|、]|\s(?:and|und|y|et|e)\s|[和与]/iu];

/** "(B)", "Option B.", "B:". */
const FORMATTED = /^(?:(?:option|choice|answer)\s)?[\s"'([]{0,3}(\S+?)[\s"').:\]]{0,4}$/iu;

const LABELLED = /[([]?([^\s.:)\]]{1,12})[.:)\]]{1,2}(.*)/su;

/**
 * The options that a written target names: a label, several labels in any form, an option's text, ALL
 * or NONE.
 */
function fromText(written: string, asked: Asked): Found | null {
  const one = oneLabel(written, asked);
  if (one !== null) return [one];
  const target = foldLabel(written);
  const word = unformat(target).toLowerCase();
  if (word === 'all' || isAllStatement(target)) return 'all';
  if (word === 'none' || isNoneStatement(target)) return [];
  return (
    separated(target, asked) ??
    listed(target.split(/\s/u), asked.labels.find) ??
    joined(target, asked) ??
    labelWithText(target, asked)
  );
}

/** The option of a label in any formatting, or of the whole text of exactly one option. */
function oneLabel(written: string, asked: Asked): string | null {
  const { find } = asked.labels;
  const label = find(written) ?? find(unformat(foldLabel(written)));
  if (label !== null) return label;
  const [equal = null, ...others] = equalTexts(written, asked);
  return others.length === 0 ? equal : null;
}

function unformat(target: string): string {
  return target.replace(FORMATTED, '$1');
}

/** The options that have this text. */
function equalTexts(text: string, { question }: Asked): readonly string[] {
  const key = toKey(text);
  return key === '' ? [] : (labelsByKey(question.choices ?? NO_CHOICES).get(key) ?? []);
}

const NO_CHOICES: Readonly<Record<string, string>> = {};

/** Prepared on first use: most targets are labels and need no texts. */
const labelsByKey = remember((choices: Readonly<Record<string, string>>) =>
  Map.groupBy(Object.keys(choices), (label) => toKey(choices[label] ?? '')),
);

const LONGEST_KEY = 4000;

/**
 * Texts with equal keys are the same text: the form of accents, case, spaces, formatting, quotes,
 * thousands separators and final periods do not count.
 */
function toKey(text: string): string {
  const plainText = plain(text.slice(0, LONGEST_KEY))
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '');
  const words = plainText.replace(/^[\s"']+/u, '').match(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu) ?? [];
  return words.slice(0, words.findLastIndex((word) => !/^["'.,;:]/u.test(word)) + 1).join(' ');
}

/** "A,D", "A; D", "A|D", "A and D", and texts with the same separators. */
function separated(target: string, asked: Asked): readonly string[] | null {
  for (const separator of SEPARATORS) {
    const labels = listed(target.split(separator), (part) => oneLabel(part, asked));
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
function joined(target: string, { labels }: Asked): readonly string[] | null {
  const letters = [...target];
  if (letters.length < 2 || new Set(letters).size < letters.length) return null;
  const areLabels = letters.every(
    (letter) => /\p{L}/u.test(letter) && labels.ordered.includes(letter),
  );
  // Without choices every letter is a label, so the letters must be in alphabetical order.
  return areLabels && (!labels.open || target === letters.toSorted().join('')) ? letters : null;
}

/** "B. its text". */
function labelWithText(target: string, asked: Asked): readonly string[] | null {
  const label = asked.labels.find(target.replace(LABELLED, '$1'));
  if (label === null) return null;
  const named = equalTexts(target.replace(LABELLED, '$2'), asked);
  return named.includes(label) || asked.labels.open ? [label] : null;
}
