import { plural } from '../../../text/plural.ts';
import { findFields } from '../../pick-field.ts';
import { type Field, isFields, type Place } from '../../record-fields.ts';
import { fault } from '../options.ts';
import type { OptionForm } from './form.ts';

const LABELS = ['label', 'labels', 'key', 'keys'];
const TEXTS = ['text', 'texts', 'value', 'values'];

/** Two lists side by side: {"text": ["...", "..."], "label": ["A", "B"]}. */
export const parallel: OptionForm = {
  name: 'as lists of texts and labels',
  hides: true,
  fits: (value) => isFields(value) && listOf(value, TEXTS) !== null && listOf(value, LABELS) !== null,
  read: readParallel,
};

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
