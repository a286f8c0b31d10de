import { isAllStatement, isNoneStatement } from './all-none.ts';
import type { ChoiceQuestion } from './extraction.ts';
import { foldLabel, type Labels } from './labels.ts';
import { type OptionTexts, toKey } from './option-texts.ts';

/** A question, prepared for reading truths of it. */
export type KnownTruths = {
  readonly labels: Labels;
  readonly texts: OptionTexts;
  readonly question: ChoiceQuestion;
};

/** Labels, or a word for all or for none of them. */
export type Found = readonly string[] | 'all' | 'none';

const FRAMED =
  /^\s*(?:both|options?|choices?|answers?)\s(?=.)|\s(?:are (?:both |all )?(?:correct|right|true)|only)\.?\s*$/giu;
const SEPARATORS = [/[;|\n、，；]/u, /,/u, /\s?[,;&+/|、，；]\s?(?:and\s)?|\s(?:and|und|y|et|e)\s|\s?[和与]\s?/iu];

/** What a written truth names: a label, several in any writing, an option's text or its start, ALL, NONE. */
export function fromText(truth: string, known: KnownTruths): Found | null {
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
export function oneLabel(written: string, known: KnownTruths): string | null {
  return known.labels.find(undress(written)) ?? textLabel(written, known);
}

function undress(written: string): string {
  return foldLabel(written)
    .replace(/^(?:option|choice|answer)\s(?=.)/iu, '')
    .replace(/^[\s"'([]{1,3}|[\s"').:\]]{1,4}$/gu, '');
}

export function textLabel(written: string, { texts }: KnownTruths): string | null {
  const equal = texts.equal(written);
  return equal.length === 1 ? (equal[0] ?? null) : null;
}

/** "A,D", "A; D", "A|D", "A and D", and texts separated in the same ways. */
function separated(truth: string, known: KnownTruths): readonly string[] | null {
  for (const separator of SEPARATORS) {
    const parts = truth.split(separator).filter((part) => part.trim() !== '');
    const labels = parts.map((part) => oneLabel(part.replace(/^\s*(?:and|und)\s/iu, ''), known));
    if (parts.length > 1 && labels.every((label) => label !== null)) return labels;
  }
  return null;
}

/** "A D". */
function spaced(truth: string, { labels }: KnownTruths): readonly string[] | null {
  const parts = truth.trim().split(/\s{1,3}/u);
  const named = parts.map((part) => labels.find(part)).filter((label) => label !== null);
  return parts.length > 1 && named.length === parts.length && new Set(named).size === parts.length ? named : null;
}

/** "AD", where every letter is a label as it is spelt and the whole is none; "Cab" is a word. */
function joined(truth: string, { labels }: KnownTruths): readonly string[] | null {
  const letters = [...foldLabel(truth)];
  const named = letters.map((letter) => (/\p{L}/u.test(letter) && labels.ordered.includes(letter) ? letter : null));
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
function labelWithText(truth: string, known: KnownTruths): readonly string[] | null {
  const labelled = labelledText(truth, known);
  if (labelled === null) return null;
  return labelled.named.includes(labelled.label) || known.labels.open ? [labelled.label] : null;
}

/** A label, a delimiter and a text; `named` are the options that have this text. */
export function labelledText(
  truth: string,
  known: KnownTruths,
): { readonly label: string; readonly named: readonly string[] } | null {
  const parts = /^\s{0,9}[([]?([^\s.:)\]]{1,12})[.:)\]]{1,2}\s?(\S[\s\S]*)$/u.exec(truth);
  const label = parts === null ? null : known.labels.find(parts[1] ?? '');
  return label === null ? null : { label, named: known.texts.equal(parts?.[2] ?? '') };
}

/** The mark of a truth that was cut; without one, "not safe" is another text than "not safer than before". */
const CUT = /\s?(?:…|\.\.\.)\s{0,3}$/u;

/** A truth that says it was cut, between two words: at least 8 characters, and the start of one option only. */
function prefixLabel(truth: string, { question }: KnownTruths): string | null {
  if (!CUT.test(truth)) return null;
  const key = toKey(truth.replace(CUT, ''));
  if (key.length < 8) return null;
  const labels = Object.entries(question.choices ?? {}).filter(([, text]) => isStart(key, toKey(text)));
  return labels.length === 1 ? (labels[0]?.[0] ?? null) : null;
}

/** Keys hold a blank after each word, number and sign; "12 . 345" goes on inside a number. */
function isStart(key: string, text: string): boolean {
  const rest = text.slice(key.length);
  return text.startsWith(`${key} `) && !(/\p{N}(?: [.,])?$/u.test(key) && /^(?: [.,])? \p{N}/u.test(rest));
}

export function asList(label: string | null): readonly string[] | null {
  return label === null ? null : [label];
}
