/** What is known of a question when its answer is read. */
export type ChoiceQuestion = {
  /** Option texts by label; absent means that labels are the letters A to Z. */
  readonly choices?: Readonly<Record<string, string>> | undefined;
  /** Whether several options may be right; absent means unknown: several count when they are stated as a list. */
  readonly multiple?: boolean | undefined;
};

export type ExtractionState = 'answered' | 'no_answer' | 'refusal' | 'none_stated' | 'conflict';

/** What an output answers. */
export type Extraction = {
  /** Labels in the order of the question; null unless `state` is "answered". Without choices also ["ALL"]. */
  readonly choices: readonly string[] | null;
  /** How it was found, in words: the step that decided. */
  readonly how: string;
  readonly state: ExtractionState;
  /** Where the answer stands in the output, as [start, end) in UTF-16 code units. */
  readonly span: readonly [number, number] | null;
  /** Confidence that a JSON answer states. */
  readonly confidence: string | number | null;
};
