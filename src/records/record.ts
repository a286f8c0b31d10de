import { type GateSettings, hidesRecords } from '../text/hide-records.ts';
import { escapeControls, nameType, quote, showPath, showValue } from '../text/show.ts';

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
  /** True for a table whose first row is a record: its columns are "column 1", "column 2" and so on. */
  readonly headerless?: boolean;
};

/** How one text format becomes records. */
export type RecordFormat = {
  /** Whether this reader takes the file, by its name and its text. */
  reads(file: string, text: string): boolean;
  /** Throws, or rejects with, a RecordError for text that is not in the format. */
  parse(file: string, text: string): RecordFile | Promise<RecordFile>;
};

/** Whether a value is an object with named fields: neither null nor an array. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with a file or one of its records. */
export type RecordFault = {
  readonly file: string;
  /** 1 for the first line; absent when the whole file is meant. */
  readonly line?: number | undefined;
  /** Whether `line` counts the records of a list in a script, whose lines are not known. */
  readonly listed?: boolean | undefined;
  readonly id?: string | undefined;
  /** Name of the field, as the file spells it. */
  readonly field?: string | undefined;
  /** What is wrong, in words that quote nothing of the record but ids and field names. */
  readonly problem: string;
  /** The value received; not shown when the key is absent. */
  readonly value?: unknown;
  /** What a parser or a rule said about it; may quote the record. */
  readonly detail?: string | undefined;
  readonly remedy: string;
  readonly cause?: unknown;
};

/**
 * Bad data: file and line, what is wrong, the value received, what to do.
 * `idsOnly` says the same without any text of the record, for places where gated records must not show.
 */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly idsOnly: string;

  constructor(fault: RecordFault) {
    const { file, line, id, field, problem, remedy } = fault;
    const at = fault.listed === true ? `, record ${line}` : `:${line}`;
    const place = line === undefined ? showPath(file) : showPath(file) + at;
    const what = field === undefined ? problem : `${quote(field)} ${problem}`;
    const value = 'value' in fault ? `, got ${showValue(fault.value)}` : '';
    const detail = fault.detail === undefined ? '' : ` (${escapeControls(fault.detail)})`;
    super(`${place}: ${what}${value}${detail}. ${remedy}`, 'cause' in fault ? { cause: fault.cause } : undefined);
    const withheld = 'value' in fault ? `, the value (${nameType(fault.value)}) is withheld` : '';
    this.idsOnly = `${place}${id === undefined ? '' : ` (id ${quote(id)})`}: ${what}${withheld}. ${remedy}`;
  }
}

/** The error as it may be shown: where records are hidden, a bad record is named and its text left out. */
export function hideRecordText(error: unknown, settings: GateSettings): unknown {
  return error instanceof RecordError && hidesRecords(settings) ? new Error(error.idsOnly) : error;
}
