import { escapeControls, nameType, quote, showPath, showValue } from '../text/show.ts';

/** What is wrong with a file or one of its records. */
export type RecordFault = {
  readonly file: string;
  /** 1 for the first line; absent when the whole file is meant. */
  readonly line?: number | undefined;
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
  readonly file: string;
  readonly line: number | null;
  readonly id: string | null;
  readonly field: string | null;
  readonly idsOnly: string;

  constructor(fault: RecordFault) {
    super(describe(fault), fault.cause === undefined ? undefined : { cause: fault.cause });
    this.file = fault.file;
    this.line = fault.line ?? null;
    this.id = fault.id ?? null;
    this.field = fault.field ?? null;
    this.idsOnly = describeWithoutContent(fault);
  }
}

function describe(fault: RecordFault): string {
  const value = 'value' in fault ? `, got ${showValue(fault.value)}` : '';
  const detail = fault.detail === undefined ? '' : ` (${escapeControls(fault.detail)})`;
  return `${place(fault)}: ${subject(fault)}${fault.problem}${value}${detail}. ${fault.remedy}`;
}

function describeWithoutContent(fault: RecordFault): string {
  const id = fault.id === undefined ? '' : ` (id ${quote(fault.id)})`;
  const value = 'value' in fault ? `, the value (${nameType(fault.value)}) is withheld` : '';
  return `${place(fault)}${id}: ${subject(fault)}${fault.problem}${value}. ${fault.remedy}`;
}

function place({ file, line }: RecordFault): string {
  return line === undefined ? showPath(file) : `${showPath(file)}:${line}`;
}

function subject({ field }: RecordFault): string {
  return field === undefined ? '' : `${quote(field)} `;
}
