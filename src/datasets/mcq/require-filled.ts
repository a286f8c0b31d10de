import { RecordError } from '../../records/record-error.ts';
import { describeNames, type Field, type RecordFields } from '../record-fields.ts';

/** The field that was found for a role; throws a RecordError when none was. */
export function requireFilled(
  { place, values }: RecordFields,
  field: Field | null,
  role: 'question' | 'options' | 'answer',
): Field {
  if (field !== null) return field;
  throw new RecordError({
    ...place,
    problem: `the record has no ${role}, or an empty one`,
    detail: describeNames(values),
    remedy: `Fill "${role}"${role === 'answer' ? ' ("?" hides it)' : ''}, or leave the record out.`,
  });
}
