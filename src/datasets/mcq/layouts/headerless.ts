import type { McqLayout } from '../layout.ts';

const QUESTION = 'column 1';
const OPTIONS = ['column 2', 'column 3', 'column 4', 'column 5'];
const ANSWER = 'column 6';

/** MMLU as its authors publish it: a table without a header row, with question, four options and the right letter. */
export const headerless: McqLayout = {
  recognises: ({ headerless: lacksHeader }) => lacksHeader === true,
  toReader: () => ({
    name: 'MMLU without a header row',
    lift: ({ place, values }) => ({
      place,
      values: Object.fromEntries([...Object.entries(values), ['question', values[QUESTION]]]),
    }),
    read: ({ values }) => ({
      field: { name: 'column 2 to column 5', value: OPTIONS.map((name) => values[name]) },
      raw: OPTIONS.map((name, index) => ({ label: String.fromCharCode(65 + index), text: values[name] })),
      truths: [{ name: ANSWER, value: values[ANSWER] }],
      used: [QUESTION, ...OPTIONS],
    }),
  }),
};
