/** What the script of the report reads: the JSON that case-data.ts writes. */
export type PageData = {
  readonly states: Readonly<
    Record<string, { readonly label: string; readonly correct: boolean; readonly fails: boolean }>
  >;
  readonly rules: readonly { readonly name: string; readonly onOutput: boolean }[];
  readonly cases: readonly PageCase[];
};

/** One result. What nobody knows of it is not there, and neither is what there was no room for. */
export type PageCase = {
  readonly id: string;
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  readonly group: string;
  readonly state: string;
  readonly reason: string | undefined;
  /** Only where questions were asked several times. */
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
  /** Present where its texts must not be shown. */
  readonly textsHidden: true | undefined;
  /** The file that has its trace. */
  readonly trace: string | undefined;
  /** What the table of cases shows of its texts. */
  verdict?: { readonly expected: string | undefined; readonly received: string | undefined };
  texts?: Texts;
  /** The trace itself. */
  traced?: readonly unknown[];
};

/** What a case shows when it is opened. */
export type Texts = {
  readonly question: string | undefined;
  readonly options: readonly (readonly [label: string, text: string])[];
  readonly files: readonly string[];
  readonly why: string;
  readonly how: string | undefined;
  readonly output: string | undefined;
  readonly confidence: string | undefined;
  readonly status: number | undefined;
};
