import type { Field, Place } from '../record-fields.ts';

/** One option under the label by which answers name it. */
export type Option = { readonly label: string; readonly text: string };

/** How numbers count options. */
export type IndexBase = 'zero-based' | 'one-based';

/** A field that states the truth. */
export type Truth = Field & {
  /** Present where a whole number counts options, and is not a label or a text. */
  readonly index?: IndexBase;
  /** Present where the name often means something else; then it counts only if it names an option. */
  readonly weak?: true;
};

/** What every layout of multiple-choice records says of one question. */
export type McqDraft = {
  readonly place: Place;
  readonly id: string;
  /** The case, a blank line and the question. */
  readonly input: string;
  readonly options: readonly Option[];
  /** Every field that states the truth; they must agree. None, a "?" or an index of -1 hides it. */
  readonly truths: readonly Truth[];
  /** Absent when the record does not say whether several options may be right. */
  readonly multiple?: boolean;
  readonly subject: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type McqDrafts = { readonly drafts: readonly McqDraft[]; readonly notes: readonly string[] };
