import type { McqLayout } from '../draft.ts';
import { fault, labelByPosition } from '../options.ts';
import { firstOptions, toDrafts } from '../to-drafts.ts';

/** All options in one text, "a|b|c" or one per line, as in source note 004's table. `\|` stands for a bar in a text. */
export const optionText: McqLayout = {
  recognises: (source) => typeof firstOptions(source) === 'string',
  toDrafts: (source) =>
    toDrafts(source, 'in one text', (place, field) => {
      if (typeof field.value !== 'string') throw fault(place, field, 'must be text with "|" between the options');
      return labelByPosition(place, field, splitOptions(field.value));
    }),
};

function splitOptions(text: string): string[] {
  const parts = text.split(/(?<!\\)\|/);
  if (parts.length === 1) return text.trim().split('\n');
  return parts.map((part) => part.replaceAll('\\|', '|'));
}
