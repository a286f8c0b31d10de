import { findFields, hasField } from '../../pick-field.ts';
import { isFields, requireText } from '../../record-fields.ts';
import type { McqLayout } from '../layout.ts';
import { readRightAmong } from '../right-among.ts';
import { findQuestion } from '../spellings.ts';

/** GPQA: the right answer and the wrong ones in columns of their own; the file has no order of the options. */
export const gpqa: McqLayout = {
  recognises: ({ records }) =>
    records.some(
      ({ value }) => isFields(value) && hasField(value, ['correct answer']) && hasField(value, ['incorrect answer 1']),
    ),
  toReader: () => ({
    name: 'GPQA',
    notes: [
      'The file always names the right answer first: options stand in an order that follows from the text of each question.',
    ],
    read: ({ place, values }) => {
      const right = findFields(values, ['correct answer']);
      const wrong = findFields(values, WRONG);
      const texts = [...right, ...wrong].map((field) => requireText(place, field).trim());
      const field = {
        name: 'Correct Answer and Incorrect Answer 1 to 3',
        value: texts,
      };
      const read = readRightAmong(place, field, texts, right.length === 0 ? null : 0, findQuestion(values));
      return { ...read, used: [...right, ...wrong].map(({ name }) => name) };
    },
  }),
};

const WRONG = Array.from({ length: 9 }, (_, index) => `incorrect answer ${index + 1}`);
