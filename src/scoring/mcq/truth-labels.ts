import type { ChoiceQuestion } from './extraction.ts';
import { toLabels } from './labels.ts';
import { toOptionTexts } from './option-texts.ts';
import { truthError } from './truth-error.ts';
import { asList, type Found, fromText, type KnownTruths, labelledText, oneLabel, textLabel } from './truth-text.ts';

export type TruthOptions = {
  /** How numbers count options; without it a number is a label or an option's text. */
  readonly index?: 'zero-based' | 'one-based' | undefined;
};

type Known = KnownTruths & { readonly options: TruthOptions };

/** The labels that a truth names, before ALL, NONE and equivalent options are reduced to one form; throws if it names none. */
export function truthLabels(truth: unknown, question: ChoiceQuestion, options: TruthOptions = {}): Found {
  const found = findTruthLabels(truth, question, options);
  if (found !== null) return found;
  const known = toKnown(question, options);
  const other = typeof truth === 'string' ? labelledText(truth, known) : null;
  const shared = typeof truth === 'string' ? known.texts.equal(truth) : [];
  if (shared.length > 1) {
    throw truthError(
      `is the text of several options (${shared.join(', ')}), which read the same`,
      truth,
      'Write the label of the right one instead',
    );
  }
  if (Array.isArray(truth) && marksOptions(truth)) {
    const wrong = `marks ${truth.length} options of a question with ${known.labels.ordered.length}`;
    throw truthError(wrong, truth, 'Write one 0 or 1 for each option, or the labels of the right ones');
  }
  const wrong =
    other === null || other.named.length === 0
      ? 'names no option of the question'
      : `gives the text of option ${other.named.join(', ')} the label ${other.label}`;
  throw truthError(wrong, truth, remedy(known));
}

/** The same, or null. */
export function findTruthLabels(truth: unknown, question: ChoiceQuestion, options: TruthOptions = {}): Found | null {
  const known = toKnown(question, options);
  if (Array.isArray(truth)) return fromList(truth, known);
  return isFlags(truth) ? fromFlags(truth, known) : fromValue(truth, known);
}

function toKnown(question: ChoiceQuestion, options: TruthOptions): Known {
  return { labels: toLabels(question.choices), texts: toOptionTexts(question.choices), question, options };
}

function remedy({ labels, options }: Known): string {
  const shown = labels.open ? 'A to Z' : labels.ordered.slice(0, 12).join(', ');
  const index =
    options.index === undefined ? 'an index only when the loader is told how to count' : `a ${options.index} index`;
  return `Use a label (${shown}), several as "A,D" or a list, an option's text, ALL or NONE; ${index}`;
}

function fromList(truth: readonly unknown[], known: Known): Found | null {
  if (truth.length === 1) return fromValue(truth[0], known);
  if (marksOptions(truth) && truth.length !== known.labels.ordered.length) return null;
  if (isOneHot(truth, known)) return known.labels.ordered.filter((_, i) => truth[i] === 1 || truth[i] === true);
  const found = truth.map((each) => fromValue(each, known));
  const labels = found.flatMap((each) => (each === null || typeof each === 'string' ? [] : each));
  return truth.length > 0 && labels.length >= truth.length ? labels : null;
}

/** One 0 or 1 (or boolean) per option, unless numbers are asked to be indices or are labels themselves. */
function isOneHot(truth: readonly unknown[], { labels, options }: Known): boolean {
  if (labels.open || truth.length !== labels.ordered.length) return false;
  if (truth.every((each) => typeof each === 'boolean')) return true;
  const binary = truth.every((each) => each === 0 || each === 1);
  const mayCount = options.index !== undefined || (labels.find('0') !== null && labels.find('1') !== null);
  return binary && (!mayCount || marksOptions(truth));
}

/** A list of booleans, or one of 0 and 1 that repeats a number, which no list of indices or labels does. */
function marksOptions(truth: readonly unknown[]): boolean {
  if (truth.length < 2) return false;
  if (truth.every((each) => typeof each === 'boolean')) return true;
  return truth.every((each) => each === 0 || each === 1) && new Set(truth).size < truth.length;
}

function isFlags(truth: unknown): truth is Readonly<Record<string, unknown>> {
  return (
    typeof truth === 'object' &&
    truth !== null &&
    Object.values(truth).every((flag) => flag === 0 || flag === 1 || typeof flag === 'boolean')
  );
}

/** {"A": 1, "B": 0}, by label or by text. */
function fromFlags(truth: Readonly<Record<string, unknown>>, known: Known): Found | null {
  const flags = Object.entries(truth);
  const named = flags.map(([key]) => oneLabel(key, known));
  if (flags.length === 0 || named.some((label) => label === null)) return null;
  return named.filter((label, i) => label !== null && Boolean(flags[i]?.[1])).filter((label) => label !== null);
}

function fromValue(truth: unknown, known: Known): Found | null {
  if (
    typeof truth === 'number' ||
    (typeof truth === 'string' && known.options.index !== undefined && /^\s*\d{1,4}\s*$/u.test(truth))
  ) {
    return fromNumber(Number(truth), known);
  }
  if (typeof truth === 'boolean') return asList(textLabel(String(truth), known));
  return typeof truth === 'string' ? fromText(truth, known) : null;
}

function fromNumber(truth: number, known: Known): Found | null {
  const { index } = known.options;
  if (index === undefined) return asList(oneLabel(String(truth), known));
  const label =
    known.labels.open || !Number.isInteger(truth)
      ? undefined
      : known.labels.ordered[index === 'zero-based' ? truth : truth - 1];
  return asList(label ?? null);
}
