import { showValue } from '../../text/show.ts';
import { allLabels, canonicalLabels, isNoneStatement } from './all-none.ts';
import { type ChoiceQuestion, onlyLabel, toLabels } from './question.ts';
import { asList, equalTexts, type Found, fromText, type KnownTruths, oneLabel } from './truth-text.ts';

/** A truth in canonical form: labels in the order of the question joined by "," ("A,D"), or "NONE"; "ALL" only where no choices are known. */
export type ResolvedTruth = {
  readonly target: string;
  /** Present where the dataset says so, or where several options are right. */
  readonly multiple?: boolean;
};

/**
 * Resolves a truth in any of the forms of the datasets: label, list of labels in any writing, option text, list of
 * texts, one-hot list, index (only when `options.index` says how to count), ALL, NONE. Throws an Error that says what
 * is wrong, what was received and what to do; the loader adds the place.
 */
export function resolveTruth(
  truth: unknown,
  choices: Readonly<Record<string, string>> | undefined,
  multiple?: boolean | undefined,
  options: TruthOptions = {},
): ResolvedTruth {
  const question = { choices, multiple };
  const found = truthLabels(truth, question, options);
  if (found === 'all') return resolveAll(truth, question);
  const labels = canonicalLabels(found, question);
  if (labels.length === 0) return toResolved(onlyLabel(choices, isNoneStatement) ?? 'NONE', multiple);
  if (multiple === false && labels.length > 1) {
    throw truthError(
      'names several options of a question with one right option',
      truth,
      'Correct the truth, or say that several may be right',
    );
  }
  return toResolved(labels.join(','), multiple ?? (labels.length > 1 ? true : undefined));
}

/** ALL is the option that says so, else every option; where one option is right and none says so, it is an error. */
function resolveAll(truth: unknown, question: ChoiceQuestion): ResolvedTruth {
  const { multiple } = question;
  const labels = allLabels(question);
  if (multiple === false && labels.length > 1) {
    throw truthError(
      'says that all options are right, but only one may be and none says "all of the above"',
      truth,
      'Name the right option, or say that several may be right',
    );
  }
  return toResolved(labels.join(','), labels.length > 1 ? true : multiple);
}

function toResolved(target: string, multiple: boolean | undefined): ResolvedTruth {
  return multiple === undefined ? { target } : { target, multiple };
}

export type TruthOptions = {
  /** How numbers count options; without it a number is a label or an option's text. */
  readonly index?: 'zero-based' | 'one-based' | undefined;
};

type Known = KnownTruths & { readonly options: TruthOptions };

/** The labels that a truth names, before ALL, NONE and equivalent options are reduced to one form; throws if it names none. */
function truthLabels(truth: unknown, question: ChoiceQuestion, options: TruthOptions = {}): Found {
  const known = toKnown(question, options);
  const found = fromAny(truth, known);
  if (found === null) throw namesNothing(truth, known);
  return found;
}

/** The same, or null. */
export function findTruthLabels(truth: unknown, question: ChoiceQuestion): Found | null {
  return fromAny(truth, toKnown(question, {}));
}

function toKnown(question: ChoiceQuestion, options: TruthOptions): Known {
  return { labels: toLabels(question.choices), question, options };
}

function namesNothing(truth: unknown, known: Known): Error {
  const shared = typeof truth === 'string' ? equalTexts(truth, known) : [];
  if (shared.length > 1) {
    const wrong = `is the text of several options (${shared.join(', ')}), which read the same`;
    return truthError(wrong, truth, 'Write the label of the right one instead');
  }
  return truthError('names no option of the question', truth, remedy(known));
}

function remedy({ labels, options }: Known): string {
  const shown = labels.open ? 'A to Z' : labels.ordered.slice(0, 12).join(', ');
  const index =
    options.index === undefined
      ? 'an index only where "index_base" in EVAL_MCQ_FIELDS says how to count'
      : `a ${options.index} index`;
  return `Use a label (${shown}), several as "A,D" or a list, an option's text, ALL or NONE; ${index}`;
}

function fromAny(truth: unknown, known: Known): Found | null {
  if (Array.isArray(truth)) return fromList(truth, known);
  return typeof truth === 'object' && truth !== null ? fromFlags(truth, known) : fromValue(truth, known);
}

function fromList(truth: readonly unknown[], known: Known): Found | null {
  if (truth.length === 1) return fromValue(truth[0], known);
  if (isFlagList(truth, known)) {
    const { ordered } = known.labels;
    return truth.length === ordered.length ? ordered.filter((_, i) => Boolean(truth[i])) : null;
  }
  const found = truth.map((each) => fromValue(each, known));
  const named = found.filter((each) => each !== null && each !== 'all');
  const complete = named.length === truth.length && named.every((labels) => labels.length > 0);
  return complete && truth.length > 0 ? named.flat() : null;
}

/** Booleans, or 0 and 1 in a list that no indices and no labels could be: one of them is repeated, or there are two options. */
function isFlagList(truth: readonly unknown[], { labels, options }: Known): boolean {
  if (!truth.every(isFlag)) return false;
  if (new Set(truth).size < truth.length || typeof truth[0] === 'boolean') return true;
  return truth.length === labels.ordered.length && options.index === undefined && labels.find('0') === null;
}

function isFlag(value: unknown): boolean {
  return value === 0 || value === 1 || typeof value === 'boolean';
}

/** {"A": 1, "B": 0}, by label or by text. */
function fromFlags(truth: object, known: Known): Found | null {
  const labels = Object.keys(truth).map((key) => oneLabel(key, known));
  const flags: readonly unknown[] = Object.values(truth);
  if (flags.length === 0 || !flags.every(isFlag) || !labels.every((label) => label !== null)) return null;
  return labels.filter((_, i) => Boolean(flags[i]));
}

function fromValue(truth: unknown, known: Known): Found | null {
  if (!['string', 'number', 'boolean'].includes(typeof truth)) return null;
  const { index } = known.options;
  const text = String(truth).trim();
  if (index === undefined || !/^\d+$/u.test(text)) return fromText(text, known);
  return asList(known.labels.ordered[Number(text) - (index === 'zero-based' ? 0 : 1)] ?? null);
}

/** An error in three parts: what is wrong with the truth, the value received with its type, what to do. */
function truthError(wrong: string, received: unknown, remedy: string): Error {
  return new Error(`The truth ${wrong}, got ${showValue(received)}. ${remedy}.`);
}
