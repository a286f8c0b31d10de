import { isFields } from '../../record-fields.ts';
import { fault } from '../options.ts';
import type { OptionForm } from './form.ts';

/** An object of texts by label: {"A": "...", "B": "..."}. */
export const object: OptionForm = {
  name: 'by label',
  fits: isFields,
  read: (place, field) => {
    if (!isFields(field.value)) throw fault(place, field, 'must be an object of texts by label');
    return Object.entries(field.value).map(([label, text]) => ({ label, text }));
  },
};
