import { basename } from 'node:path';
import { type RawRecord, RecordError, type RecordFile } from '../../records/record.ts';
import { quote } from '../../text/show.ts';
import { partOf, plural } from '../../text/wording.ts';
import { describeSources } from '../dataset-name.ts';
import {
  describeNames,
  type Field,
  hasField,
  isFields,
  makeId,
  noteMissingIds,
  omitFields,
  type Place,
  pickField,
  type RecordFields,
  requireField,
  requireText,
  toId,
  toRecordFields,
} from '../record-fields.ts';
import { toAttachmentName } from './attachment.ts';

/** The layout of GAIA itself: exact field names, a level in every record. */
const official: GaiaLayout = {
  // A file called metadata.* may miss fields and is still GAIA's, so that the error names the field; any other file
  // must have a record with all of them.
  recognises: ({ file, records }) => {
    const needed = basename(file).startsWith('metadata.') ? 2 : NAMES.length;
    return records.some(({ value }) => countNames(value) >= needed);
  },
  toDrafts: (source) => {
    const kept = source.records.filter((raw) => !isPlaceholder(raw));
    const records = kept.map((raw) => toRecordFields(source.file, raw));
    return {
      drafts: records.map(toDraft),
      notes: [
        `GAIA layout: ${plural(kept.length, 'record')}.`,
        ...notePlaceholder(source, kept),
        ...noteNumbers(records.map(({ values }) => values['Final answer'])),
      ],
      placeholders: kept.length === source.records.length ? [] : [PLACEHOLDER],
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
    const read = records.map((raw) => {
      const record = toRecordFields(file, raw);
      return { record, picked: pickAll(record) };
    });
    return {
      drafts: read.map(({ record, picked }, index) => toPlainDraft(record, picked, index + 1)),
      notes: [
        `Question/answer records: ${records.length}, read from ${describeSources(
          ROLES,
          read.map(({ picked }) => picked),
        )}.`,
        ...noteMissingIds(read.map(({ picked }) => picked.id)),
        ...noteNumbers(read.map(({ picked }) => picked.answer?.value)),
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

function notePlaceholder({ records }: RecordFile, kept: readonly RawRecord[]): string[] {
  return kept.length === records.length ? [] : [`The placeholder row "${PLACEHOLDER}" was skipped.`];
}

function toDraft(record: RecordFields): GaiaDraft {
  const { values } = record;
  const id = requireText(record.place, requireField(record, 'task_id'));
  const place = { ...record.place, id };
  return {
    place,
    id,
    question: requireText(place, requireField(record, 'Question')),
    level: toLevel(place, requireField(record, 'Level')),
    answer: toTruth(place, requireField(record, 'Final answer')),
    attachment: toAttachmentName(place, { name: 'file_name', value: values['file_name'] }),
    metadata: omitFields(values, [...NAMES, 'file_name']),
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

const ROLES = ['id', 'question', 'answer', 'level', 'file'] as const;

type Picked = Readonly<Record<keyof typeof SPELLINGS, Field | null>>;

function pickAll(record: RecordFields): Picked {
  return {
    id: pickField(record, SPELLINGS.id),
    question: pickField(record, SPELLINGS.question),
    answer: pickField(record, SPELLINGS.answer),
    level: pickField(record, SPELLINGS.level),
    file: pickField(record, SPELLINGS.file),
  };
}

function toPlainDraft(record: RecordFields, picked: Picked, position: number): GaiaDraft {
  const question = requireText(record.place, requirePicked(record, picked, 'question'));
  const id = picked.id === null ? makeId(position, question) : toId(record.place, picked.id);
  const place = { ...record.place, id };
  const used = Object.values(picked).flatMap((field) => (field === null ? [] : [field.name]));
  return {
    place,
    id,
    question,
    level: picked.level === null ? null : toLevel(place, picked.level),
    answer: toTruth(place, requirePicked(record, picked, 'answer')),
    attachment: picked.file === null ? null : toAttachmentName(place, picked.file),
    metadata: omitFields(record.values, used),
  };
}

function requirePicked({ place, values }: RecordFields, picked: Picked, role: 'question' | 'answer'): Field {
  const field = picked[role];
  if (field !== null) return field;
  throw new RecordError({
    ...place,
    problem: `the record has no ${role}, or an empty one`,
    detail: describeNames(values),
    remedy: `Fill ${SPELLINGS[role].map(quote).join(' or ')}, or leave the record out.`,
  });
}

type Level = '1' | '2' | '3';

/** The level of a record: a number in GAIA's JSON lines, text in its later Parquet files. */
function toLevel(place: Place, { name, value }: Field): Level {
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === 1 || text === '1') return '1';
  if (text === 2 || text === '2') return '2';
  if (text === 3 || text === '3') return '3';
  throw new RecordError({
    ...place,
    field: name,
    problem: 'must be 1, 2 or 3',
    value,
    remedy: 'Fix the record or leave it out.',
  });
}

/** The text of a truth. GAIA's are always text; a JSON number is taken by the text that it has. */
function toTruth(place: Place, field: Field): string {
  if (typeof field.value !== 'number') return requireText(place, field);
  if (Number.isFinite(field.value)) return String(field.value);
  // "Infinity" would match any text under GAIA's number rule.
  throw new RecordError({
    ...place,
    field: field.name,
    problem: 'is a number too large to keep',
    remedy: 'Write it as text.',
  });
}

/** What the user should know when truths were numbers. */
function noteNumbers(values: readonly unknown[]): string[] {
  const numbers = values.filter((value) => typeof value === 'number').length;
  const are = partOf(numbers, values.length, 'truth', 'is a JSON number and was', 'are JSON numbers and were');
  return numbers === 0 ? [] : [`${are} read as text.`];
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
