import { isAllStatement, isNoneStatement } from './all-none.ts';
import { cleanString } from './clean/clean.ts';
import type { ChoiceQuestion } from './extraction.ts';
import { foldLabel, type Labels, toLabels } from './labels.ts';
import { type OptionTexts, toKey, toOptionTexts } from './option-texts.ts';
import { truthError } from './truth-error.ts';

export type TruthOptions = {
  /** How numbers count options; without it a number is a label or an option's text. */
  readonly index?: 'zero-based' | 'one-based' | undefined;
};

type Known = {
  readonly labels: Labels;
  readonly texts: OptionTexts;
  readonly question: ChoiceQuestion;
  readonly options: TruthOptions;
};
type Found = readonly string[] | 'all' | 'none';

const FRAMED =
  /^\s*(?:both|options?|choices?|answers?)\s(?=.)|\s(?:are (?:both |all )?(?:correct|right|true)|only)\.?\s*$/giu;
const SEPARATORS = [/[;|\n、，；]/u, /,/u, /\s?[,;&+/|、，；]\s?(?:and\s)?|\s(?:and|und|y|et|e)\s|\s?[和与]\s?/iu];

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
  return binary && options.index === undefined && (labels.find('0') === null || labels.find('1') === null);
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

function fromText(truth: string, known: Known): Found | null {
  const one = oneLabel(truth, known);
  if (one !== null) return [one];
  if (/^\s*["'(]?all["').]?\s*$/iu.test(truth) || isAllStatement(truth)) return 'all';
  if (/^\s*["'(]?none["').]?\s*$/iu.test(truth) || isNoneStatement(truth)) return 'none';
  return (
    separated(truth, known) ??
    separated(truth.replace(FRAMED, ''), known) ??
    spaced(truth, known) ??
    joined(truth, known) ??
    labelWithText(truth, known) ??
    asList(prefixLabel(truth, known))
  );
}

/** A label in any dress, or the whole text of exactly one option. */
function oneLabel(written: string, known: Known): string | null {
  return known.labels.find(undress(written)) ?? textLabel(written, known);
}

function undress(written: string): string {
  return foldLabel(written)
    .replace(/^(?:option|choice|answer)\s(?=.)/iu, '')
    .replace(/^[\s"'([]{1,3}|[\s"').:\]]{1,4}$/gu, '');
}

function textLabel(written: string, { texts }: Known): string | null {
  const equal = texts.equal(written);
  return equal.length === 1 ? (equal[0] ?? null) : null;
}

/** "A,D", "A; D", "A|D", "A and D", and texts separated in the same ways. */
function separated(truth: string, known: Known): readonly string[] | null {
  for (const separator of SEPARATORS) {
    const parts = truth.split(separator).filter((part) => part.trim() !== '');
    const labels = parts.map((part) => oneLabel(part.replace(/^\s*(?:and|und)\s/iu, ''), known));
    if (parts.length > 1 && labels.every((label) => label !== null)) return labels;
  }
  return null;
}

/** "A D". */
function spaced(truth: string, { labels }: Known): readonly string[] | null {
  const parts = truth.trim().split(/\s{1,3}/u);
  const named = parts.map((part) => labels.find(part)).filter((label) => label !== null);
  return parts.length > 1 && named.length === parts.length && new Set(named).size === parts.length ? named : null;
}

/** "AD", where every letter is a label and the whole is none. */
function joined(truth: string, { labels }: Known): readonly string[] | null {
  const letters = [...foldLabel(truth)];
  const named = letters.map((letter) => (/\p{L}/u.test(letter) ? labels.find(letter) : null));
  const known = named.filter((label) => label !== null);
  const plausible = letters.length > 1 && known.length === letters.length && new Set(known).size === known.length;
  // Without choices any word is made of labels, so there the letters must be capitals in order.
  return plausible && (!labels.open || /^[A-Z]+$/u.test(truth.trim())) && (!labels.open || isAscending(known))
    ? known
    : null;
}

function isAscending(labels: readonly string[]): boolean {
  return labels.every((label, i) => i === 0 || label > (labels[i - 1] ?? ''));
}

/** "B. its text". */
function labelWithText(truth: string, known: Known): readonly string[] | null {
  const labelled = labelledText(truth, known);
  if (labelled === null) return null;
  return labelled.named.includes(labelled.label) || known.labels.open ? [labelled.label] : null;
}

/** A label, a delimiter and a text; `named` are the options that have this text. */
function labelledText(
  truth: string,
  known: Known,
): { readonly label: string; readonly named: readonly string[] } | null {
  const parts = /^\s{0,9}[([]?([^\s.:)\]]{1,12})[.:)\]]{1,2}\s?(\S[\s\S]*)$/u.exec(truth);
  const label = parts === null ? null : known.labels.find(parts[1] ?? '');
  return label === null ? null : { label, named: known.texts.equal(parts?.[2] ?? '') };
}

/** A truth that was cut short: at least 8 characters, and the start of one option only. */
function prefixLabel(truth: string, { question }: Known): string | null {
  const key = toKey(truth);
  if (cleanString(truth).length < 8 || key === '') return null;
  const labels = Object.entries(question.choices ?? {}).filter(([, text]) => toKey(text).startsWith(key));
  return labels.length === 1 ? (labels[0]?.[0] ?? null) : null;
}

function asList(label: string | null): readonly string[] | null {
  return label === null ? null : [label];
}
