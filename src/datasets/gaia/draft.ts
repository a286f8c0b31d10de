import type { RecordFile } from '../../records/record-file.ts';
import type { Place } from '../record-fields.ts';
import type { Level } from './level.ts';

/** A file as a record names it, and the field that does. */
export type NamedAttachment = { readonly field: string; readonly name: string };

/** What every layout of question/answer records says of one question. */
export type GaiaDraft = {
  readonly place: Place;
  readonly id: string;
  readonly question: string;
  /** "?" when the dataset hides it. */
  readonly answer: string;
  readonly level: Level | null;
  readonly attachment: NamedAttachment | null;
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** One way in which files spell question/answer records. */
export type GaiaLayout = {
  recognises(source: RecordFile): boolean;
  /** Throws a RecordError for the first bad record. */
  toDrafts(source: RecordFile): {
    readonly drafts: readonly GaiaDraft[];
    readonly notes: readonly string[];
    /** Ids of rows that were skipped because they are no questions. */
    readonly placeholders?: readonly string[];
  };
};
