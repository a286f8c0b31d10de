import { hash } from 'node:crypto';
import { RecordError } from '../../records/record.ts';
import { isAllStatement, isNoneStatement } from '../../scoring/mcq/all-none.ts';
import { quote } from '../../text/show.ts';
import { plural } from '../../text/wording.ts';
import { type Field, findFields, isFields, type Place } from '../record-fields.ts';
import { shuffle } from '../selection.ts';
import type { Option } from './to-drafts.ts';
import { readWrittenLabels } from './written-labels.ts';

/** How a layout spells the options of one question; texts may be empty and may carry their label. */
export type RawOption = {
  readonly label: string;
  readonly text: unknown;
  /** Present where the label is only the place of the option, and no record says it. */
  readonly positional?: true;
};

/** Options by position: A, B, C and so on. Throws a RecordError beyond Z. */
export function labelByPosition(place: Place, field: Field, texts: readonly unknown[]): RawOption[] {
  if (texts.length > 26) throw fault(place, field, `must have at most 26 options, it has ${texts.length}`);
  return texts.map((text, index) => ({ label: String.fromCharCode(65 + index), text, positional: true }));
}

/**
 * Cleans the options of one question: empty ones at the end are dropped (a table pads short rows), the labels written
 * in front of the texts are stripped. Throws a RecordError for fewer than two, an empty one, an unusable label, and labels
 * in front of the texts that are not those of the options.
 */
export function toOptions(place: Place, field: Field, raw: readonly RawOption[]): readonly Option[] {
  const texts = raw.map(({ label, text }) => ({ label: label.trim(), text: toText(place, field, text) }));
  const filled = texts.slice(0, texts.findLastIndex(({ text }) => text !== '') + 1);
  const positional = raw.every((option) => option.positional === true);
  const read = readWrittenLabels(filled, positional);
  if (read.kind === 'other labels') throw otherLabels(place, field, read.labels, filled);
  const { options } = read;
  if (options.length < 2) throw fault(place, field, 'must have at least 2 options');
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

/** Labels end up in a list like "A,D", where ALL and NONE have a meaning of their own. */
function assertLabels(place: Place, field: Field, options: readonly Option[]): void {
  const seen = new Set<string>();
  for (const { label } of options) {
    if (!/^[^\s,]{1,20}$/.test(label) || /^(?:all|none)$/i.test(label)) {
      throw fault(place, field, `has the label ${quote(label)}, a label is short and without spaces or commas`);
    }
    if (seen.has(label)) throw fault(place, field, `has the label ${quote(label)} twice`);
    seen.add(label);
  }
}

function otherLabels(place: Place, field: Field, written: readonly string[], options: readonly Option[]): RecordError {
  return new RecordError({
    ...place,
    field: field.name,
    problem: `has texts that start with the labels ${written.join(', ')}, where the options are ${options.map(({ label }) => label).join(', ')}`,
    value: field.value,
    remedy:
      'Put the options in the order of their labels, without a gap, or write the options as an object, {"A": "text", "B": "text"}.',
  });
}

/** An error about the options of a record. */
export function fault(place: Place, { name, value }: Field, problem: string): RecordError {
  return new RecordError({ ...place, field: name, problem, value, remedy: 'Fix the record or leave it out.' });
}

/**
 * Options in an order that follows from a text alone: shuffled with the first 32 bits of its SHA-256 as the seed.
 * "All of the above" and its like come last, where they are true of the same options as before.
 */
export function orderOptions<T extends object>(
  options: readonly T[],
  textOf: (option: T) => string,
  key: string,
): readonly T[] {
  const closing = options.filter((option) => isClosing(textOf(option)));
  const others = options.filter((option) => !closing.includes(option));
  return [...shuffle(others, Number.parseInt(hash('sha256', key).slice(0, 8), 16)), ...closing];
}

/** Whether an option speaks of all others. */
export function isClosing(text: string): boolean {
  return isAllStatement(text) || isNoneStatement(text);
}

/** Two lists side by side: {"text": ["...", "..."], "label": ["A", "B"]}. */
export const parallel: OptionForm = {
  name: 'as lists of texts and labels',
  hides: true,
  fits: (value) => isFields(value) && listOf(value, TEXTS) !== null && listOf(value, LABELS) !== null,
  read: readParallel,
};

/** A list of texts, or a list of {label, text}; without labels the options are A, B, C and so on. */
export const list: OptionForm = {
  name: 'as a list',
  fits: (value) => Array.isArray(value),
  read: (place, field) => {
    if (!Array.isArray(field.value)) throw fault(place, field, 'must be a list of options');
    const elements: readonly unknown[] = field.value;
    const labels = elements.map((element) => (isFields(element) ? findFields(element, LABEL)[0]?.value : undefined));
    const texts = elements.map((element) =>
      isFields(element) ? (findFields(element, TEXT)[0]?.value ?? '') : element,
    );
    if (labels.every((label) => label === undefined)) return labelByPosition(place, field, texts);
    return labels.map((label, index) => {
      if (typeof label === 'string' || typeof label === 'number') return { label: String(label), text: texts[index] };
      throw fault(place, field, 'must give every option a label, or none');
    });
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
 * All options in one text: "a|b|c" as in source note 004's table (`\|` stands for a bar in a text), one per line,
 * "A) a B) b", or a list as JSON writes it.
 */
export const text: OptionForm = {
  name: 'in one text',
  fits: (value) => typeof value === 'string',
  read: (place, field) => {
    if (typeof field.value !== 'string') throw fault(place, field, 'must be text with "|" between the options');
    const parsed = parseList(field.value);
    if (parsed !== null) return list.read(place, { ...field, value: parsed });
    return labelByPosition(place, field, splitOptions(place, field, field.value));
  },
};

/** The forms in the order in which they are tried. A new one is one file and one line here. */
export const optionForms: readonly OptionForm[] = [parallel, list, object, text];

/** One way in which a single field holds all options of a question. */
export type OptionForm = {
  /** Completes "Options ..." in notes. */
  readonly name: string;
  /** True for a form in which test splits are published without truths. */
  readonly hides?: boolean;
  fits(value: unknown): boolean;
  /** Throws a RecordError when the field of this record has another form. */
  read(place: Place, field: Field): readonly RawOption[];
};

const LABEL = ['label', 'key', 'letter', 'id'];
const TEXT = ['text', 'value', 'content', 'option'];

const LABELS = ['label', 'labels', 'key', 'keys'];
const TEXTS = ['text', 'texts', 'value', 'values'];

function readParallel(place: Place, field: Field) {
  const texts = isFields(field.value) ? listOf(field.value, TEXTS) : null;
  const labels = isFields(field.value) ? listOf(field.value, LABELS) : null;
  if (texts === null || labels === null) throw fault(place, field, 'must hold a list "text" and a list "label"');
  if (texts.length !== labels.length) {
    throw fault(place, field, `has ${plural(texts.length, 'text')} and ${plural(labels.length, 'label')}`);
  }
  return labels.map((label, index) => {
    if (typeof label === 'string' || typeof label === 'number') return { label: String(label), text: texts[index] };
    throw fault(place, field, 'must give every option a label');
  });
}

function listOf(value: Readonly<Record<string, unknown>>, names: readonly string[]): readonly unknown[] | null {
  const found = findFields(value, names)[0]?.value;
  return Array.isArray(found) ? found : null;
}

function parseList(source: string): readonly unknown[] | null {
  if (!/^\s*\[/.test(source)) return null;
  try {
    const value: unknown = JSON.parse(source);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** "|x|" between spaces or signs of operation: the bars of an absolute value, or an option that fills its bars. */
const BARS = /(?<=^|[\s(=<>+*/-])\|[^\s|](?:[^|\n]{0,20}[^\s|])?\|(?=[\s)=<>+*/^.-])/u;

function splitOptions(place: Place, field: Field, source: string): readonly string[] {
  const bars = BARS.exec(source)?.[0];
  if (bars !== undefined) {
    throw fault(
      place,
      field,
      `has ${quote(bars)}, whose bars may be part of a text; write "\\|" for such a bar, or the options as a JSON list`,
    );
  }
  const parts = source.includes('|') ? source.split(/(?<!\\)\|/) : [source];
  if (parts.length > 1) return parts.map((part) => part.replaceAll('\\|', '|'));
  const lines = source.trim().split('\n');
  if (lines.length > 1) return lines;
  const labelled = splitAtLabels(source);
  if (labelled.length > 26) throw fault(place, field, 'must have at most 26 options');
  return labelled;
}

/** "A) four B) five C) six": cut where the next letter stands as a label. */
function splitAtLabels(source: string): readonly string[] {
  const parts: string[] = [];
  let rest = source.trim();
  for (let code = 66; code <= 90; code++) {
    const letter = String.fromCharCode(code);
    const cut = rest.search(new RegExp(`\\s\\(?${letter}[).:]\\s`));
    if (cut === -1) break;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut + 1);
  }
  return /^\(?A[).:]\s/.test(source.trim()) ? [...parts, rest] : [source];
}
