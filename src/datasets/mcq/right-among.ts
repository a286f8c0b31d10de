import type { Field, Place } from '../record-fields.ts';
import type { McqReading } from './layout.ts';
import { orderOptions } from './option-order.ts';
import { labelByPosition } from './options.ts';

/**
 * Options of a file that gives them no order of their own, the right one told by its place (from 0; null when hidden).
 * Their order follows from a text of the record, `key`, so that it is the same in every run and on every machine,
 * whatever else is in the file.
 */
export function readRightAmong(
  place: Place,
  field: Field,
  texts: readonly unknown[],
  right: number | null,
  key: string,
): Omit<McqReading, 'used'> {
  const options = texts.map((text, index) => ({ text, right: index === right }));
  const ordered = orderOptions(options, ({ text }) => (typeof text === 'string' ? text : ''), key);
  const raw = labelByPosition(
    place,
    field,
    ordered.map(({ text }) => text),
  ).map(({ label, text }) => ({ label, text }));
  const value = ordered.findIndex((option) => option.right);
  // Its place and not its label, which may be the text of another option: vitamin B among A, B and C.
  const truths = value === -1 ? [] : [{ name: field.name, value, index: 'zero-based' as const }];
  return { field, raw, truths, multiple: false };
}
