import { RecordError, type RecordFile } from '../../records/record.ts';
import { plural } from '../../text/wording.ts';
import {
  type Field,
  findFields,
  hasField,
  isFields,
  normalizeName,
  type Place,
  type RecordFields,
  requireField,
} from '../record-fields.ts';
import { fault, list, object, optionForms, parallel, type RawOption, text } from './options.ts';
import { rightAndWrong } from './right-and-wrong.ts';
import { findTruths, readRightAmong, toWeak } from './target.ts';
import { requireFilled, type Truth } from './to-drafts.ts';
import { oneField, readColumns, readOneField, wide } from './wide-layouts.ts';

/** ARC and CommonsenseQA as their authors publish them: {"question": {"stem": ..., "choices": [...]}, "answerKey": "C"}. */
const nestedQuestion: McqLayout = {
  recognises: ({ records }) => records.some(({ value }) => isFields(value) && nestedOf(value) !== null),
  toReader: ({ file, records }) => {
    const lifted = records.map(({ line, value }) => ({ line, value: isFields(value) ? liftValues(value) : value }));
    return { ...readOneField({ file, records: lifted, notes: [] }, list), lift, hides: 'whole file' };
  },
};

/**
 * MedMCQA: opa to opd, and "cop" with the number of the right one, from 1 in the original and from 0 in its copy on the
 * Hub; -1 or none hides it. Its "choice_type" multi is about the form of the question: one option is right all the same.
 */
const medmcqa: McqLayout = {
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

/** TruthfulQA's mc1_targets, {"choices": [...], "labels": [1, 0, ...]} or {"text": 1, "text": 0, ...}: the right one first. */
const truthfulqa: McqLayout = {
  recognises: ({ records }) => records.some(({ value }) => isFields(value) && hasField(value, TARGETS)),
  toReader: () => ({
    name: 'TruthfulQA mc1',
    notes: [
      'The file always names the right answer first: options stand in an order that follows from the text of each question.',
    ],
    read: (record, question) => {
      const { place, values } = record;
      const field = requireFilled(record, findFields(values, TARGETS)[0] ?? null, 'options');
      const { texts, flags } = readTargets(place, field);
      const right = flags.flatMap((flag, index) => (flag === 1 || flag === true ? [index] : []));
      if (right.length !== 1) throw fault(place, field, `must mark one option as right, it marks ${right.length}`);
      return { ...readRightAmong(place, field, texts, right[0] ?? null, question), used: [field.name] };
    },
  }),
};

/** MMLU as its authors publish it: a table without a header row, with question, four options and the right letter. */
const headerless: McqLayout = {
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
/** The layouts in the order in which they are tried. A new one is one file and one line here. */
export const mcqLayouts: readonly McqLayout[] = [
  nestedQuestion,
  oneField(parallel),
  oneField(object),
  oneField(list),
  medmcqa,
  rightAndWrong,
  truthfulqa,
  wide,
  oneField(text),
  headerless,
];

const QUESTION = 'column 1';
const OPTIONS = ['column 2', 'column 3', 'column 4', 'column 5'];
const ANSWER = 'column 6';

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

/** Reads the options from the fields that the user named, whatever the rest of the file looks like. */
export function readMapped(source: RecordFile, choices: string | readonly string[]): McqReader {
  if (typeof choices === 'string') {
    const form = optionForms.find(({ fits }) => fits(firstValue(source, choices))) ?? text;
    const reader = readOneField(source, form, (record) => requireField(record, choices));
    return { ...reader, name: `Fields as set, options ${form.name}` };
  }
  const columns = choices.map((name, index) => ({ name, key: name, label: String.fromCharCode(65 + index) }));
  return {
    name: 'Fields as set, options in columns',
    read: (record) => {
      for (const name of choices) requireField(record, name);
      return { ...readColumns(record.values, columns), truths: findTruths(record.values) };
    },
  };
}

function firstValue({ records }: RecordFile, name: string): unknown {
  const first = records.find(({ value }) => isFields(value) && Object.hasOwn(value, name) && value[name] !== null);
  return isFields(first?.value) ? first.value[name] : undefined;
}

const COLUMNS = ['opa', 'opb', 'opc', 'opd'];

function others(values: Readonly<Record<string, unknown>>): readonly Truth[] {
  return findTruths(values)
    .filter(({ name }) => normalizeName(name) !== 'cop')
    .map(toWeak);
}

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

const TARGETS = ['mc1 targets'];

function readTargets(place: Place, field: Field): { texts: readonly unknown[]; flags: readonly unknown[] } {
  if (!isFields(field.value)) throw fault(place, field, 'must be an object');
  const { choices, labels } = field.value;
  if (!Array.isArray(choices) || !Array.isArray(labels)) {
    return { texts: Object.keys(field.value), flags: Object.values(field.value) };
  }
  if (choices.length === labels.length) return { texts: choices, flags: labels };
  throw fault(place, field, `has ${plural(choices.length, 'choice')} and ${plural(labels.length, 'label')}`);
}

/** One way in which files spell the options and the truth of a question. */
export type McqLayout = {
  recognises(source: RecordFile): boolean;
  /** Looks at the whole file, where one record cannot tell. */
  toReader(source: RecordFile): McqReader;
};

/** Reads the records of one file. Its functions throw a RecordError for a record of another form. */
export type McqReader = {
  /** How notes call the layout. */
  readonly name: string;
  readonly notes?: readonly string[];
  /** Whether a truth may be missing: in no record (as a rule), in all of them (test splits), or in each. */
  readonly hides?: 'whole file' | 'each record';
  /** Brings question, id and the like to the top of a record; absent when they are there. */
  lift?(record: RecordFields): RecordFields;
  /** `question` is its text without the context. */
  read(record: RecordFields, question: string): McqReading;
};

/** What a layout finds in one record. */
export type McqReading = {
  /** The field with the options as messages name it. */
  readonly field: Field;
  /** Present where the options stand in several fields that are named one by one. */
  readonly names?: readonly string[];
  readonly raw: readonly RawOption[];
  readonly truths: readonly Truth[];
  /** Names of fields that are no metadata, beside the truths. */
  readonly used: readonly string[];
  /** Present when the layout knows better than the record's answer type. */
  readonly multiple?: boolean;
};
