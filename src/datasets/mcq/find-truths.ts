import { findFields } from '../pick-field.ts';
import type { Field } from '../record-fields.ts';
import type { Truth } from './draft.ts';
import { SPELLINGS } from './spellings.ts';

/** Names that often mean something else. Beside a plainer one they can but disagree with it. */
const WEAK = ['label', 'labels', 'gold'];

/** Every field that states the truth. Those that are spelt differently must agree, which only their meaning can show. */
export function findTruths(values: Readonly<Record<string, unknown>>): readonly Truth[] {
  const truths = findFields(values, SPELLINGS.answer);
  const weak = findFields(values, WEAK);
  return truths.length === 0 ? weak.slice(0, 1).map(toTruth) : [...truths.map(toTruth), ...weak.map(toWeak)];
}

/** A truth that counts only if it names an option. */
export function toWeak(field: Field): Truth {
  return { ...field, weak: true };
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
