/** The columns of a file of labels, in their order. */
export const LABEL_COLUMNS = [
  'id',
  'suite',
  'question',
  'output',
  'reference',
  'criterion',
  'label',
  'run',
  'row',
] as const;

/** An answer with its label in a file of labels: pass, fail or "". */
export type LabelRow = Readonly<Record<(typeof LABEL_COLUMNS)[number], string>>;
