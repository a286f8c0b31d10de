import { RecordError } from '../records/record-error.ts';
import type { RecordFile } from '../records/record-file.ts';
import { describeNames, isFields, toRecordFields } from './record-fields.ts';

/** The error for records whose fields fit no layout; throws an earlier one itself when a record is no object at all. */
export function unknownLayout({ file, records }: RecordFile, remedy: string): RecordError {
  for (const raw of records) toRecordFields(file, raw);
  const first = records[0];
  return new RecordError({
    file,
    line: first?.line,
    problem: 'the records have no known layout',
    ...(isFields(first?.value) ? { detail: describeNames(first.value) } : {}),
    remedy,
  });
}
