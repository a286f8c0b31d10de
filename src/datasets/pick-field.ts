import { RecordError } from '../records/record-error.ts';
import { nameType, quote, showValue } from '../records/show-value.ts';
import type { Field, RecordFields } from './record-fields.ts';

/** Every filled field that goes by one of the (normalised) names, in the order of the names. */
export function findFields(values: Readonly<Record<string, unknown>>, names: readonly string[]): Field[] {
  const found: { readonly field: Field; readonly rank: number }[] = [];
  for (const name of Object.keys(values)) {
    const rank = names.indexOf(normalizeName(name));
    if (rank !== -1 && isFilled(values[name])) found.push({ field: { name, value: values[name] }, rank });
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ field }) => field);
}

/** Whether a record has a field under one of the (normalised) names, be it empty. */
export function hasField(values: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return Object.keys(values).some((name) => names.includes(normalizeName(name)));
}

/**
 * The field that goes by one of the names, null when none is filled.
 * Throws a RecordError when several are and disagree: picking one would be a guess.
 */
export function pickField({ place, values }: RecordFields, names: readonly string[]): Field | null {
  const [first, ...others] = findFields(values, names);
  const other = others.find(({ value }) => first !== undefined && !isSame(value, first.value));
  if (first === undefined) return null;
  if (other === undefined) return first;
  throw new RecordError({
    ...place,
    problem: `${quote(first.name)} and ${quote(other.name)} disagree`,
    detail: `${showValue(first.value)} against ${showValue(other.value)}`,
    remedy: 'Keep the one that is meant.',
  });
}

/** A field name without case and punctuation: "Final answer", "final_answer", "finalAnswer" are one. */
export function normalizeName(name: string): string {
  const known = normalized.get(name);
  if (known !== undefined) return known;
  const plain = name
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (normalized.size < MOST_NAMES) normalized.set(name, plain);
  return plain;
}

/** Every record of a file asks for the same names; a file with names without end must not fill the memory. */
const normalized = new Map<string, string>();
const MOST_NAMES = 1000;

function isFilled(value: unknown): boolean {
  return value !== null && (typeof value !== 'string' || value.trim() !== '');
}

function isSame(a: unknown, b: unknown): boolean {
  // Never as text: a record may hold {"toString": ...}.
  if ([a, b].some((value) => ['object', 'array'].includes(nameType(value)))) return toJson(a) === toJson(b);
  return String(a).trim() === String(b).trim();
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'deeply nested';
  }
}
