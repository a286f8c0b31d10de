import type { RecordFile } from '../../../records/record-file.ts';
import { findFields, hasField } from '../../pick-field.ts';
import { type Field, isFields, type RecordFields } from '../../record-fields.ts';
import { findTruths } from '../find-truths.ts';
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
    ...(name !== null && HIDING.includes(name) ? { hides: 'whole file' as const } : {}),
    read: (record) => {
      const field = requireFilled(record, find(record), 'options');
      const truths = findTruths(record.values);
      // The Hub's copy of MMLU counts from 0, also where a part of it happens to hold no 0.
      const counted = name === 'MMLU' ? truths.map((truth) => ({ ...truth, index: 'zero-based' as const })) : truths;
      return { field, raw: form.read(record.place, field), truths: counted, used: [field.name] };
    },
  };
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
  ['CommonsenseQA', ['question concept', 'answer key']],
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
