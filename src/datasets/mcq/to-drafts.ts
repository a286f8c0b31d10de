import type { RecordFile } from '../../records/record-file.ts';
import { quote } from '../../records/show-value.ts';
import { plural } from '../../text/plural.ts';
import { describeSources } from '../describe-sources.ts';
import { findFields, pickField } from '../pick-field.ts';
import {
  type Field,
  omitFields,
  type Place,
  type RecordFields,
  requireField,
  requireText,
  toRecordFields,
} from '../record-fields.ts';
import { makeId, noteMissingIds, toId } from '../record-id.ts';
import { toMultiple } from './answer-type.ts';
import type { McqDraft, McqDrafts, Option, Truth } from './draft.ts';
import type { FieldMap } from './field-map.ts';
import { isWhole } from './find-truths.ts';
import { refuseWrongFlags } from './flag-lists.ts';
import { settleIndices } from './index-base.ts';
import { refuseLabelOrText } from './label-or-text.ts';
import type { McqReader, McqReading } from './layout.ts';
import { toOptions } from './options.ts';
import { requireFilled } from './require-filled.ts';
import { SPELLINGS } from './spellings.ts';

/** Drafts of the records of a file. Throws a RecordError for the first bad record. */
export function toDrafts({ file, records }: RecordFile, reader: McqReader, fields: FieldMap): McqDrafts {
  const read = records.map((raw, index) => {
    const plain = toRecordFields(file, raw);
    return readRecord(reader.lift?.(plain) ?? plain, reader, fields, index + 1);
  });
  const hidden = read.filter(({ reading }) => reading.truths.length === 0);
  const mayHide = reader.hides === 'each record' || (reader.hides === 'whole file' && hidden.length === read.length);
  if (!mayHide) for (const { record } of hidden) requireFilled(record, null, 'answer');
  const drafts = read.map(({ draft }) => draft);
  refuseWrongFlags(drafts);
  const settled = settleIndices(drafts, fields.index);
  refuseLabelOrText(settled.drafts);
  return {
    drafts: settled.drafts,
    notes: [
      `${reader.name}: ${plural(records.length, 'record')}, read from ${describeSources(ROLES, read.map(toSources))}.`,
      ...(reader.notes ?? []),
      ...settled.notes,
      ...noteIgnored(read, settled.drafts),
      ...noteMissingIds(read.map(({ picked }) => picked.id)),
    ],
  };
}

const ROLES = ['id', 'context', 'question', 'type', 'options', 'answer', 'subject'] as const;

type Picked = Readonly<Record<'id' | 'context' | 'question' | 'type' | 'subject', Field | null>>;

type ReadRecord = {
  readonly record: RecordFields;
  readonly picked: Picked;
  readonly reading: McqReading;
  readonly draft: McqDraft;
};

function readRecord(plain: RecordFields, reader: McqReader, fields: FieldMap, position: number): ReadRecord {
  const picked = pickAll(plain, fields);
  const question = requireText(plain.place, requireFilled(plain, picked.question, 'question')).trim();
  const input = toInput(plain, picked, question);
  const id = picked.id === null ? makeId(position, input) : toId(plain.place, picked.id);
  const record = { place: { ...plain.place, id }, values: plain.values };
  const found = reader.read(record, question);
  const reading = fields.answer === undefined ? found : { ...found, truths: [requireField(record, fields.answer)] };
  return { record, picked, reading, draft: toDraft(record, id, input, picked, reading) };
}

function pickAll(record: RecordFields, fields: FieldMap): Picked {
  const first = (role: keyof typeof SPELLINGS) => findFields(record.values, SPELLINGS[role])[0] ?? null;
  const mapped = (name: string | undefined) => (name === undefined ? undefined : requireField(record, name));
  return {
    id: mapped(fields.id) ?? pickField(record, SPELLINGS.id),
    context: mapped(fields.context) ?? first('context'),
    question: mapped(fields.question) ?? pickField(record, SPELLINGS.question),
    type: first('type'),
    subject: mapped(fields.group) ?? first('subject'),
  };
}

function toDraft(
  { place, values }: RecordFields,
  id: string,
  input: string,
  picked: Picked,
  { field, raw, truths: stated, used, multiple: known }: McqReading,
): McqDraft {
  const options = toOptions(place, field, raw);
  const truths = stated.filter(
    (truth) => truth.weak !== true || namesOption(truth, options) || mayCount(truth, options),
  );
  const multiple = known ?? toMultiple(picked.type?.value);
  return {
    place: { ...place, id },
    id,
    input,
    options,
    truths,
    ...(multiple === undefined ? {} : { multiple }),
    subject: picked.subject === null ? null : toSubject(place, picked.subject),
    metadata: omitFields(values, [...usedNames(picked), ...used, ...truths.map(({ name }) => name)]),
  };
}

/** A "label" of "B" or of an option's text is one; "hard" and 1 are none. */
function namesOption({ value }: Truth, options: readonly Option[]): boolean {
  const written = typeof value === 'string' ? value.trim() : null;
  return options.some(({ label, text }) => label === written || text === written);
}

/** A number that may count the options, which the whole file shows. */
function mayCount({ value }: Truth, options: readonly Option[]): boolean {
  return isWhole(value) && Number(value) >= 0 && Number(value) <= options.length;
}

/** What looks like another truth, and names no option in any record. */
function noteIgnored(read: readonly ReadRecord[], kept: readonly McqDraft[]): string[] {
  const stated = new Set(read.flatMap(({ reading }) => reading.truths.map(({ name }) => name)));
  const used = new Set(kept.flatMap(({ truths }) => truths.map(({ name }) => name)));
  const answers = new Set(
    read.flatMap(({ reading }) => reading.truths.filter(({ weak }) => weak !== true)).map(({ name }) => name),
  );
  return [...stated]
    .filter((name) => !used.has(name) && !answers.has(name))
    .map((name) => `${quote(name)} looks like a truth too, but cannot be read as one and is ignored.`);
}

function toInput({ place }: RecordFields, { context }: Picked, question: string): string {
  // Not every record has one: SciQ leaves "support" empty in one of ten.
  const isEmpty = context === null || context.value === null || context.value === '';
  return isEmpty ? question : `${requireText(place, context).trim()}\n\n${question}`;
}

function toSubject(place: Place, field: Field): string {
  return typeof field.value === 'number' ? String(field.value) : requireText(place, field).trim();
}

/** The answer type stays in the metadata: it may say more than whether several options are right. */
function usedNames({ id, context, question, subject }: Picked): string[] {
  return [id, context, question, subject].flatMap((field) => (field === null ? [] : [field.name]));
}

function toSources({ picked, reading }: ReadRecord) {
  return { ...picked, options: reading.field, answer: reading.truths[0] ?? null };
}
