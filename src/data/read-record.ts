import { isFields } from '../words/fields.ts';
import { plainName } from '../words/plain-name.ts';
import type { Json, Note } from '../words/sample.ts';
import { toText } from '../words/show.ts';
import { told } from '../words/told.ts';
import { type AnswerField, type McqDraft, mayAnswer } from './answers.ts';
import { type FoundFiles, findFiles } from './attachments.ts';
import { parseLiteral } from './files/json.ts';
import {
  findOptionsInside,
  letterAt,
  type Option,
  type RawOption,
  readOptions,
  readTexts,
  refuseMany,
  standInside,
  toLettered,
  toOptions,
  withoutLabels,
} from './options.ts';
import {
  type Field,
  fault,
  findFilled,
  findId,
  findNamed,
  isFilled,
  isTextual,
  joinTexts,
  makeId,
  pickField,
  type RecordFields,
  requireFilled,
  requireJson,
  requireText,
  toMetadata,
  toName,
  type Values,
} from './record-fields.ts';
import {
  acceptsAny,
  isColumns,
  listNames,
  type Names,
  type Shape,
  type SuiteKind,
  toMultiple,
} from './shape.ts';
import { mayMislead } from './shapes.ts';

/** The names of the fields that were read as each role, for the note on the layout. */
type Sources = ReadonlyMap<string, Set<string>>;

export const ROLES = [
  'id',
  'context',
  'question',
  'options',
  'answer',
  'group',
  'cluster',
  'file',
] as const;

/** One question, as it is read from one record. */
export type Draft = McqDraft &
  Readonly<{
    /** The context, a blank line and the question; in an own suite any other value. */
    input: Json;
    /** Whether the question contains its options. */
    isInside: boolean;
    files: FoundFiles;
    values: Values;
    metadata: Values;
    hasId: boolean;
    group: Field | null;
    /** The text above the question; null without one. */
    context: string | null;
  }>;

/** The shape of a file's records, and what to do where a record lacks something. */
export type Reading = Readonly<{
  shape: Shape;
  kind: SuiteKind;
  /** Each record must have a field of each list: those of the dataset, and those of the user. */
  needed: readonly (readonly string[])[];
  /** The remedy for a record without a question or an answer. */
  remedy: string;
  notes: readonly Note[];
  /** Each record adds its names. */
  sources: Sources;
}>;

/**
 * Reads one record. `plain` is its parsed value, for the metadata: its numbers are numbers. Throws
 * a RecordError when the record does not fit its shape.
 */
export function readRecord(
  record: RecordFields,
  plain: unknown,
  position: number,
  reading: Reading,
): Draft {
  const { shape, kind } = reading;
  // Numbers of an own suite stay numbers.
  const typed = kind === 'records' && isFields(plain) ? { ...record, values: plain } : record;
  const asked = readInput(record, typed, reading, position);
  const { id, idField, place, question, contexts, input } = asked;
  const placed = { place, values: record.values };
  const options = readChoices(placed, reading, toText(question.value));
  const { files, used } = findFiles(placed, shape);
  const answers =
    options === null ? findAnswer({ ...typed, place }, shape) : toAnswers(placed, shape, options);
  const type = typeof shape.multiple === 'string' ? findNamed(record.values, shape.multiple) : null;
  const multiple = shape.multiple === false ? false : toMultiple(type?.value);
  const found = {
    id: idField,
    context: contexts[0] ?? null,
    question: question.field,
    options: options?.field ?? null,
    answer: answers[0] ?? null,
    group: findFilled(record.values, listNames(shape.group))[0] ?? null,
    file: used[0] ?? null,
  };
  for (const [role, field] of Object.entries(found))
    if (field !== null) reading.sources.get(role)?.add(field.name);
  const fields = [...Object.values(found), ...contexts, ...answers, ...used];
  const names = [...fields.flatMap((field) => field?.name ?? []), ...(options?.used ?? [])];
  return {
    ...placed,
    kind,
    id,
    input,
    options: options?.options ?? [],
    isInside: options?.isInside ?? false,
    answers,
    multiple,
    files,
    hasId: found.id !== null,
    group: found.group,
    context: asked.above,
    metadata: toMetadata(isFields(plain) ? plain : record.values, names),
  };
}

/** The id of a record, and what its agent reads. */
function readInput(record: RecordFields, typed: RecordFields, reading: Reading, position: number) {
  const { shape, needed } = reading;
  const idNames = listNames(shape.id);
  const ownId = findId(record, idNames);
  const needsId = needed.some((names) => names.some((name) => idNames.includes(name)));
  const idField = needsId ? requireFilled(record, ownId, 'id', idNames) : ownId;
  const stated = idField === null ? {} : { id: toName(record.place, idField) };
  const named = { ...typed, place: { ...record.place, ...stated } };
  const question = readQuestion(named, reading);
  const { value } = question;
  const isText = typeof value === 'string';
  const contexts = isText
    ? findFilled(typed.values, listNames(shape.context)).filter(isTextual)
    : [];
  const above = contexts.map((field) => joinTexts(named.place, field));
  const input = isText ? [...above, value].join('\n\n') : value;
  const text = above.length === 0 ? null : above.join('\n\n');
  const id = stated.id ?? makeId(position, toText(input));
  return { id, idField, place: { ...record.place, id }, question, contexts, above: text, input };
}

function readQuestion(
  record: RecordFields,
  { shape, kind, remedy }: Reading,
): Readonly<{ field: Field | null; value: Json }> {
  const names = listNames(shape.input);
  const field = pickField(record, names);
  if (field === null && shape.asks !== undefined) return { field, value: shape.asks };
  const role = kind === 'records' ? 'input' : 'question';
  const asked = requireFilled(record, field, role, names, remedy);
  if (kind === 'records') return { field: asked, value: requireJson(record.place, asked) };
  const text = requireText(record.place, asked);
  return { field: asked, value: kind === 'mcq' ? text.trim() : text };
}

type ReadChoices = Readonly<{
  field: Field;
  options: readonly Option[];
  isInside: boolean;
  /** Names of fields that are not metadata. */
  used: readonly string[];
}>;

/** The options of a record; null where it has none and needs none. */
function readChoices(
  record: RecordFields,
  { shape, kind }: Reading,
  question: string,
): ReadChoices | null {
  if (kind === 'gaia') return null;
  const found = findChoices(record, shape, kind, question);
  if (found === null) return null;
  const options = toOptions(record.place, found.field, found.raw);
  const isInside = shape.inside === true || standInside(question, options);
  return { ...found, options, isInside };
}

type FoundChoices = Omit<ReadChoices, 'options' | 'isInside'> & {
  readonly raw: readonly RawOption[];
};

function findChoices(
  record: RecordFields,
  shape: Shape,
  kind: SuiteKind,
  question: string,
): FoundChoices | null {
  const { place, values } = record;
  const { fixed, right, choices } = shape;
  if (fixed !== undefined)
    return { field: { name: 'fixed', value: fixed }, raw: toLettered(fixed), used: [] };
  if (right !== undefined) return readRightAndWrong(record, right, shape.wrong);
  if (choices !== undefined && isColumns(choices)) return readColumns(values, choices);
  if (choices !== undefined) {
    const names = listNames(choices);
    const found = findFilled(values, names)[0] ?? null;
    if (found === null && kind === 'records') return null;
    const field = requireFilled(record, found, 'options', names);
    const marked = shape.answer === choices && isFields(field.value) && Object.keys(field.value);
    const raw = readOptions(place, marked ? { ...field, value: marked } : field);
    return { field, raw, used: [field.name] };
  }
  const inside = shape.inside === true && kind === 'mcq' ? findOptionsInside(question) : null;
  if (inside !== null)
    return { field: { name: 'question', value: question }, raw: inside, used: [] };
  if (kind === 'records') return null;
  throw fault(
    place,
    { name: 'question', value: question },
    told`lists no options`,
    'Read the records with EVAL_GAIA, or leave the record out.',
  );
}

function readColumns(values: Values, choices: Names): FoundChoices {
  const all = listNames(choices);
  // A "*" allows for more names than there are.
  const names =
    typeof choices === 'string' ? all.filter((name) => findNamed(values, name) !== null) : all;
  const columns = names.map((name) => findNamed(values, name));
  const texts = columns.map((column) => column?.value ?? '');
  const field = { name: `${names[0]} to ${names.at(-1)}`, value: texts };
  return { field, raw: toLettered(texts), used: columns.flatMap((column) => column?.name ?? []) };
}

/** The right answer in its own field, the wrong ones in a list or in numbered fields. */
function readRightAndWrong(
  { place, values }: RecordFields,
  right: string,
  wrong: Names | undefined,
): FoundChoices {
  const first = findFilled(values, [right]);
  const others = findFilled(values, listNames(wrong));
  const texts = [
    ...first.map(({ value }) => value),
    ...others.flatMap((field) => readTexts(place, field)),
  ];
  const used = [...first, ...others].map(({ name }) => name);
  const field = { name: used.join(', '), value: texts };
  refuseMany(place, field, texts);
  return { field, raw: toLettered(withoutLabels(texts)), used };
}

/** The fields that state the answer of a question without options. They must agree. */
function findAnswer(record: RecordFields, shape: Shape): readonly AnswerField[] {
  const names = listNames(shape.answer ?? shape.right);
  if (acceptsAny(shape)) return findAccepted(record, shape, names);
  const clear = names.filter((name) => !mayMislead(name));
  const field = pickField(record, clear.length > 0 ? clear : names.slice(0, 1));
  if (field === null || shape.after === undefined || typeof field.value !== 'string')
    return field === null ? [] : [field];
  return [{ ...field, value: field.value.split(shape.after).at(-1)?.trim() }];
}

/** All accepted answers as one list, with the names of the fields that state them. */
function findAccepted(
  { values }: RecordFields,
  { alternatives, after }: Shape,
  names: readonly string[],
): readonly AnswerField[] {
  const fields = findFilled(values, names).map(({ name, value }) => {
    const listed = [parseList(value)].flat();
    return { name, value: listed.flatMap((each) => splitAnswer(each, alternatives, after)) };
  });
  const all = fields.flatMap(({ value }) => value);
  const shown = all.filter((value) => isFilled(value) && !HIDDEN.has(value));
  const [first] = fields;
  if (first === undefined || all.length === 0) return [];
  // Each field is named, so that none of them is metadata.
  const value = shown.length === 0 ? '?' : [...new Set(shown)];
  return [{ ...first, value }, ...fields.slice(1).map((field) => ({ ...field, value }))];
}

/** How data hide an answer; TriviaQA writes "<unk>". */
const HIDDEN: ReadonlySet<unknown> = new Set(['?', '<unk>']);

function splitAnswer(
  value: unknown,
  alternatives: string | undefined,
  after: string | undefined,
): readonly unknown[] {
  if (typeof value !== 'string') return [value];
  const text = after === undefined ? value : (value.split(after).at(-1) ?? '');
  const parts = alternatives === undefined ? [text] : text.split(alternatives);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Every field that states the answer of a question with options. */
function toAnswers(
  { values }: RecordFields,
  shape: Shape,
  { used, options }: ReadChoices,
): readonly AnswerField[] {
  const { right, choices } = shape;
  // An index, since a label may be the text of another option: vitamin B among A, B and C.
  if (right !== undefined)
    return findFilled(values, [right]).map(({ name }) => ({ name, value: 0, counts: 0 }));
  const columns = choices !== undefined && isColumns(choices) ? used : [];
  return findFilled(values, listNames(shape.answer)).flatMap((answer, index): AnswerField[] => {
    const isMarked = shape.answer === choices && isFields(answer.value);
    const stated = isMarked ? Object.values(answer.value) : parseList(answer.value);
    const value = toLabel(stated, columns, shape);
    if (index === 0 || !mayMislead(answer.name)) return [{ ...answer, value }];
    return mayAnswer(value, options) ? [{ ...answer, value, weak: true }] : [];
  });
}

/** In a table, a list of answers is text. */
function parseList(value: unknown): unknown {
  const parsed = typeof value === 'string' && value.startsWith('[') ? parseLiteral(value) : null;
  return Array.isArray(parsed) ? parsed : value;
}

/** "option_b" is the label of its column; true and false are places among fixed options. */
function toLabel(value: unknown, columns: readonly string[], { fixed }: Shape): unknown {
  if (fixed !== undefined && /^(?:true|false)$/i.test(String(value)))
    return /^true$/i.test(String(value)) ? 1 : 0;
  if (typeof value !== 'string') return value;
  const place = columns.findIndex((name) => plainName(name) === plainName(value));
  return place === -1 ? value : letterAt(place);
}
