/** The JSON that case-data.ts writes and the report's script reads. */
export type PageData = Readonly<{
  states: Readonly<
    Record<string, Readonly<{ label: string; fails: boolean; verdict: string | null }>>
  >;
  /** The names of the scores. */
  scores: readonly string[];
  cases: readonly PageCase[];
}>;

/** One result. A field is missing if it is not known or if there was no room for it. */
export type PageCase = {
  readonly id: string;
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  /** Only if its suite was asked with several prompts, or in several runs. */
  readonly prompt: string | undefined;
  /** Only if the page is about several runs. */
  readonly run: string | undefined;
  readonly group: string;
  readonly state: string;
  readonly reason: string | undefined;
  /** Of the names in PageData, in their order; null without a value. */
  readonly scores: readonly (boolean | number | null)[] | undefined;
  /** Its groups in further groupings. */
  readonly groups: Readonly<Record<string, string>> | undefined;
  /** Only if questions were asked several times. */
  readonly trial: number | undefined;
  readonly latency: number | undefined;
  readonly cost: number | undefined;
  readonly tokens: readonly [input: number, output: number] | undefined;
  readonly steps: number | undefined;
  readonly cached: true | undefined;
  readonly model: string | undefined;
  /** Present if its texts must not be shown. */
  readonly textsHidden: true | undefined;
  /** The file with its trace. */
  readonly trace: string | undefined;
  /** The texts that the table of cases shows. */
  verdict?: Readonly<{
    /** Its beginning. */
    question: string | undefined;
    expected: string | undefined;
    received: string | undefined;
  }>;
  texts?: Texts;
  /**
   * The trace as a conversation: who speaks (and `does` what else), the text, and time, tokens and
   * cost.
   */
  conversation?: readonly Readonly<{
    who: string;
    does?: string;
    text: string;
    note?: string;
  }>[];
};

/** The texts that an opened case shows. */
export type Texts = Readonly<{
  /** Present if one that is searched is shortened. */
  isCut: true | undefined;
  question: string | undefined;
  options: readonly (readonly [label: string, text: string])[];
  files: readonly string[];
  why: string;
  how: string | undefined;
  /** The scoring rules that accept the answer. */
  rules: string | undefined;
  output: string | undefined;
  confidence: string | undefined;
  status: number | undefined;
  /** What judges said by each criterion. */
  judges:
    | readonly Readonly<{
        /** The named score that asked. */
        score: string | undefined;
        criterion: string;
        verdicts: readonly (readonly [judge: string, verdict: string, reason: string])[];
      }>[]
    | undefined;
}>;

/** The JSON that label-page.ts writes and its script reads. */
export type LabelData = Readonly<{
  /** Under which the browser keeps the labels. */
  key: string;
  /** The name of the download. */
  file: string;
  /** The CSV before the items: the names of columns, and rows that have their label. */
  head: string;
  items: readonly Readonly<{
    question: string;
    output: string;
    reference: string;
    criterion: string;
    /** What is known of it besides. */
    note: string | undefined;
    /** Its row as CSV, before and after the label. */
    line: readonly [before: string, after: string];
  }>[];
}>;
