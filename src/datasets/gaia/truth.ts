import { RecordError } from '../../records/record-error.ts';
import { partOf } from '../../text/plural.ts';
import { type Field, type Place, requireText } from '../record-fields.ts';

/** The text of a truth. GAIA's are always text; a JSON number is taken by the text that it has. */
export function toTruth(place: Place, field: Field): string {
  if (typeof field.value !== 'number') return requireText(place, field);
  if (Number.isFinite(field.value)) return String(field.value);
  // "Infinity" would match any text under GAIA's number rule.
  throw new RecordError({
    ...place,
    field: field.name,
    problem: 'is a number too large to keep',
    remedy: 'Write it as text.',
  });
}

/** What the user should know when truths were numbers. */
export function noteNumbers(values: readonly unknown[]): string[] {
  const numbers = values.filter((value) => typeof value === 'number').length;
  const are = partOf(numbers, values.length, 'truth', 'is a JSON number and was', 'are JSON numbers and were');
  return numbers === 0 ? [] : [`${are} read as text.`];
}
