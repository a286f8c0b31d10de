import { showValue } from '../../text/show.ts';
import { allLabels, canonicalLabels, isNoneStatement } from './all-none.ts';
import { type ChoiceQuestion, onlyLabel, toLabels } from './question.ts';
import { asList, equalTexts, type Found, fromText, type KnownTargets } from './target-text.ts';

/**
 * A target in canonical form: labels in the order of the question, joined by "," ("A,D"), or
 * "NONE". It is "ALL" only when no choices are known.
 */
export type ParsedTarget = Readonly<{
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

export type TargetOptions = {
  /** The index of the first option. Without it a number is a label or an option's text. */
  readonly counts?: 0 | 1 | undefined;
};

type Known = KnownTargets & { readonly options: TargetOptions };

/**
 * The labels that a target names, before ALL, NONE and equivalent options are reduced to one form.
 * Throws if the target names no option.
 */
function targetLabels(
  target: unknown,
  question: ChoiceQuestion,
  options: TargetOptions = {},
): Found {
  const known = toKnown(question, options);
  const found = fromAny(target, known);
  if (found === null) throw namesNothing(target, known);
  return found;
}

/** Like `targetLabels`, but null if the target names no option. */
export function findTargetLabels(target: unknown, question: ChoiceQuestion): Found | null {
  return fromAny(target, toKnown(question, {}));
}

function toKnown(question: ChoiceQuestion, options: TargetOptions): Known {
  return { labels: toLabels(question.choices), question, options };
}

function namesNothing(target: unknown, known: Known): Error {
  const shared = typeof target === 'string' ? equalTexts(target, known) : [];
  if (shared.length > 1) {
    const wrong = `is the text of several options (${shared.join(', ')}), which read the same`;
    return targetError(wrong, target, 'Write the label of the right one instead');
  }
  return targetError('names no option of the question', target, remedy(known));
}

function remedy({ labels, options }: Known): string {
  const shown = labels.open ? 'A to Z' : labels.ordered.slice(0, 12).join(', ');
  const index =
    options.counts === undefined
      ? 'an index only where "counts" in EVAL_MCQ_FIELDS says how to count'
      : `an index that counts from ${options.counts}`;
  return `Use a label (${shown}), several as "A,D" or a list, an option's text, ALL or NONE; ${index}`;
}

function fromAny(target: unknown, known: Known): Found | null {
  return Array.isArray(target) ? fromList(target, known) : fromValue(target, known);
}

function fromList(target: readonly unknown[], known: Known): Found | null {
  if (target.length === 1) return fromValue(target[0], known);
  if (isFlagList(target, known)) {
    const { ordered } = known.labels;
    return target.length === ordered.length ? ordered.filter((_, i) => Boolean(target[i])) : null;
  }
  const found = target.map((each) => fromValue(each, known));
  const named = found.filter((each) => each !== null && each !== 'all');
  const complete = named.length === target.length && named.every((labels) => labels.length > 0);
  return complete && target.length > 0 ? named.flat() : null;
}

/**
 * Booleans, or 0 and 1 in a list that cannot hold indices or labels: one of them is repeated, or it
 * has one for each of two options.
 */
function isFlagList(target: readonly unknown[], { labels, options }: Known): boolean {
  if (!target.every(isFlag)) return false;
  if (new Set(target).size < target.length || typeof target[0] === 'boolean') return true;
  return (
    target.length === labels.ordered.length &&
    options.counts === undefined &&
    labels.find('0') === null
  );
}

function isFlag(value: unknown): boolean {
  return value === 0 || value === 1 || typeof value === 'boolean';
}

function fromValue(target: unknown, known: Known): Found | null {
  if (!['string', 'number', 'boolean'].includes(typeof target)) return null;
  const { counts } = known.options;
  const text = String(target).trim();
  if (counts === undefined || !/^\d+$/u.test(text)) return fromText(text, known);
  return asList(known.labels.ordered[Number(text) - counts] ?? null);
}

/**
 * An error in three parts: what is wrong with the target, the value with its type, and what to do.
 */
function targetError(wrong: string, received: unknown, remedy: string): Error {
  return new Error(`The expected answer ${wrong}, got ${showValue(received)}. ${remedy}.`);
}
