import { basename } from 'node:path';
import { isFields, type RawRecord, type RecordFile } from '../../records/record.ts';
import { plural } from '../../text/wording.ts';
import { describeSources, noteMissingIds } from '../describe-dataset.ts';
import {
  type Field,
  fault,
  hasField,
  makeId,
  omitFields,
  type Place,
  pickField,
  type RecordFields,
  requireField,
  requireFilled,
  requireText,
  toName,
  toRecordFields,
} from '../record-fields.ts';

/** The layout of GAIA itself: exact field names, a level in every record. */
const official: GaiaLayout = {
  // A file called metadata.* may miss fields and is still GAIA's, so that the error names the field; any other file
  // must have a record with all of them.
  recognises: ({ file, records }) => {
    const needed = basename(file).startsWith('metadata.') ? 2 : NAMES.length;
    return records.some(({ value }) => countNames(value) >= needed);
  },
  toDrafts: ({ file, records }) => {
    const kept = records.filter((raw) => !isPlaceholder(raw));
    const skipped = kept.length < records.length;
    return {
      drafts: readAll(file, kept, findOfficial).map(({ draft }) => draft),
      notes: [
        `GAIA layout: ${plural(kept.length, 'record')}.`,
        ...(skipped ? [`The placeholder row "${PLACEHOLDER}" was skipped.`] : []),
      ],
      placeholders: skipped ? [PLACEHOLDER] : [],
    };
  },
};

/** Records with a question and an answer under the usual names; id, level and file may be missing. */
const plain: GaiaLayout = {
  recognises: ({ records }) =>
    records.some(
      ({ value }) => isFields(value) && hasField(value, SPELLINGS.question) && hasField(value, SPELLINGS.answer),
    ),
  toDrafts: ({ file, records }) => {
    const read = readAll(file, records, findPlain);
    const found = read.map((each) => each.found);
    return {
      drafts: read.map(({ draft }) => draft),
      notes: [
        `Question/answer records: ${records.length}, read from ${describeSources(ROLES, found)}.`,
        ...noteMissingIds(found.map(({ id }) => id)),
      ],
    };
  },
};

/** The layouts in the order in which they are tried. A new one is one file and one line here. */
export const gaiaLayouts: readonly GaiaLayout[] = [official, plain];

const NAMES = ['task_id', 'Question', 'Level', 'Final answer'];

function countNames(value: unknown): number {
  return isFields(value) ? NAMES.filter((name) => Object.hasOwn(value, name)).length : 0;
}

/** The test split contains one row that is no question (level 3). */
const PLACEHOLDER = '0-0-0-0-0';

function isPlaceholder({ value }: RawRecord): boolean {
  return isFields(value) && value['task_id'] === PLACEHOLDER;
}

const ROLES = ['id', 'question', 'answer', 'level', 'file'] as const;

/** The field that was found for each role; null for none. */
type Found = Readonly<Record<(typeof ROLES)[number], Field | null>>;

function findOfficial(record: RecordFields): Found {
  return {
    id: requireField(record, 'task_id'),
    question: requireField(record, 'Question'),
    answer: requireField(record, 'Final answer'),
    level: requireField(record, 'Level'),
    file: { name: 'file_name', value: record.values['file_name'] },
  };
}

/** The spellings of each field, normalised (lower case, words separated by a space), the preferred one first. */
const SPELLINGS = {
  id: ['task id', 'id', 'question id'],
  question: ['question', 'input', 'prompt'],
  answer: ['final answer', 'answer', 'expected', 'expected answer', 'truth', 'ground truth', 'target'],
  level: ['level'],
  file: ['file name', 'file'],
} as const;

function findPlain(record: RecordFields): Found {
  return {
    id: pickField(record, SPELLINGS.id),
    question: pickField(record, SPELLINGS.question),
    answer: pickField(record, SPELLINGS.answer),
    level: pickField(record, SPELLINGS.level),
    file: pickField(record, SPELLINGS.file),
  };
}

function readAll(file: string, records: RecordFile['records'], find: (record: RecordFields) => Found) {
  return records.map((raw, index) => {
    const record = toRecordFields(file, raw);
    const found = find(record);
    return { found, draft: toDraft(record, found, index + 1) };
  });
}

function toDraft(record: RecordFields, found: Found, position: number): GaiaDraft {
  const given = found.id === null ? {} : { id: toName(record.place, found.id) };
  const named = { ...record, place: { ...record.place, ...given } };
  const question = requireText(named.place, requireFilled(named, found.question, 'question'));
  const id = given.id ?? makeId(position, question);
  const place = { ...record.place, id };
  const used = Object.values(found).flatMap((field) => field?.name ?? []);
  return {
    place,
    id,
    question,
    level: found.level === null ? null : toLevel(place, found.level),
    answer: toAnswer(place, requireFilled(named, found.answer, 'answer')),
    attachment: found.file === null ? null : toAttachmentName(place, found.file),
    metadata: omitFields(record.values, used),
  };
}

type Level = '1' | '2' | '3';

/** The level of a record: a number in GAIA's JSON lines, text in its later Parquet files. */
function toLevel(place: Place, field: Field): Level {
  const text = typeof field.value === 'string' ? field.value.trim() : field.value;
  if (text === 1 || text === '1') return '1';
  if (text === 2 || text === '2') return '2';
  if (text === 3 || text === '3') return '3';
  throw fault(place, field, 'must be 1, 2 or 3');
}

/** GAIA's answers are always text; a JSON number is taken by the text that it has. */
function toAnswer(place: Place, field: Field): string {
  const isNumber = typeof field.value === 'number' && Number.isFinite(field.value);
  return isNumber ? String(field.value) : requireText(place, field);
}

/** The attachment that a record names, null for an empty name or none; throws a RecordError when it is no text. */
function toAttachmentName(place: Place, field: Field): NamedAttachment | null {
  const { name, value } = field;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw fault(place, field, 'must be text, "" when the question has no file');
  return value.trim() === '' ? null : { field: name, name: value };
}

/** A file as a record names it, and the field that does. */
export type NamedAttachment = { readonly field: string; readonly name: string };

/** What every layout of question/answer records says of one question. */
export type GaiaDraft = {
  readonly place: Place;
  readonly id: string;
  readonly question: string;
  /** "?" when the dataset hides it. */
  readonly answer: string;
  readonly level: Level | null;
  readonly attachment: NamedAttachment | null;
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** One way in which files spell question/answer records. */
export type GaiaLayout = {
  recognises(source: RecordFile): boolean;
  /** Throws a RecordError for the first bad record. */
  toDrafts(source: RecordFile): {
    readonly drafts: readonly GaiaDraft[];
    readonly notes: readonly string[];
    /** Ids of rows that were skipped because they are no questions. */
    readonly placeholders?: readonly string[];
  };
};
