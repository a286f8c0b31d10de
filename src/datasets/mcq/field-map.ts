import { isFields } from '../../records/record.ts';
import { tryOrUndefined } from '../../text/thrown.ts';
import { type Field, type RecordFields, requireField } from '../record-fields.ts';
import type { IndexBase } from './fields.ts';

/** The names of fields that the user gives in EVAL_MCQ_FIELDS. */
export type FieldMap = {
  readonly question?: string;
  /** One field with all options, or a field for each. */
  readonly choices?: string | readonly string[];
  readonly answer?: string;
  readonly id?: string;
  readonly group?: string;
  readonly context?: string;
  /** The index of the first option, for answers that are numbers. */
  readonly index?: IndexBase;
};

/** The form of a field map, for messages. */
export const FIELD_MAP_FORM =
  'a JSON object of field names such as {"question": "q", "choices": "opts", "answer": "gold"}; also "id", "group", ' +
  '"context", a list of fields for "choices", and "index_base" (0 or 1) for answers that are numbers';

/** Parses a field map; undefined for any other text. */
export function parseFieldMap(text: string): FieldMap | undefined {
  const given: unknown = tryOrUndefined(() => JSON.parse(text));
  if (!isFields(given) || Object.keys(given).length === 0) return undefined;
  const { choices, index_base: base, ...names } = given;
  if (!Object.entries(names).every(([role, name]) => NAMES.includes(role) && isName(name)))
    return undefined;
  if (choices !== undefined && !isName(choices) && !isNames(choices)) return undefined;
  if (base !== undefined && base !== 0 && base !== 1) return undefined;
  return {
    ...names,
    ...(choices === undefined ? {} : { choices }),
    ...(base === undefined ? {} : { index: base === 0 ? 'zero-based' : 'one-based' }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 1 && value.every(isName);
}

const NAMES: readonly string[] = ['question', 'answer', 'id', 'group', 'context'];

/** The field that the user named. Throws a RecordError with the record's names if it is missing. */
export function requireMapped(record: RecordFields, name: string): Field {
  const problem = 'is named in EVAL_MCQ_FIELDS, but the record has no such field';
  return requireField(record, name, problem, 'Correct the name, or leave the record out.');
}

/** Throws a RecordError for the first name that a record does not have. */
export function assertMapped(
  record: RecordFields,
  { choices = [], index: _, ...names }: FieldMap,
): void {
  for (const name of [...Object.values(names), choices].flat()) requireMapped(record, name);
}
