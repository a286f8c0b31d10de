import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import type { Field, Place } from '../record-fields.ts';
import type { Option } from './draft.ts';

/** How a layout spells the options of one question; texts may be empty and may carry their label. */
export type RawOption = { readonly label: string; readonly text: unknown };

/** Options by position: A, B, C and so on. Throws a RecordError beyond Z. */
export function labelByPosition(place: Place, field: Field, texts: readonly unknown[]): RawOption[] {
  if (texts.length > 26) throw fault(place, field, `must have at most 26 options, it has ${texts.length}`);
  return texts.map((text, index) => ({ label: String.fromCharCode(65 + index), text }));
}

/**
 * Cleans the options of one question: empty ones at the end are dropped (a table pads short rows), the labels written
 * in front of the texts are stripped. Throws a RecordError for fewer than two, an empty one or an unusable label.
 */
export function toOptions(place: Place, field: Field, raw: readonly RawOption[]): readonly Option[] {
  const texts = raw.map(({ label, text }) => ({ label: label.trim(), text: toText(place, field, text) }));
  const options = stripLabels(texts.slice(0, texts.findLastIndex(({ text }) => text !== '') + 1));
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

/** "A. x", "A) x", "(A) x" and "A: x" lose their label, if every option of the question carries its own. */
function stripLabels(options: readonly Option[]): readonly Option[] {
  const stripped: Option[] = [];
  for (const { label, text } of options) {
    const [prefix, bracketed, plain] = /^\(([A-Za-z])\)\s*|^([A-Za-z])[.):](?:\s+|$)/.exec(text) ?? [];
    if ((bracketed ?? plain)?.toUpperCase() !== label.toUpperCase()) return options;
    stripped.push({ label, text: text.slice(prefix?.length) });
  }
  return stripped;
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

/** An error about the options of a record. */
export function fault(place: Place, { name, value }: Field, problem: string): RecordError {
  return new RecordError({ ...place, field: name, problem, value, remedy: 'Fix the record or leave it out.' });
}
