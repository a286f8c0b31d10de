import type { RecordFile } from '../../records/record-file.ts';
import type { Field, Place } from '../record-fields.ts';

/** One option under the label by which answers name it. */
export type Option = { readonly label: string; readonly text: string };

/** What every layout of multiple-choice records says of one question. */
export type McqDraft = {
  readonly place: Place;
  readonly id: string;
  /** The case, a blank line and the question. */
  readonly input: string;
  readonly options: readonly Option[];
  /** Every field that states the truth; they must agree. One "?" hides it. */
  readonly truths: readonly Field[];
  /** Absent when the record does not say whether several options may be right. */
  readonly multiple?: boolean;
  readonly subject: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type McqDrafts = { readonly drafts: readonly McqDraft[]; readonly notes: readonly string[] };

/** One way in which files spell multiple-choice records. */
export type McqLayout = {
  recognises(source: RecordFile): boolean;
  /** Throws a RecordError for the first bad record. */
  toDrafts(source: RecordFile): McqDrafts;
};
