import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import type { Field, Place } from '../record-fields.ts';
import type { Option } from './draft.ts';
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
