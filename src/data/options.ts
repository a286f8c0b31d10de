import { isFields } from '../words/fields.ts';
import { called, counted, plainly, type Told, told } from '../words/told.ts';
import { parseLiteral } from './files/json.ts';
import { type Field, fault, findFilled, type Place } from './record-fields.ts';

/** One option with the label by which answers name it. */
export type Option = Readonly<{ label: string; text: string }>;

/** An option as it is in a record: its text may be empty and may start with its label. */
export type RawOption = Readonly<{
  label: string;
  text: unknown;
  /** Present when the label only follows from the option's place and is not in the record. */
  positional?: true;
}>;

/**
 * Reads a field with all options: a list, an object by label, two lists side by side, or one
 * text. Throws a RecordError when it has another form.
 */
export function readOptions(place: Place, field: Field): readonly RawOption[] {
  const { value } = field;
  if (Array.isArray(value)) return readList(place, field, value);
  if (typeof value === 'string') return readOptionsText(place, field, value);
  if (!isFields(value)) throw fault(place, field, told`must be a list of options`);
  const lists = findLists(value);
  if (lists === null) return Object.entries(value).map(([label, text]) => ({ label, text }));
  const { texts, labels } = lists;
  if (texts.length === labels.length) return pair(place, field, texts, labels);
  const [own, others] = [counted(texts.length, told`text`), counted(labels.length, told`label`)];
  throw fault(place, field, told`has ${own} and ${others}`);
}

type Lists = Readonly<{ texts: readonly unknown[]; labels: readonly unknown[] }>;

/** A list of texts or of {label, text}; without labels the options are A, B, C and so on. */
function readList(place: Place, field: Field, elements: readonly unknown[]): readonly RawOption[] {
  const find = (names: readonly string[], element: unknown) =>
    isFields(element) ? findFilled(element, names)[0]?.value : undefined;
  const labels = elements.map((element) => find(LABEL, element));
  const texts = elements.map((element) => (isFields(element) ? find(TEXT, element) : element));
  const lacksLabels = labels.every((label) => label === undefined);
  return lacksLabels ? labelByPosition(place, field, texts) : pair(place, field, texts, labels);
}

/**
 * "a|b|c" as in the sample table (`\|` is a bar in a text), one option per line, "A) a B) b",
 * a JSON list, or a list as Python writes it.
 */
function readOptionsText(place: Place, field: Field, source: string): readonly RawOption[] {
  const parsed = parseLiteral(source);
  if (Array.isArray(parsed) || isFields(parsed))
    return readOptions(place, { ...field, value: parsed });
  if (/^\s*\[[^|]*\]\s*$/.test(source))
    throw fault(place, field, told`must be a JSON list, or texts with "|" between them`);
  return labelByPosition(place, field, splitOptions(source));
}

/** The texts of a field with one or several options, which are one text in a table. */
export function readTexts(place: Place, field: Field): readonly unknown[] {
  if (Array.isArray(field.value)) return field.value;
  if (typeof field.value !== 'string' || !/s$/i.test(field.name)) return [field.value];
  const texts = readOptionsText(place, field, field.value).map((option) => option.text);
  if (texts.length > 1 || !field.value.trim().startsWith('[')) return texts;
  throw fault(place, field, told`must be a JSON list, or texts with "|" between them`);
}

/**
 * The options that a question lists at the beginning of lines, as "(A) ...", "A) ..." or "A. ...":
 * the last such list; null without one.
 */
export function findOptionsInside(question: string): readonly RawOption[] | null {
  let found: RawOption[] = [];
  let listed: RawOption[] | null = null;
  for (const [, bracketed, plain, text = ''] of question.matchAll(INSIDE)) {
    const label = bracketed ?? plain ?? '';
    if (label === 'A') found = [];
    if (label !== letterAt(found.length)) continue;
    found.push({ label, text: text.trim() });
    if (found.length > 1) listed = found;
  }
  return listed;
}

const INSIDE = /^[ \t]{0,9}(?:\(([A-Z])\)|([A-Z])[.):])[ \t]{1,9}(\S.*)$/gm;

/** Whether a question says each option with its label, so the options need not be shown again. */
export function standInside(question: string, options: readonly Option[]): boolean {
  const squash = (text: string) => text.replace(/[\s*]+/g, '').toLowerCase();
  const squashed = squash(question);
  return options.every(({ label, text }, index) => {
    const option = squash(text);
    return (
      squashed.includes(option) &&
      [label.toLowerCase(), String(index + 1)].some((name) =>
        MARKS.some((mark) => squashed.includes(name + mark + option)),
      )
    );
  });
}

const MARKS = [')', '.', ':', '-', '．', '、', '：'];

/** The label of an option without one, by its index from 0: A, B, C and so on. */
export function letterAt(place: number): string {
  return String.fromCharCode(65 + place);
}

/** Options A, B, C and so on, in a layout that gives them these letters. */
export function toLettered(texts: readonly unknown[]): readonly RawOption[] {
  return texts.map((each, index) => ({ label: letterAt(index), text: each }));
}

/** Options by position. Throws a RecordError beyond Z. */
function labelByPosition(place: Place, field: Field, texts: readonly unknown[]): RawOption[] {
  refuseMany(place, field, texts);
  return toLettered(texts).map((option) => ({ ...option, positional: true }));
}

/** Throws a RecordError for more options than there are letters. */
export function refuseMany(place: Place, field: Field, texts: readonly unknown[]): void {
  if (texts.length > 26)
    throw fault(place, field, told`must have at most 26 options, but has ${texts.length}`);
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
    text: readOptionText(place, field, each),
  }));
  const filled = texts.slice(0, texts.findLastIndex(({ text }) => text !== '') + 1);
  if (filled.length < 2) throw fault(place, field, told`must have at least 2 options`);
  const positional = raw.every((option) => option.positional === true);
  const options = stripLabels(place, field, filled, positional);
  const empty = options.find(({ text }) => text === '');
  if (empty !== undefined)
    throw fault(place, field, told`has an empty option${nameLabel(empty.label)}`);
  assertLabels(place, field, options);
  return options;
}

function readOptionText(place: Place, field: Field, text: unknown): string {
  if (text === null || text === undefined) return '';
  if (typeof text === 'string') return text.trim();
  if (typeof text === 'number' || typeof text === 'boolean') return String(text);
  throw fault(place, field, told`must have each option as a string`);
}

/** The label of an option with a blank before it; nothing for one that may be a text of the record. */
function nameLabel(label: string): Told {
  return /^(?:[A-Za-z]|\d{1,2})$/.test(label) ? told` ${called(label)}` : told``;
}

/** Labels are joined to a list like "A,D", in which ALL and NONE have a special meaning. */
function assertLabels(place: Place, field: Field, options: readonly Option[]): void {
  const labels = options.map(({ label }) => label);
  const bad = labels.find(
    (label) => !/^[^\s,]{1,20}$/.test(label) || /^(?:all|none)$/i.test(label),
  );
  if (bad !== undefined) {
    const problem = told`has an unusable label; a label must be short, without spaces and commas, and not ALL or NONE`;
    throw fault(place, field, problem);
  }
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined) throw fault(place, field, told`has the label${nameLabel(twice)} twice`);
}

const WRITTEN = /^(?:\(([A-Za-z]|\d{1,2})\)\s*|([A-Za-z]|\d{1,2})(?:\s?\)\s*|[.:](?:\s+|$)))/;
/** "coli", "elegans": most second names of species have such an ending, most plain words do not. */
const LATIN = /^\p{Ll}+(?:us|is|ae|i|um|ans|ens|a|er|or)(?:\s|$)/u;
/**
 * A label this far beyond the number of the options is an initial or a number that belongs to the
 * text.
 */
const BEYOND = 2;

/**
 * Strips the labels of "A. x", "A) x", "(A) x" and "A: x", if every option of the question has its
 * own. Options like "1. x", without other labels, have the labels 1, 2, 3. Throws a RecordError for
 * labels that are out of order, repeated or have a gap. "E. coli" and "J. Smith" have no labels.
 */
function stripLabels(
  place: Place,
  field: Field,
  options: readonly Option[],
  positional: boolean,
): readonly Option[] {
  const written = options.flatMap(({ text }) => splitLabel(text) ?? []);
  if (written.length < options.length) return options;
  const ownLabels = options.map(({ label }) => label.toUpperCase());
  const labels = written.map(({ label }) => label.toUpperCase());
  const places = labels.map((label) =>
    /\d/.test(label) ? Number(label) - 1 : label.charCodeAt(0) - 65,
  );
  if (labels.every((label, index) => label === ownLabels[index])) return written;
  if (positional && places.every((each, index) => each === index)) return written;
  const isOrder =
    new Set(labels).size === ownLabels.length && labels.every((label) => ownLabels.includes(label));
  const isList = positional && places.every((each) => each < options.length + BEYOND);
  const areNames = written.filter(({ text }) => LATIN.test(text)).length * 2 > written.length;
  if (areNames || !(isOrder || isList) || areSteps(written)) return options;
  const found = written.map(({ label }) => label).join(', ');
  const expected = options.map(({ label }) => label).join(', ');
  const problem = told`has texts that start with the labels ${plainly(found)}, but the options are ${plainly(expected)}`;
  const remedy =
    'Put the options in the order of their labels, without a gap, or write them as an object, {"A": "text"}.';
  throw fault(place, field, problem, remedy);
}

/**
 * "1. NaNH2 2. HBr", "1. Br2 2. NaOH": each text is a list of its own. So are texts that all begin with
 * one label.
 */
function areSteps(written: readonly Option[]): boolean {
  if (new Set(written.map(({ label }) => label)).size === 1) return true;
  return written.some(({ label, text }) => {
    const next = /\d/.test(label) ? String(Number(label) + 1) : null;
    return next !== null && new RegExp(`[\\s,;(]${next}\\s?[.):]`).test(text);
  });
}

/**
 * The texts without their labels, in any order, if these are A, B, C or 1, 2, 3 and so on: where fields
 * say which option is right, its place says nothing. Other beginnings belong to the texts.
 */
export function withoutLabels(texts: readonly unknown[]): readonly unknown[] {
  const written = texts.flatMap(
    (text) => (typeof text === 'string' && splitLabel(text.trim())) || [],
  );
  const labels = new Set(written.map(({ label }) => label.toUpperCase()));
  const isWhole =
    written.length === texts.length &&
    [letterAt, (place: number) => String(place + 1)].some((labelAt) =>
      texts.every((_, place) => labels.has(labelAt(place))),
    );
  return isWhole && !areSteps(written) ? written.map(({ text }) => text) : texts;
}

function splitLabel(text: string): Option | null {
  const [prefix = '', bracketed, plain] = WRITTEN.exec(text) ?? [];
  const label = bracketed ?? plain;
  return label === undefined ? null : { label, text: text.slice(prefix.length) };
}

const LABEL = ['label', 'key', 'letter', 'id', 'aid', 'answer id'];
const TEXT = ['text', 'value', 'content', 'option', 'atext', 'answer str'];

const LABELS = [...LABEL, 'labels', 'keys'];
const TEXTS = [...TEXT, 'texts', 'values', 'choices'];

function findLists(value: Readonly<Record<string, unknown>>): Lists | null {
  const [texts, labels] = [TEXTS, LABELS].map((names) => findFilled(value, names)[0]?.value);
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
    throw fault(place, field, told`must have a label for every option or for none`);
  });
}

function splitOptions(source: string): readonly string[] {
  const parts = source.split(/(?<!\\)\|/);
  if (parts.length > 1) return parts.map((part) => part.replaceAll('\\|', '|'));
  const lines = source.trim().split('\n');
  return lines.length > 1 ? lines : splitAtLabels(source.trim());
}

/**
 * "A) four B) five C) six" or "a ) four , b ) five": cut before each label that is the next letter.
 */
function splitAtLabels(source: string): readonly string[] {
  const parts: string[] = [];
  const isSmall = source.startsWith('a');
  let rest = source;
  for (let place = 1; place < 26; place++) {
    const letter = isSmall ? letterAt(place).toLowerCase() : letterAt(place);
    const cut = rest.search(new RegExp(`[\\s,]\\(?${letter}\\s?[.):]\\s`));
    if (cut === -1) break;
    parts.push(rest.slice(0, cut).replace(/\s,$/, ''));
    rest = rest.slice(cut + 1);
  }
  return /^\(?A\s?[.):]\s/i.test(source) ? [...parts, rest] : [source];
}
