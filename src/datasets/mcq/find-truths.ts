import { findFields } from '../pick-field.ts';
import type { Field } from '../record-fields.ts';
import type { Truth } from './draft.ts';
import { SPELLINGS } from './spellings.ts';

/** Names that often mean something else, taken only where no plainer one is filled. */
const WEAK = ['label', 'labels', 'gold'];

/** Every field that states the truth. Those that are spelt differently must agree, which only their meaning can show. */
export function findTruths(values: Readonly<Record<string, unknown>>): readonly Truth[] {
  const truths = findFields(values, SPELLINGS.answer);
  return (truths.length === 0 ? findFields(values, WEAK).slice(0, 1) : truths).map(toTruth);
}

/** "answer_index" counts from 0 wherever it is published (MMLU-Pro). */
function toTruth(field: Field): Truth {
  const counts = /^answer.?(?:index|idx)$/i.test(field.name) && isWhole(field.value);
  return counts ? { ...field, index: 'zero-based' } : field;
}

/** Whether a value is a whole number, also one that a table holds as text. */
export function isWhole(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && /^\s*-?\d{1,4}\s*$/.test(value);
}
