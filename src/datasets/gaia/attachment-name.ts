import { RecordError } from '../../records/record-error.ts';
import type { Field, Place } from '../record-fields.ts';
import type { NamedAttachment } from './draft.ts';

/** The attachment that a record names, null for an empty name or none; throws a RecordError when it is no text. */
export function toAttachmentName(place: Place, { name: field, value }: Field): NamedAttachment | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.trim() === '' ? null : { field, name: value };
  throw new RecordError({
    ...place,
    field,
    problem: 'must be text, "" when the question has no file',
    value,
    remedy: 'Fix the record or leave it out.',
  });
}
