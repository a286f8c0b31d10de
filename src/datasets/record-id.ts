import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { RecordError } from '../records/record-error.ts';
import { quote } from '../records/show-value.ts';
import { partOf } from '../text/plural.ts';
import { type Field, type Place, requireText } from './record-fields.ts';

/** An id for a record that has none: its position (1 for the first) and a hash of its question, "q-0007-ab12cd34". */
export function makeId(position: number, question: string): string {
  const hash = createHash('sha256').update(question).digest('hex').slice(0, 8);
  return `q-${String(position).padStart(4, '0')}-${hash}`;
}

/** The id that a field gives, as text or number; throws a RecordError when it is neither. */
export function toId(place: Place, field: Field): string {
  return typeof field.value === 'number' ? String(field.value) : requireText(place, field).trim();
}

/** What the user should know when records have no id of their own. */
export function noteMissingIds(ids: readonly (Field | null)[]): string[] {
  const missing = ids.filter((id) => id === null).length;
  const have = partOf(missing, ids.length, 'record', 'has', 'have');
  return missing === 0 ? [] : [`${have} no id; it is made from position and question.`];
}

/** Throws a RecordError for the first id that an earlier record has, naming both lines. */
export function assertUniqueIds(drafts: readonly { readonly id: string; readonly place: Place }[]): void {
  const places = new Map<string, Place>();
  for (const { id, place } of drafts) {
    const earlier = places.get(id);
    if (earlier !== undefined) {
      const file = earlier.file === place.file ? '' : ` of ${quote(basename(earlier.file))}`;
      throw new RecordError({
        ...place,
        problem: `the id is already that of line ${earlier.line}${file}`,
        value: id,
        remedy: 'Give each record its own id, or leave one of the two out.',
      });
    }
    places.set(id, place);
  }
}
