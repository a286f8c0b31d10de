import type { Field, Place } from '../../record-fields.ts';
import type { RawOption } from '../options.ts';

/** One way in which a single field holds all options of a question. */
export type OptionForm = {
  /** Completes "Options ..." in notes. */
  readonly name: string;
  /** True for a form in which test splits are published without truths. */
  readonly hides?: boolean;
  fits(value: unknown): boolean;
  /** Throws a RecordError when the field of this record has another form. */
  read(place: Place, field: Field): readonly RawOption[];
};
