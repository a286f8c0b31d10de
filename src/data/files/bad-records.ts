import { partOf } from '../../words/show.ts';
import { RecordError } from './record.ts';

/** How many bad records are named. */
const MOST = 20;

/** All bad records of a dataset: the first ones with what is wrong, and how many they are. */
export class BadRecords extends RecordError {
  override readonly idsOnly: string;

  constructor(bad: readonly RecordError[], total: number) {
    super({ ...bad[0]?.place, file: bad[0]?.place.file ?? '', problem: 'is bad', remedy: '' });
    this.message = list(
      bad.map(({ message }) => message),
      total,
    );
    this.idsOnly = list(
      bad.map(({ idsOnly }) => idsOnly),
      total,
    );
  }
}

function list(messages: readonly string[], total: number): string {
  const [first = ''] = messages;
  if (total < 2) return first;
  if (messages.length === 1) return `${first}\nEVAL_SKIP_BAD=1 leaves this record out.`;
  const more = messages.length - MOST;
  return [
    `${partOf(messages.length, total, 'record', 'is', 'are')} bad. Correct them, or set EVAL_SKIP_BAD=1 to leave them out:`,
    ...messages.slice(0, MOST),
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
