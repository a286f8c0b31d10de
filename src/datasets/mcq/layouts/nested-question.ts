import { hasField } from '../../pick-field.ts';
import { isFields, type RecordFields } from '../../record-fields.ts';
import type { McqLayout } from '../layout.ts';
import { list } from '../option-forms/list.ts';
import { readOneField } from './one-field.ts';

/** ARC and CommonsenseQA as their authors publish them: {"question": {"stem": ..., "choices": [...]}, "answerKey": "C"}. */
export const nestedQuestion: McqLayout = {
  recognises: ({ records }) => records.some(({ value }) => isFields(value) && nestedOf(value) !== null),
  toReader: ({ file, records }) => {
    const lifted = records.map(({ line, value }) => ({ line, value: isFields(value) ? liftValues(value) : value }));
    return { ...readOneField({ file, records: lifted, notes: [] }, list), lift, hides: 'whole file' };
  },
};

function lift({ place, values }: RecordFields): RecordFields {
  return { place, values: liftValues(values) };
}

/** What stands at the top wins over a field of the same name inside the question. */
function liftValues(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const nested = nestedOf(values);
  if (nested === null) return values;
  const outer = Object.entries(values).filter(([name]) => name !== 'question');
  return Object.fromEntries([...Object.entries(nested), ...outer]);
}

function nestedOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  const nested = Object.hasOwn(values, 'question') ? values['question'] : null;
  return isFields(nested) && hasField(nested, ['stem']) && hasField(nested, ['choices']) ? nested : null;
}
