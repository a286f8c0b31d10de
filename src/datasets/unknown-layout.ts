import { RecordError } from './record-error.ts';
import { describeNames, isFields, toRecordFields } from './record-fields.ts';
import type { RecordFile } from './record-file.ts';

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
