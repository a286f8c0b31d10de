import { isFields } from '../words/fields.ts';
import type { Note } from '../words/sample.ts';
import { quote, toNotes } from '../words/show.ts';
import type { RecordFile } from './files/record.ts';
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
): Readonly<{ source: RecordFile; notes: readonly Note[] }> {
  const asGiven = JSON.stringify(given ?? {});
  const wrapper = WRAPPERS.find(({ within, without }) => {
    if (asGiven.includes(`"${within}.`)) return false;
    const wrapped = source.records.filter(
      ({ value }) =>
        isFields(value) &&
        isFields(value[within]) &&
        without.every((name) => findNamed(value, name) === null),
    );
    // The others are bad.
    return wrapped.length * 2 > source.records.length;
  });
  if (wrapper === undefined) return { source, notes: [] };
  const { within, name } = wrapper;
  const records = source.records.map(({ value, written, ...raw }) => ({
    ...raw,
    value: isFields(value) ? (value[within] ?? value) : value,
    ...(isFields(written) && { written: written[within] ?? written }),
  }));
  const text = `${name}: the fields are read from ${quote(within)}, and no others.`;
  return { source: { ...source, records }, notes: toNotes('unread', [text]) };
}
