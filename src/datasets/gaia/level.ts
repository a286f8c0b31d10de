import { RecordError } from '../../records/record-error.ts';
import type { Field, Place } from '../record-fields.ts';

export type Level = '1' | '2' | '3';

/** The level of a record: a number in GAIA's JSON lines, text in its later Parquet files. */
export function toLevel(place: Place, { name, value }: Field): Level {
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === 1 || text === '1') return '1';
  if (text === 2 || text === '2') return '2';
  if (text === 3 || text === '3') return '3';
  throw new RecordError({
    ...place,
    field: name,
    problem: 'must be 1, 2 or 3',
    value,
    remedy: 'Fix the record or leave it out.',
  });
}
