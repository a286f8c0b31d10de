import type { Option } from './draft.ts';

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
