import { RecordError } from '../../../records/record-error.ts';
import type { RecordFile } from '../../../records/record-file.ts';
import { isFields } from '../../record-fields.ts';
import type { McqLayout } from '../layout.ts';

const QUESTION = 'column 1';
const OPTIONS = ['column 2', 'column 3', 'column 4', 'column 5'];
const ANSWER = 'column 6';

/** MMLU as its authors publish it: a table without a header row, with question, four options and the right letter. */
export const headerless: McqLayout = {
  recognises: ({ headerless: lacksHeader }) => lacksHeader === true,
  toReader: (source) => {
    refuseOtherColumns(source);
    return {
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
    };
  },
};

/** A number, or a name without a blank: what stands in a column of ids, and is no question. */
const ID = /^[\p{Script=Latin}\p{N}_.:#/-]*$/u;
const ASKS = /[?？]$/u;

/** Throws a RecordError where an id or a subject stands before the question: every letter would name a wrong option. */
function refuseOtherColumns({ file, records }: RecordFile): void {
  const columns = (name: string) => records.map(({ value }) => String(isFields(value) ? value[name] : '').trim());
  const [first, second] = [columns(QUESTION), columns('column 2')];
  const asksLater = second.filter((cell) => ASKS.test(cell)).length * 2 > records.length;
  const areIds = first.every((cell) => ID.test(cell));
  if (!areIds && !(asksLater && !first.some((cell) => ASKS.test(cell)))) return;
  throw new RecordError({
    file,
    line: records[0]?.line ?? 1,
    field: QUESTION,
    problem: 'of a table without a header row must be the question, and holds none',
    value: first[0],
    remedy:
      'Write a header row, such as "id,question,A,B,C,answer", or leave out what stands before the question (question, four options, letter).',
  });
}
