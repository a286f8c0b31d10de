/** The JSON that case-data.ts writes and the report's script reads. */
export type PageData = {
  readonly states: Readonly<
    Record<string, { readonly label: string; readonly correct: boolean; readonly fails: boolean }>
  >;
  readonly rules: readonly string[];
  /** The names of the scores. */
  readonly scores: readonly string[];
  readonly cases: readonly PageCase[];
};

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
  /** A bit for each rule that accepts the answer, and for each that accepts the whole output. */
  readonly onAnswer: number | undefined;
  readonly onOutput: number | undefined;
  /** Present if its texts must not be shown. */
  readonly textsHidden: true | undefined;
  /** The file with its trace. */
  readonly trace: string | undefined;
  /** The texts that the table of cases shows. */
  verdict?: {
    /** Its beginning. */
    readonly question: string | undefined;
    readonly expected: string | undefined;
    readonly received: string | undefined;
  };
  texts?: Texts;
  /**
   * The trace as a conversation: who speaks (and `does` what else), the text, and time, tokens and
   * cost.
   */
  conversation?: readonly {
    readonly who: string;
    readonly does?: string;
    readonly text: string;
    readonly note?: string;
  }[];
};

/** The texts that an opened case shows. */
export type Texts = {
  /** Present if one that is searched is shortened. */
  readonly isCut: true | undefined;
  readonly question: string | undefined;
  readonly options: readonly (readonly [label: string, text: string])[];
  readonly files: readonly string[];
  readonly why: string;
  readonly how: string | undefined;
  readonly output: string | undefined;
  readonly confidence: string | undefined;
  readonly status: number | undefined;
  /** What judges said by each criterion. */
  readonly judges:
    | readonly {
        /** The named score that asked. */
        readonly score: string | undefined;
        readonly criterion: string;
        readonly verdicts: readonly (readonly [judge: string, verdict: string, reason: string])[];
      }[]
    | undefined;
};

/** The JSON that label-page.ts writes and its script reads. */
export type LabelData = {
  /** Under which the browser keeps the labels. */
  readonly key: string;
  /** The name of the download. */
  readonly file: string;
  /** The CSV before the items: the names of columns, and rows that have their label. */
  readonly head: string;
  readonly items: readonly {
    readonly question: string;
    readonly output: string;
    readonly reference: string;
    readonly criterion: string;
    /** What is known of it besides. */
    readonly note: string | undefined;
    /** Its row as CSV, before and after the label. */
    readonly line: readonly [before: string, after: string];
  }[];
};
