import type { RecordFile } from '../../../records/record-file.ts';
import { isFields, requireField } from '../../record-fields.ts';
import { findTruths } from '../find-truths.ts';
import type { McqReader } from '../layout.ts';
import { optionForms } from '../option-forms/index.ts';
import { text } from '../option-forms/text.ts';
import { readOneField } from './one-field.ts';
import { readColumns } from './wide.ts';

/** Reads the options from the fields that the user named, whatever the rest of the file looks like. */
export function readMapped(source: RecordFile, choices: string | readonly string[]): McqReader {
  if (typeof choices === 'string') {
    const form = optionForms.find(({ fits }) => fits(firstValue(source, choices))) ?? text;
    const reader = readOneField(source, form, (record) => requireField(record, choices));
    return { ...reader, name: `Fields as set, options ${form.name}` };
  }
  const columns = choices.map((name, index) => ({ name, key: name, label: String.fromCharCode(65 + index) }));
  return {
    name: 'Fields as set, options in columns',
    read: (record) => {
      for (const name of choices) requireField(record, name);
      return { ...readColumns(record.values, columns), truths: findTruths(record.values) };
    },
  };
}

function firstValue({ records }: RecordFile, name: string): unknown {
  const first = records.find(({ value }) => isFields(value) && Object.hasOwn(value, name) && value[name] !== null);
  return isFields(first?.value) ? first.value[name] : undefined;
}
