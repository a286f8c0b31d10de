import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../words/fields.ts';
import { plainName } from '../words/plain-name.ts';
import type { Json, Sample } from '../words/sample.ts';
import { cut, quote, showValue } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { called, listCalled, plainly, type Told, told } from '../words/told.ts';
import { parseLiteral, toJson } from './files/json.ts';
import {
  keepGood,
  type RawRecord,
  RecordError,
  type RecordFault,
  type RecordFile,
} from './files/record.ts';
import { adviseHeader, looksLikeData, rowsOf, toHeaderError } from './files/table.ts';
import type { SuiteKind } from './shape.ts';

/** The file, line and id of a record, for its errors. */
export type Place = Pick<RecordFault, 'file' | 'listed'> &
  Readonly<{
    line: number;
    id?: string;
  }>;

/** A place, or a file alone. */
type SomePlace = Omit<Place, 'line'> & Partial<Pick<Place, 'line'>>;

export type Values = Readonly<Record<string, unknown>>;

/** A record that is known to be an object. */
export type RecordFields = Readonly<{ place: Place; values: Values }>;

/** One field, with its name as the record spells it. */
export type Field = Readonly<{ name: string; value: unknown }>;

/**
 * The fields of a raw record, with all digits of its numbers; throws a RecordError when it is not
 * an object.
 */
export function toRecordFields(source: string, raw: RawRecord): RecordFields {
  const { line, file = source, written: value = raw.value } = raw;
  if (isFields(value)) return { place: { file, line }, values: value };
  const remedy = 'Write {"name": value, ...} or leave the record out.';
  throw new RecordError({
    file,
    line,
    problem: told`a record must be a JSON object`,
    value,
    remedy,
  });
}

/** Throws a RecordError if a record has none of the fields of a list. */
export function requireNamed(
  { place, values }: RecordFields,
  lists: readonly (readonly string[])[],
  kind: SuiteKind,
): void {
  const [field] =
    lists.find(
      (names) => names.length > 0 && names.every((name) => findNamed(values, name) === null),
    ) ?? [];
  if (field === undefined) return;
  throw new RecordError({
    ...place,
    field,
    problem: told`is missing`,
    detail: describeNames(values),
    // Other kinds have no setting for names.
    remedy: `Add it, ${kind === 'mcq' ? 'correct its name in EVAL_MCQ_FIELDS, ' : ''}or leave the record out.`,
  });
}

/**
 * The field that was found for a role; throws a RecordError when none was. The error names the one
 * of `names` that is there, but empty; `absent` is the remedy if none is there.
 */
export function requireFilled(
  { place, values }: RecordFields,
  field: Field | null,
  role: string,
  names: readonly string[] = [],
  absent?: string,
): Field {
  if (field !== null) return field;
  const empty = names.flatMap((name) => findNamed(values, name)?.name ?? [])[0];
  const hides = role === 'answer' ? ' ("?" hides it)' : '';
  const fill = `Fill ${quote(empty ?? role)}${hides}, or leave the record out.`;
  throw new RecordError({
    ...place,
    problem: told`the record has no ${plainly(role)}, or an empty one`,
    detail: describeNames(values),
    remedy: empty === undefined ? (absent ?? fill) : fill,
  });
}

function describeNames(values: Values): string {
  const names = Object.keys(values);
  return names.length === 0
    ? 'the record is empty'
    : `the record has ${cut(names.map(quote).join(', '))}`;
}

/** The text of a field. Throws a RecordError when it is not text, or blank. */
export function requireText(place: Place, field: Field): string {
  const { value } = field;
  if (typeof value !== 'string') throw fault(place, field, told`must be text`);
  if (value.trim() === '') throw fault(place, field, told`must not be empty`);
  return value;
}

/** The value of a field of an own suite. Throws a RecordError when JSON has no such value. */
export function requireJson(place: Place, field: Field): Json {
  try {
    return toJson(field.value);
  } catch (error) {
    const problem = told`must be a value that JSON has`;
    const detail = messageOf(error);
    throw new RecordError({ ...place, field: field.name, problem, detail, remedy: FIX });
  }
}

export function fault(
  place: SomePlace,
  { name, value }: Field,
  problem: Told,
  remedy = FIX,
): RecordError {
  return new RecordError({ ...place, field: name, problem, value, remedy });
}

const FIX = 'Fix the record or leave it out.';

/**
 * The field of a name, with its value. Case, spaces and punctuation of the name do not matter:
 * "Final answer", "final_answer" and "finalAnswer" are one. "question.stem" is a field inside
 * another.
 */
export function findNamed(values: Values, name: string): Field | null {
  if (Object.hasOwn(values, name)) return { name, value: values[name] };
  const plain = plainName(name);
  const same = Object.keys(values).find((spelling) => plainName(spelling) === plain);
  if (same !== undefined) return { name: same, value: values[same] };
  const dot = name.indexOf('.');
  if (dot === -1) return null;
  const outer = findNamed(values, name.slice(0, dot));
  if (outer === null) return null;
  const value = typeof outer.value === 'string' ? parseLiteral(outer.value) : outer.value;
  const inner = isFields(value) ? findNamed(value, name.slice(dot + 1)) : null;
  return inner && { name: `${outer.name}.${inner.name}`, value: inner.value };
}

/** The longest name of a cluster. A passage is named by its hash. */
const LONGEST_NAME = 60;

/** Names a cluster by a value: a short text as it is, any other value by its hash. */
export function toClusterName(value: unknown): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    .trim()
    .normalize();
  const isName = text.length <= LONGEST_NAME && !/[\r\n]/.test(text);
  return isName ? text : hash('sha256', text).slice(0, 16);
}

/** What a suite's own function returned of a record or a sample; null if it names no cluster. */
export function toClusterField(place: SomePlace, value: unknown, sample?: string): Field | null {
  if (!isFilled(value)) return null;
  const field = { name: 'cluster', value };
  if (typeof value === 'string' || Number.isFinite(value)) return field;
  const name = sample === undefined ? told`` : told`, but did not for ${called(sample)}`;
  const problem = told`must return a string or a number, or null${name}`;
  throw fault(place, field, problem, 'Correct "cluster".');
}

/** The filled fields of some names, in the order of the names. */
export function findFilled(values: Values, names: readonly string[]): readonly Field[] {
  const found = names.flatMap((name) => findNamed(values, name) ?? []);
  return found.filter(({ value }) => isFilled(value));
}

/**
 * The first filled field of some names; null when none is filled. Throws a RecordError when several
 * are filled and disagree: choosing one would be a guess.
 */
export function pickField({ place, values }: RecordFields, names: readonly string[]): Field | null {
  const [first, ...others] = findFilled(values, names);
  if (first === undefined) return null;
  const other = others.find(({ value }) => !isSame(value, first.value));
  if (other === undefined) return first;
  throw new RecordError({
    ...place,
    problem: told`${listCalled([first.name, other.name])} disagree`,
    detail: `${showValue(first.value)} against ${showValue(other.value)}`,
    remedy: 'Keep the right one.',
  });
}

/** Whether a value is filled: neither null, undefined nor a blank text. */
export function isFilled(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : (value ?? null) !== null;
}

function isSame(a: unknown, b: unknown): boolean {
  // Objects are never converted to text: a record may contain {"toString": ...}.
  if (typeof a === 'object' || typeof b === 'object') return isDeepStrictEqual(a, b);
  return String(a).trim() === String(b).trim();
}

/**
 * An id for a record that has none: its position (1 for the first) and a hash of its question,
 * "q-0007-ab12cd34".
 */
export function makeId(position: number, question: string): string {
  return `q-${String(position).padStart(4, '0')}-${hash('sha256', question).slice(0, 8)}`;
}

/** The id or group of a field. Throws a RecordError when it is neither text nor a number. */
export function toName(place: Place, field: Field): string {
  return typeof field.value === 'number' ? String(field.value) : requireText(place, field).trim();
}

/** The records whose id no earlier one has. Errors of the others, which name both lines, go to `bad`. */
export function keepUnique<T extends Readonly<{ id: string; place: Place }>>(
  drafts: readonly T[],
  bad: RecordError[],
): readonly T[] {
  const places = new Map<string, Place>();
  return keepGood(
    drafts,
    (draft) => {
      const earlier = places.get(draft.id);
      if (earlier !== undefined) throw toRepeat(draft.id, draft.place, earlier);
      places.set(draft.id, draft.place);
      return draft;
    },
    bad,
  );
}

function toRepeat(id: string, place: Place, earlier: Place): RecordError {
  const what = place.listed === true ? told`record` : told`line`;
  const file = earlier.file === place.file ? told`` : told` of ${called(basename(earlier.file))}`;
  return new RecordError({
    ...place,
    problem: told`the id already belongs to ${what} ${earlier.line}${file}`,
    value: id,
    remedy: 'Give each record its own id, or leave one of the two out.',
  });
}

/** The error for records that fit no layout; throws at once if a record is not an object. */
export function unknownLayout(source: RecordFile, remedy: string): RecordError {
  const { file, records, header } = source;
  if (header !== undefined && looksLikeData(header.cells))
    return toHeaderError(file, header, rowsOf(source, header));
  const rows =
    header &&
    `If the first line is a record: ${adviseHeader(header.separator, rowsOf(source, header))}`;
  const [first] = records.map((raw) => toRecordFields(file, raw));
  const detail = first === undefined ? {} : { detail: describeNames(first.values) };
  return new RecordError({
    file,
    ...first?.place,
    problem: told`the records have no known layout`,
    ...detail,
    remedy: [remedy, ...(rows === undefined ? [] : [rows])].join(' '),
  });
}

/** The question, files and options of a sample; the options may be in any order. */
function contentOf({ input, choices = {}, attachments }: Sample): string {
  const files = attachments.map(({ path }) => path);
  return JSON.stringify([input, files, Object.values(choices).sort()]);
}

/** Ids of samples with the same question. Case and spacing do not count. */
export function findRepeats(samples: readonly Sample[]): readonly (readonly string[])[] {
  const byContent = Map.groupBy(samples, (sample) =>
    contentOf(sample)
      .toLowerCase()
      .replaceAll(/(?:\\[nrt]|\s)+/g, ' ')
      .replaceAll(/(?<=") | (?=")/g, ''),
  );
  return [...byContent.values()]
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ id }) => id));
}

/** All other fields. Those of a field "metadata" are added to them. */
export function toMetadata(values: Values, used: readonly string[]): Values {
  const left = new Set(used.flatMap((name) => [name, name.split('.')[0] ?? name]));
  const metadata = left.has('metadata') ? undefined : values['metadata'];
  left.add('metadata');
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !left.has(name)));
  if (isFields(metadata)) return { ...others, ...metadata };
  return metadata === undefined ? others : { ...others, metadata };
}

/** The id of one field, or of several that are joined: "link + question_number". */
export function findId(record: RecordFields, names: readonly string[]): Field | null {
  const [name = ''] = names;
  if (!name.includes(' + ')) return pickField(record, names);
  const parts = findFilled(record.values, name.split(' + '));
  const value = parts.map((part) => toName(record.place, part)).join('-');
  return value === '' ? null : { name, value };
}

/** Whether a field is a text, or a list of texts. Other values stay in the metadata. */
export function isTextual({ value }: Field): boolean {
  return [value].flat().every((text) => typeof text === 'string' && text.trim() !== '');
}

/** The text of a field, or its list of texts as paragraphs. */
export function joinTexts(place: Place, field: Field): string {
  const { value } = field;
  if (!Array.isArray(value)) return requireText(place, field).trim();
  return value.map((text) => requireText(place, { ...field, value: text }).trim()).join('\n\n');
}
