import { RecordError } from '../../records/record.ts';
import { quote } from '../../text/show.ts';
import { normalizeName } from '../record-fields.ts';
import type { McqDraft, Option, Truth } from './to-drafts.ts';

/** The options without the labels that their texts start with, or those labels where they are not the options'. */
export type WrittenLabels =
  | { readonly kind: 'options'; readonly options: readonly Option[] }
  | { readonly kind: 'other labels'; readonly labels: readonly string[] };

type Written = { readonly label: string; readonly text: string };

const WRITTEN = /^(?:\(([A-Za-z]|\d{1,2})\)\s*|([A-Za-z]|\d{1,2})[.):](?:\s+|$))/;
/** "E. coli", "C. elegans": the initial of a name. */
const SPECIES = /^\p{Ll}{3,20}(?:\s|$)/u;
/** A label this far beyond the number of the options is an initial or a number of the text's own. */
const BEYOND = 2;

/**
 * "A. x", "A) x", "(A) x" and "A: x" lose their label, if every option of the question carries its own; "1. x" gives
 * options that have only their places the labels 1, 2, 3. Labels out of order, twice or with a gap are other labels.
 */
export function readWrittenLabels(options: readonly Option[], positional: boolean): WrittenLabels {
  const kept = { kind: 'options', options } as const;
  const written = options.map(({ text }) => toWritten(text)).filter((each) => each !== null);
  if (written.length < options.length || options.length < 2) return kept;
  const places = written.map(({ label }) => placeOf(label));
  const own = written.every(({ label }, i) => label.toUpperCase() === options[i]?.label.toUpperCase());
  const inOrder = places.every((place, i) => place === i);
  if (own || (positional && inOrder)) return { kind: 'options', options: written };
  const all = new Set(options.map(({ label }) => label.toUpperCase()));
  const isOrder = all.size === new Set(places).size && written.every(({ label }) => all.has(label.toUpperCase()));
  const isList = positional && places.every((place) => place < options.length + BEYOND) && !areNames(written);
  return (isOrder && !areNames(written)) || isList
    ? { kind: 'other labels', labels: written.map(({ label }) => label) }
    : kept;
}

function toWritten(text: string): Written | null {
  const [prefix = '', bracketed, plain] = WRITTEN.exec(text) ?? [];
  const label = bracketed ?? plain;
  return label === undefined ? null : { label, text: text.slice(prefix.length) };
}

/** From 0, for letters and for numbers that count from 1. */
function placeOf(label: string): number {
  return /\d/.test(label) ? Number(label) - 1 : label.toUpperCase().charCodeAt(0) - 65;
}

function areNames(written: readonly Written[]): boolean {
  return written.every(({ label, text }) => /[A-Z]/.test(label) && SPECIES.test(text)) && isSpecies(written);
}

/** Plain texts are in lower case too; the names of species have Latin endings. */
function isSpecies(written: readonly Written[]): boolean {
  const latin = written.filter(({ text }) => /^\p{Ll}+(?:us|is|ae|i|um|ans|ens|a|er|or)(?:\s|$)/u.test(text));
  return latin.length * 2 > written.length;
}

/** Names that promise a label. */
const NAMES_LABELS = /key|letter|label|idx|index/;

/**
 * Throws a RecordError for a truth that is the label of one option and the text of another ("A" among O, A, B, AB),
 * unless the other truths of the file show which it is: labels that are no texts, or a name such as "answerKey".
 */
export function refuseLabelOrText(drafts: readonly McqDraft[]): void {
  const unclear = drafts.flatMap((draft) =>
    draft.truths
      .filter((truth) => truth.index === undefined && isBoth(draft, truth))
      .map((truth) => ({ draft, truth })),
  );
  for (const { draft, truth } of unclear) {
    if (NAMES_LABELS.test(normalizeName(truth.name)) || draft.truths.length > 1) continue;
    if (!showsLabels(drafts, truth.name)) throw labelOrText(draft, truth);
  }
}

function isBoth({ options }: McqDraft, { value }: Truth): boolean {
  return partsOf(value, options).some((written) => {
    const label = labelOf(written, options);
    return label !== undefined && options.some((option) => option !== label && isTextOf(option, written, label));
  });
}

/** What may be a label or a text: the whole truth where it is one, else each element of a list in any writing. */
function partsOf(value: unknown, options: readonly Option[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => (typeof each === 'string' ? each.trim() : []));
  if (typeof value !== 'string') return [];
  const whole = value.trim();
  const isOne = labelOf(whole, options) !== undefined || options.some(({ text }) => isAlike(text, whole));
  return isOne ? [whole] : whole.split(/[,;|]/).map((part) => part.trim());
}

/** The option with this label, in any case where no label is spelt like it. */
function labelOf(written: string, options: readonly Option[]): Option | undefined {
  return (
    options.find(({ label }) => label === written) ??
    options.find(({ label }) => label.toLowerCase() === written.toLowerCase())
  );
}

/** A label in its own case is no text of another case: "A" is the label beside an option "a". */
function isTextOf({ text }: Option, written: string, { label }: Option): boolean {
  return label === written ? text.trim() === written : isAlike(text, written);
}

function isAlike(text: string, written: string): boolean {
  return text.trim().toLowerCase() === written.toLowerCase();
}

/** Whether some truth of this field is a label and no text, and none is a text and no label. */
function showsLabels(drafts: readonly McqDraft[], name: string): boolean {
  let labels = 0;
  for (const { options, truths } of drafts) {
    const value = truths.find((truth) => truth.name === name)?.value;
    for (const written of partsOf(value, options)) {
      const isLabel = labelOf(written, options) !== undefined;
      const isText = options.some(({ text }) => isAlike(text, written));
      if (isText && !isLabel) return false;
      if (isLabel && !isText) labels += 1;
    }
  }
  return labels > 0;
}

function labelOrText({ place, options }: McqDraft, { name, value }: Truth): RecordError {
  const [written] = partsOf(value, options).filter((part) => labelOf(part, options) !== undefined);
  const own = written === undefined ? undefined : labelOf(written, options);
  return new RecordError({
    ...place,
    field: name,
    problem: 'is the label of one option and the text of another',
    value,
    remedy: `Write label and text, such as ${quote(`${own?.label}. ${own?.text}`)}, or call the field "answerKey" if it holds labels.`,
  });
}

/** Two names of options that are joined: "A and B", "1 or 3", "(b), (c)". */
const JOINED =
  /(?<![\p{L}\p{N}])\(?([\p{L}\p{N}]{1,3})[).]?\s{0,2}(?:,|;|&|\/|\+|\band\b|\bor\b|\bnor\b|\bund\b|\boder\b|\bet\b|\bou\b|\by\b|\bo\b|\be\b|和|与|或|、)\s{0,2}\(?([\p{L}\p{N}]{1,3})(?![\p{L}\p{N}])/giu;

/** One name of an option beside a word that shows it to be one: "option C", "only B", "A only", "except (D)". */
const BESIDE =
  /(?:\b(?:options?|choices?|answers?|statements?)|(?:\bonly|\bexcept|\bbut|\bneither|\beither|\bboth)) \(?([\p{L}\p{N}]{1,3})\)?(?![\p{L}\p{N}])|^\(?([\p{L}\p{N}]{1,3})\)? only\b/giu;

const ABOVE =
  /\bof (?:the |these )?(?:above|below|preceding|previous|foregoing|following|others?)\b|\b(?:above|below|preceding|previous|other) (?:options?|choices?|answers?|statements?)\b|\b(?:options?|choices?|answers?|statements?) (?:above|below)\b/i;

/**
 * Whether an option's text speaks of other options by label or place, so that it is right only in its own order. In
 * doubt it does: "vitamins A and D" among options A to D only costs the shuffling of one question.
 */
export function refersToOptions(text: string, labels: readonly string[]): boolean {
  if (ABOVE.test(text)) return true;
  const known = new Set(labels.map((label) => label.toLowerCase()));
  const isLabel = (name: string | undefined) => name !== undefined && known.has(name.toLowerCase());
  const joined = [...text.matchAll(JOINED)].some(([, left, right]) => isLabel(left) && isLabel(right));
  // "only a physician" begins with a word, not with option A: a lone name must be spelt as the label is.
  const beside = [...text.matchAll(BESIDE)].some(([, after, before]) => labels.includes(after ?? before ?? ''));
  return joined || beside;
}
