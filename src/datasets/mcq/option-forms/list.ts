import { findFields } from '../../pick-field.ts';
import { isFields } from '../../record-fields.ts';
import { fault, labelByPosition } from '../options.ts';
import type { OptionForm } from './form.ts';

const LABEL = ['label', 'key', 'letter', 'id'];
const TEXT = ['text', 'value', 'content', 'option'];

/** A list of texts, or a list of {label, text}; without labels the options are A, B, C and so on. */
export const list: OptionForm = {
  name: 'as a list',
  fits: (value) => Array.isArray(value),
  read: (place, field) => {
    if (!Array.isArray(field.value)) throw fault(place, field, 'must be a list of options');
    const elements: readonly unknown[] = field.value;
    const labels = elements.map((element) => (isFields(element) ? findFields(element, LABEL)[0]?.value : undefined));
    const texts = elements.map((element) =>
      isFields(element) ? (findFields(element, TEXT)[0]?.value ?? '') : element,
    );
    if (labels.every((label) => label === undefined)) return labelByPosition(place, field, texts);
    return labels.map((label, index) => {
      if (typeof label === 'string' || typeof label === 'number') return { label: String(label), text: texts[index] };
      throw fault(place, field, 'must give every option a label, or none');
    });
  },
};
