import { findFields, hasField, normalizeName } from '../../pick-field.ts';
import { isFields } from '../../record-fields.ts';
import type { Truth } from '../draft.ts';
import { findTruths, toWeak } from '../find-truths.ts';
import type { McqLayout } from '../layout.ts';

const COLUMNS = ['opa', 'opb', 'opc', 'opd'];

/**
 * MedMCQA: opa to opd, and "cop" with the number of the right one, from 1 in the original and from 0 in its copy on the
 * Hub; -1 or none hides it. Its "choice_type" multi is about the form of the question: one option is right all the same.
 */
export const medmcqa: McqLayout = {
  recognises: ({ records }) =>
    records.some(({ value }) => isFields(value) && hasField(value, ['opa']) && hasField(value, ['opb'])) &&
    records.some(({ value }) => isFields(value) && (hasField(value, ['cop']) || !hasField(value, ['answer']))),
  toReader: () => ({
    name: 'MedMCQA, options opa to opd',
    hides: 'each record',
    read: ({ values }) => {
      const columns = COLUMNS.map((name) => findFields(values, [name])[0]);
      return {
        field: { name: 'opa to opd', value: columns.map((column) => column?.value ?? '') },
        raw: columns.map((column, index) => ({ label: String.fromCharCode(65 + index), text: column?.value ?? '' })),
        truths: [...findFields(values, ['cop']), ...others(values)],
        used: columns.flatMap((column) => column?.name ?? []),
        multiple: false,
      };
    },
  }),
};

function others(values: Readonly<Record<string, unknown>>): readonly Truth[] {
  return findTruths(values)
    .filter(({ name }) => normalizeName(name) !== 'cop')
    .map(toWeak);
}
