import { RecordError } from '../../records/record-error.ts';
import type { RecordFile } from '../../records/record-file.ts';
import { describeSources } from '../describe-sources.ts';
import { findFields, pickField } from '../pick-field.ts';
import {
  describeNames,
  type Field,
  isFields,
  omitFields,
  type Place,
  type RecordFields,
  requireText,
  toRecordFields,
} from '../record-fields.ts';
import { makeId, noteMissingIds, toId } from '../record-id.ts';
import { toMultiple } from './answer-type.ts';
import type { McqDraft, McqDrafts } from './draft.ts';
import { type RawOption, toOptions } from './options.ts';
import { SPELLINGS } from './spellings.ts';

/** How a layout reads the field with the options; throws a RecordError when it has another form. */
export type ReadOptions = (place: Place, field: Field) => readonly RawOption[];

/** The options of the first record that has any: by their form a layout recognises its files. */
export function firstOptions({ records }: RecordFile): unknown {
  const fields = records.map(({ value }) => (isFields(value) ? findFields(value, SPELLINGS.options)[0] : undefined));
  return fields.find((field) => field !== undefined)?.value;
}

/** Drafts of records that keep their options in one field. */
export function toDrafts({ file, records }: RecordFile, form: string, readOptions: ReadOptions): McqDrafts {
  const read = records.map((raw) => {
    const record = toRecordFields(file, raw);
    return { record, picked: pickAll(record) };
  });
  const picked = read.map((each) => each.picked);
  return {
    drafts: read.map((each, index) => toDraft(each.record, each.picked, index + 1, readOptions)),
    notes: [
      `Options ${form}: ${records.length} records, read from ${describeSources(ROLES, picked)}.`,
      ...noteMissingIds(picked.map(({ id }) => id)),
    ],
  };
}

const ROLES = ['id', 'context', 'question', 'type', 'options', 'answer', 'subject'] as const;

type Picked = Readonly<Record<(typeof ROLES)[number], Field | null>>;

function pickAll(record: RecordFields): Picked {
  const first = (role: keyof typeof SPELLINGS) => findFields(record.values, SPELLINGS[role])[0] ?? null;
  return {
    id: pickField(record, SPELLINGS.id),
    context: first('context'),
    question: pickField(record, SPELLINGS.question),
    type: first('type'),
    options: pickField(record, SPELLINGS.options),
    // Truths that are spelt differently may still agree ("B" and its text), so they are compared when resolved.
    answer: first('answer'),
    subject: first('subject'),
  };
}

function toDraft(record: RecordFields, picked: Picked, position: number, readOptions: ReadOptions): McqDraft {
  const input = toInput(record, picked);
  const id = picked.id === null ? makeId(position, input) : toId(record.place, picked.id);
  const place = { ...record.place, id };
  const field = requirePicked(record, picked, 'options');
  requirePicked(record, picked, 'answer');
  const truths = findFields(record.values, SPELLINGS.answer);
  const multiple = toMultiple(picked.type?.value);
  return {
    place,
    id,
    input,
    options: toOptions(place, field, readOptions(place, field)),
    truths,
    ...(multiple === undefined ? {} : { multiple }),
    subject: picked.subject === null ? null : toSubject(place, picked.subject),
    metadata: omitFields(record.values, usedNames(picked, truths)),
  };
}

function toInput(record: RecordFields, picked: Picked): string {
  const question = requireText(record.place, requirePicked(record, picked, 'question')).trim();
  return picked.context === null ? question : `${requireText(record.place, picked.context).trim()}\n\n${question}`;
}

function toSubject(place: Place, field: Field): string {
  return typeof field.value === 'number' ? String(field.value) : requireText(place, field).trim();
}

/** The answer type stays in the metadata: it may say more than whether several options are right. */
function usedNames({ id, context, question, options, subject }: Picked, truths: readonly Field[]): string[] {
  return [id, context, question, options, subject, ...truths].flatMap((field) => (field === null ? [] : [field.name]));
}

function requirePicked(
  { place, values }: RecordFields,
  picked: Picked,
  role: 'question' | 'options' | 'answer',
): Field {
  const field = picked[role];
  if (field !== null) return field;
  throw new RecordError({
    ...place,
    problem: `the record has no ${role}, or an empty one`,
    detail: describeNames(values),
    remedy: `Fill "${role}"${role === 'answer' ? ' ("?" hides it)' : ''}, or leave the record out.`,
  });
}
