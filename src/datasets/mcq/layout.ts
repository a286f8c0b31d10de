import type { RecordFile } from '../../records/record-file.ts';
import type { Field, RecordFields } from '../record-fields.ts';
import type { Truth } from './draft.ts';
import type { RawOption } from './options.ts';

/** One way in which files spell the options and the truth of a question. */
export type McqLayout = {
  recognises(source: RecordFile): boolean;
  /** Looks at the whole file, where one record cannot tell. */
  toReader(source: RecordFile): McqReader;
};

/** Reads the records of one file. Its functions throw a RecordError for a record of another form. */
export type McqReader = {
  /** How notes call the layout. */
  readonly name: string;
  readonly notes?: readonly string[];
  /** Whether a truth may be missing: in no record (as a rule), in all of them (test splits), or in each. */
  readonly hides?: 'whole file' | 'each record';
  /** Brings question, id and the like to the top of a record; absent when they are there. */
  lift?(record: RecordFields): RecordFields;
  /** `question` is its text without the context. */
  read(record: RecordFields, question: string): McqReading;
};

/** What a layout finds in one record. */
export type McqReading = {
  /** The field with the options as messages name it. */
  readonly field: Field;
  readonly raw: readonly RawOption[];
  readonly truths: readonly Truth[];
  /** Names of fields that are no metadata, beside the truths. */
  readonly used: readonly string[];
  /** Present when the layout knows better than the record's answer type. */
  readonly multiple?: boolean;
};
