import { RecordError, type RecordFile } from '../../records/record.ts';
import { quote } from '../../text/show.ts';
import { plural } from '../../text/wording.ts';
import { describeSources } from '../dataset-name.ts';
import {
  describeNames,
  type Field,
  findFields,
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
import { type FieldMap, SPELLINGS } from './field-map.ts';
import { settleIndices } from './index-base.ts';
import type { McqReader, McqReading } from './layouts.ts';
import { toOptions } from './options.ts';
import { isWhole, refuseWrongFlags } from './target.ts';
import { refuseLabelOrText } from './written-labels.ts';

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
  return { ...picked, options: { name: reading.names ?? reading.field.name }, answer: reading.truths[0] ?? null };
}

/** One option under the label by which answers name it. */
export type Option = { readonly label: string; readonly text: string };

/** How numbers count options. */
export type IndexBase = 'zero-based' | 'one-based';

/** A field that states the truth. */
export type Truth = Field & {
  /** Present where a whole number counts options, and is not a label or a text. */
  readonly index?: IndexBase;
  /** Present where the name often means something else; then it counts only if it names an option. */
  readonly weak?: true;
};

/** What every layout of multiple-choice records says of one question. */
export type McqDraft = {
  readonly place: Place;
  readonly id: string;
  /** The case, a blank line and the question. */
  readonly input: string;
  readonly options: readonly Option[];
  /** Every field that states the truth; they must agree. None, a "?" or an index of -1 hides it. */
  readonly truths: readonly Truth[];
  /** Absent when the record does not say whether several options may be right. */
  readonly multiple?: boolean;
  readonly subject: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type McqDrafts = { readonly drafts: readonly McqDraft[]; readonly notes: readonly string[] };

/** The field that was found for a role; throws a RecordError when none was. */
export function requireFilled(
  { place, values }: RecordFields,
  field: Field | null,
  role: 'question' | 'options' | 'answer',
): Field {
  if (field !== null) return field;
  throw new RecordError({
    ...place,
    problem: `the record has no ${role}, or an empty one`,
    detail: describeNames(values),
    remedy: `Fill "${role}"${role === 'answer' ? ' ("?" hides it)' : ''}, or leave the record out.`,
  });
}

/**
 * Whether several options may be right, as an answer type says, by its text or as true or false; undefined when it
 * says nothing.
 * "Multiple choice" is the name of the form and says nothing.
 */
export function toMultiple(answerType: unknown): boolean | undefined {
  if (typeof answerType === 'boolean') return answerType;
  if (typeof answerType !== 'string') return undefined;
  const text = answerType.toLowerCase().replace(/multiple[\s_-]?choice/g, '');
  if (/single|\bone\b|true[\s/_-]{0,3}false/.test(text)) return false;
  return /multi/.test(text) ? true : undefined;
}
