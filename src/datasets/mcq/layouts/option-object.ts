import { isFields } from '../../record-fields.ts';
import type { McqLayout } from '../draft.ts';
import { fault } from '../options.ts';
import { firstOptions, toDrafts } from '../to-drafts.ts';

/** An object of texts by label: {"A": "...", "B": "..."}. */
export const optionObject: McqLayout = {
  recognises: (source) => isFields(firstOptions(source)),
  toDrafts: (source) =>
    toDrafts(source, 'by label', (place, field) => {
      if (!isFields(field.value)) throw fault(place, field, 'must be an object of texts by label');
      return Object.entries(field.value).map(([label, text]) => ({ label, text }));
    }),
};
