import { findFields } from '../pick-field.ts';
import type { Field } from '../record-fields.ts';
import type { Truth } from './draft.ts';
import { SPELLINGS } from './spellings.ts';

/** Names that often mean something else. Beside a plainer one they can but disagree with it. */
const WEAK = ['label', 'labels', 'gold'];

/** Names that no layout uses for its truth; beside the one that is used they look like another. */
const RIVALS = [
  'correct index',
  'correct idx',
  'correct letter',
  'correct label',
  'correct choice',
  'correct choices',
  'correct option index',
  'correct answer index',
  'correct answer letter',
  'correct answer text',
  'correct option text',
  'correct text',
  'gold index',
  'gold idx',
  'gold label',
  'gold answer',
  'gold letter',
  'gold choice',
  'answer letter',
  'answer label',
  'answer text',
  'answer choice',
  'answer option',
  'answer id',
  'right answer',
  'right option',
  'key',
  'ans',
  'cop',
];

/** Every field that states the truth. Those that are spelt differently must agree, which only their meaning can show. */
export function findTruths(values: Readonly<Record<string, unknown>>): readonly Truth[] {
  const truths = findFields(values, SPELLINGS.answer);
  const weak = findFields(values, WEAK);
  const rivals = findFields(values, RIVALS).map(toWeak);
  if (truths.length > 0) return [...truths, ...weak.map(toWeak), ...rivals];
  return weak.length === 0 ? [] : [...weak.slice(0, 1), ...rivals];
}

/** A truth that counts only if it names an option. */
export function toWeak(field: Field): Truth {
  return { ...field, weak: true };
}

/** Whether a value is a whole number, also one that a table holds as text. */
export function isWhole(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && /^\s*-?\d{1,4}\s*$/.test(value);
}
