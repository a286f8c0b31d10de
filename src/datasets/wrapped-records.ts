import { isFields, type RecordFile } from '../records/record.ts';
import { quote } from '../text/show.ts';
import { findNamed } from './record-fields.ts';
import type { Shape } from './shape.ts';
import { WRAPPERS } from './shapes.ts';

/**
 * The records inside other records, such as `{"item": {"question": ...}}`, with a note; the records as
 * they are where they are no such wrappers, or where the user names the fields in them.
 */
export function unwrapRecords(
  source: RecordFile,
  given: Shape | null,
): Readonly<{ source: RecordFile; notes: readonly string[] }> {
  const asGiven = JSON.stringify(given ?? {});
  const wrapper = WRAPPERS.find(
    ({ within, without }) =>
      !asGiven.includes(`"${within}.`) &&
      source.records.length > 0 &&
      source.records.every(
        ({ value }) =>
          isFields(value) &&
          isFields(value[within]) &&
          without.every((name) => findNamed(value, name) === null),
      ),
  );
  if (wrapper === undefined) return { source, notes: [] };
  const { within, name } = wrapper;
  const records = source.records.map(({ value, written, ...raw }) => ({
    ...raw,
    value: isFields(value) ? value[within] : value,
    ...(isFields(written) && { written: written[within] }),
  }));
  const note = `${name}: the fields are read from ${quote(within)}, and no others.`;
  return { source: { ...source, records }, notes: [note] };
}
