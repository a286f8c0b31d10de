import type { RecordFile } from '../../../records/record-file.ts';
import { findFields, hasField, normalizeName } from '../../pick-field.ts';
import { type Field, isFields, type RecordFields } from '../../record-fields.ts';
import type { Truth } from '../draft.ts';
import { findTruths, isWhole } from '../find-truths.ts';
import type { McqLayout, McqReader } from '../layout.ts';
import type { OptionForm } from '../option-forms/form.ts';
import { requireFilled } from '../require-filled.ts';
import { SPELLINGS } from '../spellings.ts';

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
