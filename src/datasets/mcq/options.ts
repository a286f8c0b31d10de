import { isFields } from '../../records/record.ts';
import { quote } from '../../text/show.ts';
import { tryOrUndefined } from '../../text/thrown.ts';
import { plural } from '../../text/wording.ts';
import { type Field, fault, findFields, type Place } from '../record-fields.ts';
import type { Option, RawOption } from './fields.ts';
import { parsePythonList } from './python-list.ts';

/** One form in which a single field holds all options of a question. */
export type OptionForm = {
  /** The end of the sentence "Options ..." in notes. */
  readonly name: string;
  /** Present when test splits of this form are published without answers. */
  readonly hides?: 'whole file';
  fits(value: unknown): boolean;
  /** Throws a RecordError when the field of this record has another form. */
  read(place: Place, field: Field): readonly RawOption[];
};

/** Two lists side by side: {"text": ["...", "..."], "label": ["A", "B"]}. */
export const parallel: OptionForm = {
  name: 'as lists of texts and labels',
  hides: 'whole file',
  fits: (value) => toLists(value) !== null,
  read: (place, field) => {
    const { texts, labels } = toLists(field.value) ?? {};
    if (texts === undefined || labels === undefined)
      throw fault(place, field, 'must hold a list "text" and a list "label"');
    if (texts.length === labels.length) return pair(place, field, texts, labels);
    throw fault(
      place,
      field,
      `has ${plural(texts.length, 'text')} and ${plural(labels.length, 'label')}`,
    );
  },
};

/**
 * A list of texts, or a list of {label, text}; without labels the options are A, B, C and so on.
 */
export const list: OptionForm = {
  name: 'as a list',
  fits: (value) => Array.isArray(value),
  read: (place, field) => {
    if (!Array.isArray(field.value)) throw fault(place, field, 'must be a list of options');
    const elements: readonly unknown[] = field.value;
    const labels = elements.map((element) =>
      isFields(element) ? findFields(element, LABEL)[0]?.value : undefined,
    );
    const texts = elements.map((element) =>
      isFields(element) ? findFields(element, TEXT)[0]?.value : element,
    );
    const lacksLabels = labels.every((label) => label === undefined);
    return lacksLabels ? labelByPosition(place, field, texts) : pair(place, field, texts, labels);
  },
};

/** An object of texts by label: {"A": "...", "B": "..."}. */
export const object: OptionForm = {
  name: 'by label',
  fits: isFields,
  read: (place, field) => {
    if (!isFields(field.value)) throw fault(place, field, 'must be an object of texts by label');
    return Object.entries(field.value).map(([label, text]) => ({ label, text }));
  },
};

/**
 * All options in one text: "a|b|c" as in the sample table (`\|` stands for a bar in a text), one
 * per line, "A) a B) b", a JSON list, or a list as Python writes it.
 */
export const text: OptionForm = {
  name: 'in one text',
  fits: (value) => typeof value === 'string',
  read: (place, field) => {
    if (typeof field.value !== 'string')
      throw fault(place, field, 'must be text with "|" between the options');
    const source = field.value;
    const parsed: unknown = tryOrUndefined(() => JSON.parse(source)) ?? parsePythonList(source);
    if (Array.isArray(parsed)) return list.read(place, { ...field, value: parsed });
    return labelByPosition(place, field, splitOptions(place, field, source));
  },
};

/** The forms in the order in which they are tried. A new one is one constant and one line here. */
export const optionForms: readonly OptionForm[] = [parallel, list, object, text];

/** The label of an option without one, by its index from 0: A, B, C and so on. */
export function letterAt(place: number): string {
  return String.fromCharCode(65 + place);
}

/** Options A, B, C and so on, in a layout that gives them these letters. */
export function toLettered(texts: readonly unknown[]): readonly RawOption[] {
  return texts.map((each, index) => ({ label: letterAt(index), text: each }));
}

/** Options by position. Throws a RecordError beyond Z. */
export function labelByPosition(
  place: Place,
  field: Field,
  texts: readonly unknown[],
): RawOption[] {
  if (texts.length > 26)
    throw fault(place, field, `must have at most 26 options, but has ${texts.length}`);
  return toLettered(texts).map((option) => ({ ...option, positional: true }));
}

/**
 * Cleans the options of one question: drops empty ones at the end (a table pads short rows) and
 * strips labels written before the texts. Throws a RecordError for fewer than two options, an empty
 * option, an unusable label, and labels before the texts that are not those of the options.
 */
export function toOptions(
  place: Place,
  field: Field,
  raw: readonly RawOption[],
): readonly Option[] {
  const texts = raw.map(({ label, text: each }) => ({
    label: label.trim(),
    text: toText(place, field, each),
  }));
  const filled = texts.slice(0, texts.findLastIndex(({ text }) => text !== '') + 1);
  if (filled.length < 2) throw fault(place, field, 'must have at least 2 options');
  const positional = raw.every((option) => option.positional === true);
  const options = stripLabels(place, field, filled, positional);
  const empty = options.find(({ text }) => text === '');
  if (empty !== undefined) throw fault(place, field, `has an empty option ${quote(empty.label)}`);
  assertLabels(place, field, options);
  return options;
}

function toText(place: Place, field: Field, text: unknown): string {
  if (text === null || text === undefined) return '';
  if (typeof text === 'string') return text.trim();
  if (typeof text === 'number' || typeof text === 'boolean') return String(text);
  throw fault(place, field, 'must give each option as text');
}

/** Labels are joined to a list like "A,D", in which ALL and NONE have a special meaning. */
function assertLabels(place: Place, field: Field, options: readonly Option[]): void {
  const labels = options.map(({ label }) => label);
  const bad = labels.find(
    (label) => !/^[^\s,]{1,20}$/.test(label) || /^(?:all|none)$/i.test(label),
  );
  if (bad !== undefined) {
    const problem = `has the label ${quote(bad)}; a label must be short, without spaces and commas, and not ALL or NONE`;
    throw fault(place, field, problem);
  }
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined) throw fault(place, field, `has the label ${quote(twice)} twice`);
}

const WRITTEN = /^(?:\(([A-Za-z]|\d{1,2})\)\s*|([A-Za-z]|\d{1,2})[.):](?:\s+|$))/;
/** "coli", "elegans": most second names of species have such an ending, most plain words do not. */
const LATIN = /^\p{Ll}+(?:us|is|ae|i|um|ans|ens|a|er|or)(?:\s|$)/u;
/**
 * A label this far beyond the number of the options is an initial or a number that belongs to the
 * text.
 */
const BEYOND = 2;

/**
 * Strips the labels of "A. x", "A) x", "(A) x" and "A: x", if every option of the question has its
 * own. "1. x" gives options without labels the labels 1, 2, 3. Throws a RecordError for labels that
 * are out of order, repeated or have a gap. "E. coli" and "J. Smith" have no labels.
 */
function stripLabels(
  place: Place,
  field: Field,
  options: readonly Option[],
  positional: boolean,
): readonly Option[] {
  const written = options.flatMap(({ text }) => toWritten(text) ?? []);
  if (written.length < options.length) return options;
  const own = options.map(({ label }) => label.toUpperCase());
  const labels = written.map(({ label }) => label.toUpperCase());
  const places = labels.map((label) =>
    /\d/.test(label) ? Number(label) - 1 : label.charCodeAt(0) - 65,
  );
  if (labels.every((label, index) => label === own[index])) return written;
  if (positional && places.every((each, index) => each === index)) return written;
  const isOrder =
    new Set(labels).size === own.length && labels.every((label) => own.includes(label));
  const isList = positional && places.every((each) => each < options.length + BEYOND);
  const areNames = written.filter(({ text }) => LATIN.test(text)).length * 2 > written.length;
  if (areNames || !(isOrder || isList)) return options;
  const found = written.map(({ label }) => label).join(', ');
  const expected = options.map(({ label }) => label).join(', ');
  const problem = `has texts that start with the labels ${found}, but the options are ${expected}`;
  const remedy =
    'Put the options in the order of their labels, without a gap, or write them as an object, {"A": "text"}.';
  throw fault(place, field, problem, remedy);
}

function toWritten(text: string): Option | null {
  const [prefix = '', bracketed, plain] = WRITTEN.exec(text) ?? [];
  const label = bracketed ?? plain;
  return label === undefined ? null : { label, text: text.slice(prefix.length) };
}

const LABEL = ['label', 'key', 'letter', 'id'];
const TEXT = ['text', 'value', 'content', 'option'];

const LABELS = ['label', 'labels', 'key', 'keys'];
const TEXTS = ['text', 'texts', 'value', 'values'];

function toLists(
  value: unknown,
): { readonly texts: readonly unknown[]; readonly labels: readonly unknown[] } | null {
  if (!isFields(value)) return null;
  const [texts, labels] = [TEXTS, LABELS].map((names) => findFields(value, names)[0]?.value);
  return Array.isArray(texts) && Array.isArray(labels) ? { texts, labels } : null;
}

function pair(
  place: Place,
  field: Field,
  texts: readonly unknown[],
  labels: readonly unknown[],
): readonly RawOption[] {
  return labels.map((label, index) => {
    if (typeof label === 'string' || typeof label === 'number')
      return { label: String(label), text: texts[index] };
    throw fault(place, field, 'must give a label to every option or to none');
  });
}

/**
 * "|x|" between spaces or operators: the bars of an absolute value, or an option between two bars.
 */
const BARS = /(?<=^|[\s(=<>+*/-])\|[^\s|](?:[^|\n]{0,20}[^\s|])?\|(?=[\s)=<>+*/^.-])/u;

function splitOptions(place: Place, field: Field, source: string): readonly string[] {
  const bars = BARS.exec(source)?.[0];
  if (bars !== undefined) {
    const problem = `has ${quote(bars)}, and its bars may be part of a text`;
    throw fault(
      place,
      field,
      problem,
      'Write "\\|" for a bar inside a text, or write the options as a JSON list.',
    );
  }
  const parts = source.split(/(?<!\\)\|/);
  if (parts.length > 1) return parts.map((part) => part.replaceAll('\\|', '|'));
  const lines = source.trim().split('\n');
  return lines.length > 1 ? lines : splitAtLabels(source.trim());
}

/** "A) four B) five C) six": cut before each label that is the next letter. */
function splitAtLabels(source: string): readonly string[] {
  const parts: string[] = [];
  let rest = source;
  for (let place = 1; place < 26; place++) {
    const cut = rest.search(new RegExp(`\\s\\(?${letterAt(place)}[.):]\\s`));
    if (cut === -1) break;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut + 1);
  }
  return /^\(?A[.):]\s/.test(source) ? [...parts, rest] : [source];
}
