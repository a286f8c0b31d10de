import { isFields, omitNullish } from '../words/fields.ts';
import type { Note } from '../words/sample.ts';
import { quote, toNotes } from '../words/show.ts';
import { type Told, told } from '../words/told.ts';
import {
  atRecord,
  keepGood,
  type RawRecord,
  type RecordError,
  type RecordFile,
} from './files/record.ts';
import { fault, findFilled, findNamed, type Values } from './record-fields.ts';
import type { Shape } from './shape.ts';
import { SECOND_SPELLINGS, SPELLINGS, WRAPPERS } from './shapes.ts';

/*
 * What is done to the records of a file before their shape is chosen.
 */

/**
 * The records inside other records, such as `{"item": {"question": ...}}`, with a note; the records as
 * they are where they are no such wrappers, or where the user names the fields in them.
 */
export function unwrapRecords(
  source: RecordFile,
  userShape: Shape | null,
): Readonly<{ source: RecordFile; notes: readonly Note[] }> {
  const named = JSON.stringify(userShape ?? {});
  const wrapper = WRAPPERS.find(({ within, without }) => {
    if (named.includes(`"${within}.`)) return false;
    const wrapped = source.records.filter(
      ({ value }) =>
        isFields(value) &&
        isFields(value[within]) &&
        without.every((name) => findNamed(value, name) === null),
    );
    // The others are bad.
    return wrapped.length * 2 > source.records.length;
  });
  if (wrapper === undefined) return { source, notes: [] };
  const { within, name } = wrapper;
  const records = source.records.map(({ value, written, ...raw }) => ({
    ...raw,
    value: isFields(value) ? (value[within] ?? value) : value,
    ...(isFields(written) && { written: written[within] ?? written }),
  }));
  const text = `${name}: the fields are read from ${quote(within)}, and no others.`;
  return { source: { ...source, records }, notes: toNotes('unread', [text]) };
}

/** The records that the user's function makes, which have the usual names. */
export function mapRecords(
  { file, records }: RecordFile,
  map: MapRecord,
  bad: RecordError[],
  isListed = false,
): RecordFile {
  const mapOne = ({ value, ...raw }: RawRecord, index: number): RawRecord => {
    const place = { line: raw.line, file: raw.file ?? file };
    const shown = isListed ? { ...place, listed: true } : place;
    const mapped: unknown = atRecord(shown, () => map(value, index));
    if (isFields(mapped)) return { ...place, value: omitNullish(mapped), given: value };
    const field = { name: 'map', value: mapped };
    throw fault(shown, field, told`must return an object with "input"`, 'Correct "map".');
  };
  return { file, records: keepGood(records, mapOne, bad) };
}

/**
 * The fields of a sample that `map` returns for a record. `attachments` are paths relative to the
 * file of the records.
 *
 * @example
 * const toSample = ({ question, best }: Record<string, string>): MappedRecord => ({
 *   input: question,
 *   target: best,
 * });
 * await defineEval('truthful', { data: './questions.csv', map: toSample });
 */
// biome-ignore lint/suspicious/noExplicitAny: only the user knows what a record contains.
export type MappedRecord<Input = any, Target = any> = {
  /** Unique in the dataset. Without it viva makes an id from position and question. */
  readonly id?: string | number;
  /** The question. */
  readonly input?: Input;
  /** The user's messages of a conversation, instead of `input`. */
  readonly turns?: readonly string[];
  /** The expected answer. Without it the sample is `ungraded`. */
  readonly target?: Target | null;
  /** The group of the sample in reports, such as a level or a subject. */
  readonly group?: string | number | null;
  /** Option texts by label. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Whether several options may be right. */
  readonly multiple?: boolean;
  readonly attachments?: readonly string[];
  /** Other facts. Agents never see them. */
  readonly metadata?: Values;
};

/** Converts a record of the user into the fields of a sample. `index` is 0 for the first record. */
// biome-ignore lint/suspicious/noExplicitAny: only the user knows the fields of a record.
export type MapRecord = (record: any, index: number) => MappedRecord;

/** The longest conversation of a record. */
const MOST_TURNS = 100;

const INPUTS = [...SPELLINGS.input, ...SECOND_SPELLINGS.input];

/**
 * The records of an own suite, in which those with `turns` instead of `input` get an input that
 * shows them: all of the user's messages, a paragraph each. A record with a `goal` alone is for a
 * simulated user who speaks first: its input is that goal, and it has no turn.
 */
export function addInputs(source: RecordFile, bad: RecordError[]): RecordFile {
  const addInput = (raw: RawRecord): RawRecord => {
    const { value, line, file = source.file, given = value } = raw;
    if (!isFields(value)) return raw;
    const turns = findNamed(value, 'turns');
    const hasInput = findFilled(value, INPUTS).length > 0;
    if (Array.isArray(turns?.value)) {
      const field = { name: turns?.name ?? 'turns', value: turns?.value };
      const refuse = (problem: Told, remedy: string) =>
        fault({ file, line }, field, problem, remedy);
      if (hasInput)
        throw refuse(
          told`is given together with an input`,
          'Keep one of them: turns[0] is the input.',
        );
      if (!isTurns(turns?.value))
        throw refuse(
          told`must be 1 to ${MOST_TURNS} strings`,
          'Write what the user says, one text for each message.',
        );
      return { ...raw, given, value: { ...value, input: turns?.value.join('\n\n') } };
    }
    const goal = findNamed(value, 'goal')?.value;
    return hasInput || typeof goal !== 'string' || goal.trim() === ''
      ? raw
      : { ...raw, given, value: { ...value, input: goal, turns: [] } };
  };
  return { ...source, records: keepGood(source.records, addInput, bad) };
}

function isTurns(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MOST_TURNS &&
    value.every((turn) => typeof turn === 'string' && turn.trim() !== '')
  );
}
