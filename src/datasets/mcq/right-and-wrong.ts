import type { RecordFile } from '../../records/record.ts';
import { type Field, findFields, hasField, isFields, type Place } from '../record-fields.ts';
import type { McqLayout } from './layouts.ts';
import { fault, text } from './options.ts';
import { readRightAmong } from './target.ts';

const RIGHT = ['correct answer'];
const SUPPORT = ['support'];

/** Names of the fields with the wrong answers, and what a file that has them is called. */
const FAMILIES: readonly { readonly name: string; readonly wrong: readonly string[] }[] = [
  { name: 'GPQA', wrong: numbered('incorrect answer') },
  { name: 'SciQ', wrong: numbered('distractor') },
  { name: 'Right and wrong answers', wrong: ['incorrect answers', 'wrong answers', 'distractors'] },
];

function numbered(name: string): readonly string[] {
  return Array.from({ length: 9 }, (_, index) => [`${name} ${index + 1}`, `${name}${index + 1}`]).flat();
}

/** The right answer in a field of its own, the wrong ones in one list or in numbered fields: no file gives them an order. */
export const rightAndWrong: McqLayout = {
  recognises: (source) => findFamily(source) !== undefined,
  toReader: (source) => {
    const { name = '', wrong = [] } = findFamily(source) ?? {};
    return {
      name,
      notes: [
        'The file always names the right answer first: options stand in an order that follows from the text of each question.',
        ...noteSupport(source),
      ],
      read: ({ place, values }, question) => {
        const right = findFields(values, RIGHT).slice(0, 1);
        const others = findFields(values, wrong);
        const texts = [...right.map(({ value }) => value), ...others.flatMap((field) => toTexts(place, field))].map(
          trim,
        );
        const names = [...right.map((each) => each.name), ...nameFields(others)];
        const field = { name: names.join(' and '), value: texts };
        const key = name === 'GPQA' ? question : [question, ...texts.map(String).sort()].join('\n');
        const read = readRightAmong(place, field, texts, right.length === 0 ? null : 0, key);
        const truths = read.truths.map((truth) => ({ ...truth, name: right[0]?.name ?? truth.name }));
        return { ...read, names, truths, used: [...right, ...others].map((each) => each.name) };
      },
    };
  },
};

function findFamily({ records }: RecordFile) {
  return FAMILIES.find(({ wrong }) =>
    records.some(({ value }) => isFields(value) && hasField(value, RIGHT) && hasField(value, wrong)),
  );
}

/** A field has one wrong answer, or a list of them, which a table holds as text. */
function toTexts(place: Place, field: Field): readonly unknown[] {
  if (Array.isArray(field.value)) return field.value;
  if (typeof field.value !== 'string' || !/s$/i.test(field.name)) return [field.value];
  const texts = text.read(place, field).map((option) => option.text);
  if (texts.length === 1 && field.value.trim().startsWith('[')) {
    throw fault(place, field, 'must be a JSON list, or texts with "|" between them');
  }
  return texts;
}

function trim(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** "Incorrect Answer 1 to 3". */
function nameFields(fields: readonly Field[]): readonly string[] {
  const [first, ...rest] = fields.map(({ name }) => name);
  const last = /^\D*(\d+)$/.exec(rest.at(-1) ?? '')?.[1];
  return first === undefined ? [] : [`${first}${last === undefined ? '' : ` to ${last}`}`];
}

/** SciQ's paragraph with the evidence: to show it makes reading of what was a question of knowledge. */
function noteSupport({ records }: RecordFile): readonly string[] {
  const found = records.some(({ value }) => isFields(value) && findFields(value, SUPPORT).length > 0);
  return found
    ? ['"support" mostly holds the answer: agents see it only where EVAL_MCQ_FIELDS=\'{"context": "support"}\' is set.']
    : [];
}
