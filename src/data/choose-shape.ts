import { DOCS } from '../package.ts';
import { isFields } from '../words/fields.ts';
import { plainName } from '../words/plain-name.ts';
import type { Note } from '../words/sample.ts';
import { lineIf, plural, quote, toNotes, tryOrUndefined } from '../words/show.ts';
import { plainly, told } from '../words/told.ts';
import { OTHER_TARGET } from './files/field-names.ts';
import { type RawRecord, RecordError, type RecordFile } from './files/record.ts';
import { findOptionsInside } from './options.ts';
import { type Reading, ROLES } from './read-record.ts';
import {
  findNamed,
  isFilled,
  requireNamed,
  toRecordFields,
  unknownLayout,
  type Values,
} from './record-fields.ts';
import type { SampleSetting } from './samples.ts';
import { hasOptions, listNames, type Shape, type SuiteKind } from './shape.ts';
import { SECOND_SPELLINGS, SHAPES, SPELLINGS } from './shapes.ts';

/**
 * How many records are searched for the form of their fields. Searching thousands would take as
 * long as reading them.
 */
const SEARCHED = 100;

/** Among so many questions with four options, one has the first as its answer. */
const MANY = 30;

/**
 * The shape of the dataset that records belong to, and the fields that each must have, by the names
 * of the fields; undefined if it is not known.
 */
export function findKnown(
  { records }: RecordFile,
  kind: SuiteKind | undefined,
): Readonly<{ shape: Shape; has: readonly string[] }> | undefined {
  const searched = valuesOf(records.slice(0, SEARCHED)).map((values) => ({
    values,
    names: new Set(Object.keys(values).map(plainName)),
  }));
  const known = SHAPES.find(({ has, without = [], like = [], exact, of = kind }) => {
    const matching = searched.filter(
      ({ values, names }) =>
        (exact === undefined || names.size === has.length) &&
        !without.some((name) => names.has(plainName(name))) &&
        has.every(
          (name) =>
            names.has(plainName(name.replace(/\..*/, ''))) &&
            (!name.includes('.') || findNamed(values, name) !== null),
        ),
    );
    return (
      matching.length > 0 &&
      of === kind &&
      matching.every(({ values }) => like.every((each) => isLike(values, each))) &&
      (exact === undefined ||
        matching.length < MANY ||
        matching.some(({ values }) => isLike(values, exact)))
    );
  });
  if (known === undefined) return undefined;
  const { has, without: _, like: __, exact: ___, of: ____, ...shape } = known;
  return { shape, has };
}

function isLike(values: Values, [name, pattern]: readonly [string, RegExp]): boolean {
  const value = findNamed(values, name)?.value;
  return !isFilled(value) || pattern.test(Array.isArray(value) ? '[' : scalarText(value));
}

/** The shape of records with the usual names. Names that no record has are left out. */
export function guessShape(source: RecordFile, kind: SuiteKind, known: Shape = {}): Shape {
  const names = listFieldNames(source.records);
  const pick = (spellings: readonly string[]) =>
    listNames(spellings).flatMap((spelling) => names.get(plainName(spelling)) ?? []);
  const first = (role: keyof typeof SECOND_SPELLINGS) => {
    const found = pick(SPELLINGS[role]);
    return found.length > 0 ? found : pick(SECOND_SPELLINGS[role]).slice(0, 1);
  };
  const answers = first('answer');
  const others = [...names].flatMap(([plain, spelt]) => (OTHER_TARGET.test(plain) ? spelt : []));
  const [right] = pick(SPELLINGS.right);
  const wrong = pick(SPELLINGS.wrong);
  const isRightFirst = right !== undefined && wrong.length > 0;
  const choices =
    hasOptions(known) || isRightFirst || kind === 'gaia' ? [] : guessChoices(source, names, kind);
  const guessed = omitEmpty({
    id: pick(SPELLINGS.id),
    input: first('input'),
    context: pick(SPELLINGS.context),
    images: pick(SPELLINGS.images),
    attachments: pick(SPELLINGS.attachments.slice(0, kind === 'gaia' ? 5 : 3)).slice(0, 1),
    ...(isRightFirst && !hasOptions(known) ? { right: [right], wrong } : { choices }),
    answer: answers.length === 0 ? [] : [...new Set([...answers, ...others])],
    multiple: pick(SPELLINGS.multiple).slice(0, 1),
    group: kind === 'gaia' ? pick(['level']) : pick(SPELLINGS.group),
  });
  const isPublic = known.name !== undefined || choices.length > 1;
  return { ...guessed, ...(isPublic && kind === 'mcq' && { hides: 'whole file' }), ...known };
}

/** The names of all fields as the records spell them, by their plain names. */
type FieldNames = ReadonlyMap<string, readonly string[]>;

function listFieldNames(records: readonly RawRecord[]): FieldNames {
  const names = new Set<string>();
  for (const values of valuesOf(records)) for (const name in values) names.add(name);
  return Map.groupBy(names, plainName);
}

/** A role with one name is written as a text, one without names is left out. */
function omitEmpty(roles: Readonly<Record<string, readonly string[]>>): Shape {
  const named = Object.entries(roles).filter(([, names]) => names.length > 0);
  return Object.fromEntries(
    named.map(([role, names]) => [role, names.length === 1 ? names[0] : names]),
  );
}

/** The field with all options, or a column for each. A table may have both: then columns count. */
function guessChoices(
  { records }: RecordFile,
  names: FieldNames,
  kind: SuiteKind,
): readonly string[] {
  const spelt = SPELLINGS.choices.flatMap((spelling) => names.get(plainName(spelling)) ?? []);
  const searched = valuesOf(records);
  for (const name of spelt) {
    const filled = searched.find((values) => isFilled(values[name]));
    const value = filled?.[name];
    if (kind === 'records' && !lookLikeOptions(value)) continue;
    if (filled !== undefined && typeof value !== 'string') return [name];
  }
  // In an own suite, "a" and "b" may be anything.
  const families =
    kind === 'records' && !names.get('a')?.includes('A') ? FAMILIES.slice(1) : FAMILIES;
  const columns = findColumns(names, families);
  if (columns.length > 0) return columns;
  return kind === 'records' ? [] : spelt.slice(0, 1);
}

/** In an own suite, "choices" may be a number and "options" the settings of a model. */
function lookLikeOptions(value: unknown): boolean {
  const texts = isFields(value) ? Object.values(value) : value;
  return (
    Array.isArray(texts) && texts.length > 1 && texts.every((text) => typeof text === 'string')
  );
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

const FROM_0 = LETTERS.map((_, index) => String(index));

const FROM_1 = LETTERS.map((_, index) => String(index + 1));

/** The plain names of columns with one option each: a family, then a letter or a number. */
const FAMILIES: readonly (readonly string[])[] = [
  LETTERS,
  ...['option', 'choice', 'opt', 'op', 'alternative', 'answer', 'ans', 'ending'].flatMap((family) =>
    [LETTERS, FROM_0, FROM_1].map((suffixes) => suffixes.map((suffix) => `${family}${suffix}`)),
  ),
];

/** The columns of the first family that has two or more. */
function findColumns(names: FieldNames, families: typeof FAMILIES): readonly string[] {
  for (const keys of families) {
    const end = [...keys, ''].findIndex((key) => !names.has(key));
    if (end > 1) return keys.slice(0, end).flatMap((key) => names.get(key)?.[0] ?? []);
  }
  return [];
}

const SET_FIELDS = 'EVAL_MCQ_FIELDS=\'{"input": "...", "choices": "...", "answer": "..."}\'';

const REMEDIES: Readonly<Record<SuiteKind, string>> = {
  gaia: 'Use "task_id", "Question", "Level" and "Final answer", or at least "question" and "answer".',
  mcq: `Name the fields: ${SET_FIELDS}, or leave the record out.`,
  records: 'Call it "input" or "question", or name its field by "map" in the eval file.',
};

/**
 * The shape of the records: that of a known dataset or of the usual names, as the user changes it.
 */
export function chooseReading(
  source: RecordFile,
  kind: SuiteKind,
  userShape: Shape | null,
  { accepts, cluster }: Pick<SampleSetting, 'accepts' | 'cluster'> = {},
): Reading {
  const { has = [], shape: known = {} } = findKnown(source, kind) ?? {};
  const notes = kind === 'gaia' ? refuseChoices(source, known) : [];
  const base = userShape !== null && hasOptions(userShape) ? omitOptions(known) : known;
  const guessed = listsOptions(source, guessShape(source, kind, { ...base, ...userShape }), kind);
  const name = userShape === null ? (known.name ?? 'Usual names') : 'Fields as set';
  const shape = {
    ...guessed,
    name,
    ...(accepts && { accepts }),
    ...(typeof cluster === 'string' && { cluster }),
  };
  const lacks =
    kind === 'mcq'
      ? !hasOptions(shape)
      : kind === 'gaia' && (shape.input === undefined || shape.answer === undefined);
  // The reason may be a misspelt name.
  const names = listUserNames(userShape);
  // A record without a cluster is alone.
  const clusters = [
    typeof cluster === 'function' ? [] : [cluster ?? userShape?.cluster ?? []].flat(),
  ];
  requireAnywhere(source, names, kind);
  requireAnywhere(withOthers(source), clusters, kind);
  // Its first line may be a record.
  const isHeadless = source.header !== undefined && (shape.input ?? shape.asks) === undefined;
  if (lacks || isHeadless)
    throw unknownLayout(source, kind === 'mcq' ? UNKNOWN_MCQ : REMEDIES[kind]);
  const sources = new Map(ROLES.map((role) => [role, new Set<string>()]));
  const needed = [...names, ...has.map((name) => [name])];
  return { shape, kind, needed, remedy: REMEDIES[kind], sources, notes };
}

/** The records with the fields that a cluster may be named by besides. */
function withOthers({ records, ...source }: RecordFile): RecordFile {
  const toFields = (value: unknown) => (isFields(value) ? value : {});
  return {
    ...source,
    records: records.map(({ value, given, ...raw }) => ({
      ...raw,
      value: { ...toFields(toFields(value)['metadata']), ...toFields(given), ...toFields(value) },
    })),
  };
}

/** Throws a RecordError for the first record if none has any of some names: they are misspelt. */
function requireAnywhere(
  { file, records }: RecordFile,
  lists: readonly (readonly string[])[],
  kind: SuiteKind,
): void {
  const isThere = (names: readonly string[]) =>
    records.some(
      ({ value }) => isFields(value) && names.some((name) => findNamed(value, name) !== null),
    );
  const missing = lists.filter((names) => names.length > 0 && !isThere(names));
  const first = records.find(({ value }) => isFields(value));
  if (first !== undefined) requireNamed(toRecordFields(file, first), missing, kind);
}

const UNKNOWN_MCQ =
  'Use "question", "options" and "answer"; options may be "a|b|c", a list, an object or columns A, B, C. ' +
  `Or name the fields: ${SET_FIELDS}. See ${DOCS}/datasets.md#multiple-choice.`;

/** Objects are never converted to text: a record may contain {"toString": ...}. */
function scalarText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

/** The shape of records without fields for options, all of whose questions list them. */
function listsOptions({ records }: RecordFile, shape: Shape, kind: SuiteKind): Shape {
  if (kind !== 'mcq' || hasOptions(shape)) return shape;
  const [name = ''] = listNames(shape.input);
  const inside = valuesOf(records.slice(0, SEARCHED)).every(
    (values) => findOptionsInside(scalarText(findNamed(values, name)?.value)) !== null,
  );
  return inside ? { ...shape, inside } : shape;
}

/** Options that GAIA's suite would not show: refused for a known dataset, else noted. */
function refuseChoices(source: RecordFile, known: Shape): readonly Note[] {
  const shape = tryOrUndefined(() => guessShape(source, 'mcq', known));
  if (shape === undefined || shape.inside === true || !hasOptions(shape)) return [];
  const text = 'These records have options, which the agent does not see. EVAL_MCQ asks with them.';
  if (known.name === undefined) return toNotes('unread', [text]);
  throw new RecordError({
    file: source.file,
    line: source.records[0]?.line ?? 1,
    problem: told`the records are multiple choice (${plainly(known.name)}), which EVAL_GAIA would ask without options`,
    remedy: 'Set EVAL_MCQ instead.',
  });
}

const OPTIONS: ReadonlySet<string> = new Set([
  'choices',
  'right',
  'wrong',
  'rightFirst',
  'fixed',
  'inside',
]);

function omitOptions(known: Shape): Shape {
  return Object.fromEntries(Object.entries(known).filter(([role]) => !OPTIONS.has(role)));
}

/** The names of fields that the user gave: each record must have one of each list. */
function listUserNames(userShape: Shape | null): readonly (readonly string[])[] {
  if (userShape === null) return [];
  const { id, input, context, choices = [], right, answer, group } = userShape;
  const roles = [id, input, context, right, answer, group].map((names) => [names ?? []].flat());
  // A misspelt column would lose its option.
  const columns = [choices].flat().map((name) => [name]);
  return [...roles, ...columns].filter((names) => !names.some((name) => /\*$| \+ /.test(name)));
}

/** The records that are questions, with notes on the others. */
export function selectRecords({ records }: RecordFile, { shape, kind }: Reading) {
  const { skip, only } = shape;
  const asked = skip ? records.filter(({ value }) => !holdsValues(value, skip)) : records;
  const isOnly = only !== undefined && kind !== 'gaia';
  const selected = isOnly ? asked.filter(({ value }) => holdsValues(value, only)) : asked;
  const [[name, value] = []] = Object.entries(only ?? {});
  const left = asked.length - selected.length;
  const placeholders = asked.length < records.length ? Object.values(skip ?? {}) : [];
  const why = `left out: ${quote(name ?? '')} is not ${quote(value ?? '')}.`;
  return {
    records: selected,
    placeholders,
    notes: [
      ...toNotes(
        'placeholder',
        placeholders.map((id) => `The placeholder row ${quote(id)} was skipped.`),
      ),
      ...toNotes(
        'left out',
        lineIf(left > 0, `${plural(left, 'record')} of ${asked.length} ${why}`),
      ),
    ],
  };
}

function holdsValues(value: unknown, pattern: Readonly<Record<string, string>>): boolean {
  if (!isFields(value)) return false;
  return Object.entries(pattern).every(
    ([name, text]) => scalarText(findNamed(value, name)?.value).trim() === text,
  );
}

/** The fields of the records that are objects. */
function valuesOf(records: readonly RawRecord[]): readonly Values[] {
  return records.flatMap(({ value }) => (isFields(value) ? [value] : []));
}
