import { type Audience, hidesRecords } from '../../words/audience.ts';
import { escapeControls, nameType, partOf, quote, showPath, showValue } from '../../words/show.ts';
import { type Told, told } from '../../words/told.ts';

/** One record as it was read, before its fields are known. */
export type RawRecord = Readonly<{
  /** The line on which the record starts; 1 for the first. */
  line: number;
  value: unknown;
  /** The value before the `map` of a suite. */
  given?: unknown;
  /** Its file, where those of several files are read as one. */
  file?: string;
  /**
   * The value with the text of each number that would lose digits, such as 1.10; absent when there
   * is none.
   */
  written?: unknown;
}>;

/** A file of records in any format. */
export type RecordFile = Readonly<{
  file: string;
  records: readonly RawRecord[];
  /** The first line of a table. */
  header?: TableHeader;
  /** What is wrong with lines that are no records. */
  bad?: readonly RecordError[];
}>;

/** The first line of a table, cell by cell, and what separates its columns. */
export type TableHeader = Readonly<{ cells: readonly string[]; separator: string }>;

/** The problem of a file or one of its records. */
export type RecordFault = Readonly<{
  file: string;
  /** 1 for the first line; absent for a problem of the whole file. */
  line?: number | undefined;
  /** Whether `line` counts the records of a list in a script: their lines are not known. */
  listed?: boolean | undefined;
  id?: string | undefined;
  /** The name of the field, as the file spells it. */
  field?: string | undefined;
  /** What is wrong. */
  problem: Told;
  /** The value; not shown when the key is absent. */
  value?: unknown;
  /** The message of a parser or a rule. It may quote the record. */
  detail?: string | undefined;
  remedy: string;
  cause?: unknown;
}>;

/**
 * Bad data: file and line, what is wrong, the value, what to do. `idsOnly` is the message without
 * any text of the record, for places that must not show gated records.
 */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly idsOnly: string;
  /** The file, and the line if there is one. */
  readonly place: Pick<RecordFault, 'file' | 'line' | 'listed'>;
  readonly #fault: RecordFault;

  constructor(fault: RecordFault) {
    const { file, line, listed, id, field, problem, remedy } = fault;
    const place = showPlace({ file, line, listed });
    const what = field === undefined ? problem : `${quote(field)} ${problem}`;
    const value = 'value' in fault ? `, got ${showValue(fault.value)}` : '';
    const detail =
      fault.detail === undefined ? '' : ` (${escapeControls(fault.detail).replace(/\.$/, '')})`;
    super(
      `${place}: ${what}${value}${detail}. ${remedy}`,
      'cause' in fault ? { cause: fault.cause } : undefined,
    );
    const withheld = 'value' in fault ? `, the value (${nameType(fault.value)}) is hidden` : '';
    this.place = { file, line, listed };
    this.#fault = fault;
    this.idsOnly = `${place}${id === undefined ? '' : ` (id ${quote(id)})`}: ${what}${withheld}. ${remedy}`;
  }

  /** The same of one record, whose place the error did not know. */
  at({ file, line, listed }: RecordError['place']): RecordError {
    return new RecordError({ ...this.#fault, file, line, listed });
  }
}

/** Calls a suite's function for a record: an error of it is one of that record. */
export function atRecord<T>(place: RecordError['place'], call: () => T): T {
  try {
    return call();
  } catch (error) {
    const isPlaced = !(error instanceof RecordError) || error.place.line !== undefined;
    throw isPlaced ? error : error.at(place);
  }
}

/** "questions.jsonl:3", or "own.eval.ts, record 3" for a list in a script. */
export function showPlace({ file, line, listed }: RecordError['place']): string {
  if (line === undefined) return showPath(file);
  return showPath(file) + (listed === true ? `, record ${line}` : `:${line}`);
}

/** The error to show: when records are hidden, it names a bad record but leaves out its text. */
export function hideRecordText(error: unknown, audience: Audience): unknown {
  if (!(error instanceof RecordError && hidesRecords(audience))) return error;
  return Object.assign(new Error(error.idsOnly), { name: error.name });
}

/** How many bad records are named. */
const MOST_NAMED = 20;

/** All bad records of a dataset: the first ones with what is wrong, and how many they are. */
export class BadRecords extends RecordError {
  override readonly idsOnly: string;

  constructor(bad: readonly RecordError[], total: number) {
    super({ ...bad[0]?.place, file: bad[0]?.place.file ?? '', problem: told`is bad`, remedy: '' });
    this.message = listMessages(
      bad.map(({ message }) => message),
      total,
    );
    this.idsOnly = listMessages(
      bad.map(({ idsOnly }) => idsOnly),
      total,
    );
  }
}

function listMessages(messages: readonly string[], total: number): string {
  const [first = ''] = messages;
  if (total < 2) return first;
  if (messages.length === 1) return `${first}\nEVAL_SKIP_BAD=1 leaves this record out.`;
  const more = messages.length - MOST_NAMED;
  return [
    `${partOf(messages.length, total, 'record', 'is', 'are')} bad. Correct them, or set EVAL_SKIP_BAD=1 to leave them out:`,
    ...messages.slice(0, MOST_NAMED),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}

/**
 * What `read` makes of each item. Adds the RecordErrors that it throws to `bad`, and leaves those items
 * out.
 *
 * @example
 * keepGood(['1', 'x'], parse, bad); // [1], and bad has the error of 'x'
 */
export function keepGood<Item, Read>(
  items: readonly Item[],
  read: (item: Item, index: number) => Read,
  bad: RecordError[],
): readonly Read[] {
  const good: Read[] = [];
  for (const [index, item] of items.entries()) {
    try {
      good.push(read(item, index));
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      bad.push(error);
    }
  }
  return good;
}

/** The errors in the order of the files and of their lines. */
export function sortByPlace(bad: readonly RecordError[]): readonly RecordError[] {
  const files = [...new Set(bad.map(({ place }) => place.file))];
  return bad.toSorted(
    (a, b) =>
      files.indexOf(a.place.file) - files.indexOf(b.place.file) ||
      (a.place.line ?? 0) - (b.place.line ?? 0),
  );
}
