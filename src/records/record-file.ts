/** One record as it was read, before anything is known of its fields. */
export type RawRecord = {
  /** The line on which the record starts; 1 for the first. */
  readonly line: number;
  readonly value: unknown;
};

/** A file of records, whatever its format was. */
export type RecordFile = {
  readonly file: string;
  readonly records: readonly RawRecord[];
  /** The first row of a table, as spelt; absent when the format has no columns. */
  readonly header?: readonly string[];
  /** True for a table whose first row is a record: its columns are "column 1", "column 2" and so on. */
  readonly headerless?: boolean;
  readonly notes: readonly string[];
};

/** How one file format becomes records. */
export type RecordFormat = {
  readonly name: string;
  /** Whether this reader takes the file, by its name and its text. */
  reads(file: string, text: string): boolean;
  /** Throws, or rejects with, a RecordError for text that is not in the format. */
  parse(file: string, text: string): RecordFile | Promise<RecordFile>;
};
