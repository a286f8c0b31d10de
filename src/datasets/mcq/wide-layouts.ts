import { RecordError, type RecordFile } from '../../records/record.ts';
import { quote } from '../../text/show.ts';
import { type Field, findFields, hasField, isFields, normalizeName, type RecordFields } from '../record-fields.ts';
import { SPELLINGS } from './field-map.ts';
import type { McqLayout, McqReader } from './layouts.ts';
import type { OptionForm } from './options.ts';
import { findTruths, isWhole } from './target.ts';
import { type IndexBase, requireFilled, type Truth } from './to-drafts.ts';

/** A column with the texts of one option. */
export type OptionColumn = { readonly name: string; readonly key: string; readonly label: string };

/** A column for each option: A to J, option_a, option1, choice_a and the like. */
export const wide: McqLayout = {
  recognises: (source) => findColumns(source).length > 1,
  toReader: (source) => {
    const columns = findColumns(source);
    refuseGap(source, columns);
    const base = countFrom(source, columns);
    return {
      name: 'Options in columns',
      hides: 'whole file',
      read: ({ values }) => ({
        ...readColumns(values, columns),
        truths: findTruths(values).map((truth) => toLabel(truth, columns, base)),
      }),
    };
  },
};

/** The options of one record from their columns. */
export function readColumns(values: Readonly<Record<string, unknown>>, columns: readonly OptionColumn[]) {
  const texts = columns.map(({ name }) => (Object.hasOwn(values, name) ? values[name] : ''));
  const [first, last] = [columns[0]?.name ?? '', columns.at(-1)?.name ?? ''];
  return {
    field: { name: `${first} to ${last}`, value: texts },
    raw: columns.map(({ label }, index) => ({ label, text: texts[index] })),
    used: columns.map(({ name }) => name),
  };
}

/** The families of names, without case and punctuation; the suffix is a letter or a number. */
const FAMILIES = ['', 'option', 'choice', 'opt', 'op', 'alternative', 'answer', 'ans'];

/** The columns of the first family that has two or more, in order and without a gap. */
function findColumns({ records }: RecordFile): readonly OptionColumn[] {
  const byKey = namesByKey(records);
  for (const family of FAMILIES) {
    for (const suffixes of family === '' ? [LETTERS] : [LETTERS, FROM_0, FROM_1]) {
      const columns = toColumns(
        suffixes.map((suffix) => `${family}${suffix}`),
        byKey,
      );
      if (columns.length > 1) return columns;
    }
  }
  return [];
}

function namesByKey(records: RecordFile['records']): ReadonlyMap<string, string> {
  const names = new Set(records.flatMap(({ value }) => (isFields(value) ? Object.keys(value) : [])));
  return new Map([...names].map((name) => [normalizeName(name).replaceAll(' ', ''), name]));
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const FROM_0 = LETTERS.map((_, index) => String(index));
const FROM_1 = FROM_0.map((digit) => String(Number(digit) + 1));

function toColumns(keys: readonly string[], byKey: ReadonlyMap<string, string>): readonly OptionColumn[] {
  const gap = keys.findIndex((key) => !byKey.has(key));
  return keys.slice(0, gap === -1 ? keys.length : gap).map((key, index) => ({
    name: byKey.get(key) ?? key,
    key,
    label: String.fromCharCode(65 + index),
  }));
}

/** Single letters further on are columns of their own; "option_d" is an option, however many are missing before it. */
const NEAR = 2;

/** Throws a RecordError where a column is missing between those of options: without it, options would be lost. */
function refuseGap({ file, records }: RecordFile, columns: readonly OptionColumn[]): void {
  const last = columns.at(-1)?.key ?? '';
  const [, family = '', suffix = ''] = /^(.*?)([a-z]|\d+)$/.exec(last) ?? [];
  const suffixes = /\d/.test(suffix) ? FROM_0 : LETTERS;
  const gap = suffixes.indexOf(suffix) + 1;
  const reach = family === '' ? gap + 1 + NEAR : suffixes.length;
  const byKey = namesByKey(records);
  const beyond = suffixes.slice(gap + 1, reach).find((each) => byKey.has(`${family}${each}`));
  if (beyond === undefined) return;
  const lastName = columns.at(-1)?.name ?? '';
  const missing = `${lastName.slice(0, lastName.length - suffix.length)}${matchCase(suffixes[gap] ?? '', lastName)}`;
  throw new RecordError({
    file,
    line: records[0]?.line ?? 1,
    problem: `the column ${quote(missing)} is missing between ${quote(lastName)} and ${quote(byKey.get(`${family}${beyond}`) ?? beyond)}`,
    remedy:
      'Add the column, rename the columns of options without a gap, or name them all as "choices" in EVAL_MCQ_FIELDS.',
  });
}

function matchCase(suffix: string, like: string): string {
  return /\p{Lu}$/u.test(like) ? suffix.toUpperCase() : suffix;
}

/** Numbered columns say how a number counts them, unless some truth is a number that no column has. */
function countFrom({ records }: RecordFile, columns: readonly OptionColumn[]): IndexBase | null {
  const first = /\d+$/.exec(columns[0]?.key ?? '')?.[0];
  if (first === undefined) return null;
  const numbers = records
    .flatMap(({ value }) => (isFields(value) ? findTruths(value) : []))
    .filter(({ value }) => isWhole(value));
  const areColumns = numbers.every(
    ({ value }) => Number(value) >= Number(first) && Number(value) < Number(first) + columns.length,
  );
  if (!areColumns) return null;
  return first === '0' ? 'zero-based' : 'one-based';
}

/** "option_b" is the label of its column. */
function toLabel(truth: Truth, columns: readonly OptionColumn[], base: IndexBase | null): Truth {
  if (isWhole(truth.value)) return base === null ? truth : { ...truth, index: base };
  const key = typeof truth.value === 'string' ? normalizeName(truth.value).replaceAll(' ', '') : '';
  const column = columns.find((candidate) => candidate.key === key);
  return column === undefined ? truth : { ...truth, value: column.label };
}

/** All options in one field of a usual name, in one of the forms. */
export function oneField(form: OptionForm): McqLayout {
  return {
    recognises: (source) => form.fits(firstOptions(source)),
    toReader: (source) => readOneField(source, form),
  };
}

/** Reads the field of a usual name, or the one that `find` finds. */
export function readOneField(
  source: RecordFile,
  form: OptionForm,
  find: (record: RecordFields) => Field | null = findOptions,
): McqReader {
  const name = nameDataset(source);
  return {
    name: name === null ? `Options ${form.name}` : `${name}, options ${form.name}`,
    ...(form.hides === true || (name !== null && HIDING.includes(name)) ? { hides: 'whole file' as const } : {}),
    read: (record) => {
      const field = requireFilled(record, find(record), 'options');
      const truths = findTruths(record.values);
      const counted = truths.map((truth) => countFromZero(name, truth));
      return { field, raw: form.read(record.place, field), truths: counted, used: [field.name] };
    },
  };
}

/** MMLU-Pro and the Hub's copy of MMLU count from 0, also where a part of them happens to hold no 0. */
function countFromZero(name: string | null, truth: Truth): Truth {
  const counts = name === 'MMLU' || (name === 'MMLU-Pro' && normalizeName(truth.name) === 'answer index');
  return counts && isWhole(truth.value) ? { ...truth, index: 'zero-based' } : truth;
}

/** The options of the first record that has any: by their form a layout recognises its files. */
function firstOptions({ records }: RecordFile): unknown {
  for (const { value } of records) {
    const field = isFields(value) ? findFields(value, SPELLINGS.options)[0] : undefined;
    if (field !== undefined) return field.value;
  }
  return undefined;
}

function findOptions({ values }: RecordFields): Field | null {
  return findFields(values, SPELLINGS.options)[0] ?? null;
}

/** Datasets that are known by the fields beside the options; the first whose fields are all there. */
const DATASETS: readonly (readonly [name: string, fields: readonly string[]])[] = [
  ['MMLU-Pro', ['answer index', 'category', 'options']],
  ['MedQA', ['answer idx', 'options']],
  ['CommonsenseQA', ['question concept']],
  ['ARC', ['answer key']],
  ['AGIEval', ['passage', 'label', 'options']],
];

const HIDING: readonly string[] = ['CommonsenseQA', 'ARC'];

function nameDataset({ records }: RecordFile): string | null {
  const first = records.find(({ value }) => isFields(value))?.value;
  if (!isFields(first)) return null;
  if (isHubMmlu(records.map(({ value }) => value))) return 'MMLU';
  return DATASETS.find(([, fields]) => fields.every((field) => hasField(first, [field])))?.[0] ?? null;
}

function isHubMmlu(records: readonly unknown[]): boolean {
  return records.every(
    (record) =>
      isFields(record) &&
      ['question', 'subject', 'choices', 'answer'].every((name) => Object.hasOwn(record, name)) &&
      Array.isArray(record['choices']) &&
      typeof record['answer'] === 'number',
  );
}
