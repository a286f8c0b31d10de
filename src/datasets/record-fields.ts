import { RecordError } from '../records/record-error.ts';
import type { RawRecord } from '../records/record-file.ts';
import { cut, quote } from '../records/show-value.ts';

/** Where a record stands, in the shape that a RecordError takes. */
export type Place = { readonly file: string; readonly line: number; readonly id?: string };

/** A record that is known to be an object. */
export type RecordFields = { readonly place: Place; readonly values: Readonly<Record<string, unknown>> };

/** One field under the name by which the record spells it. */
export type Field = { readonly name: string; readonly value: unknown };

/** The fields of a raw record; throws a RecordError when it is no object. */
export function toRecordFields(file: string, { line, value }: RawRecord): RecordFields {
  if (isFields(value)) return { place: { file, line }, values: value };
  throw new RecordError({
    file,
    line,
    problem: 'a record must be a JSON object',
    value,
    remedy: 'Write {"name": value, ...} or leave the record out.',
  });
}

/** Whether a value is an object with named fields: neither null nor an array. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field of exactly this name; throws a RecordError when the record does not have it. */
export function requireField({ place, values }: RecordFields, name: string): Field {
  if (Object.hasOwn(values, name)) return { name, value: values[name] };
  throw new RecordError({
    ...place,
    field: name,
    problem: 'is missing',
    detail: describeNames(values),
    remedy: 'Add it or leave the record out.',
  });
}

/** The text of a field; throws a RecordError when it is no text or blank. */
export function requireText(place: Place, { name, value }: Field): string {
  const fault = { ...place, field: name, value, remedy: 'Fix the record or leave it out.' };
  if (typeof value !== 'string') throw new RecordError({ ...fault, problem: 'must be text' });
  if (value.trim() === '') throw new RecordError({ ...fault, problem: 'must not be empty' });
  return value;
}

/** The fields that are not among the given names. */
export function omitFields(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

/** The names of a record's fields, for a message. */
export function describeNames(values: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(values);
  return names.length === 0 ? 'the record is empty' : `the record has ${cut(names.map(quote).join(', '))}`;
}
