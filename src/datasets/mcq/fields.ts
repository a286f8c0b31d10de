import type { RecordFile } from '../../records/record.ts';
import { type Field, findFields, type Place, type RecordFields, type Values } from '../record-fields.ts';

/** One option under the label by which answers name it. */
export type Option = { readonly label: string; readonly text: string };

/** How a layout spells the options of one question; texts may be empty and may carry their label. */
export type RawOption = {
  readonly label: string;
  readonly text: unknown;
  /** Present where the label is only the place of the option, and no record says it. */
  readonly positional?: true;
};

/** One way in which files spell the options and the answer of a question. */
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
  /** Where answers may be missing: in no record (as a rule), in all of them (test splits), or in any. */
  readonly hides?: 'whole file' | 'each record';
  /** Moves question, id and the like to the top of a record, where they are not there already. */
  lift?(record: RecordFields): RecordFields;
  /** `question` is its text without the context. */
  read(record: RecordFields, question: string): McqReading;
};

/** What a layout finds in one record. */
export type McqReading = {
  /** The field with the options as messages name it. */
  readonly field: Field;
  readonly raw: readonly RawOption[];
  readonly answers: readonly AnswerField[];
  /** Names of fields that are no metadata, beside the answers. */
  readonly used: readonly string[];
  /** Present when the layout knows better than the record's answer type. */
  readonly multiple?: boolean;
};

/** What every layout of multiple-choice records says of one question. */
export type McqDraft = {
  readonly place: Place;
  readonly id: string;
  /** The context, a blank line and the question. */
  readonly input: string;
  readonly options: readonly Option[];
  /** Every field that states the answer; they must agree. None, a "?" or an index of -1 hides it. */
  readonly answers: readonly AnswerField[];
  /** Absent when the record does not say whether several options may be right. */
  readonly multiple?: boolean;
  readonly subject: string | null;
  readonly metadata: Values;
};

/** How numbers count options. */
export type IndexBase = 'zero-based' | 'one-based';

/** A field that states the expected answer. */
export type AnswerField = Field & {
  /** Present where a whole number counts options, and is not a label or a text. */
  readonly index?: IndexBase;
  /** Present where the name often means something else; then it counts only if it names an option. */
  readonly weak?: true;
};

/**
 * The spellings of each field, normalised (lower case, words separated by a space), the preferred one first.
 * "Corrrect Option (s)" is how the header of the sample table is really spelt.
 */
export const SPELLINGS = {
  id: ['task id', 'id', 'question id', 'qid', 'record id'],
  context: ['case context', 'context', 'passage', 'vignette'],
  question: ['question', 'input', 'prompt', 'stem'],
  type: ['answer type', 'question type', 'choice type', 'multiple', 'multi select', 'type'],
  options: ['options', 'choices', 'option s', 'answer options'],
  answer: [
    'corrrect option s',
    'correct option s',
    'correct option',
    'correct options',
    'correct answer s',
    'correct answer',
    'correct answers',
    'correct',
    'answer',
    'answers',
    'answer key',
    'answer idx',
    'answer index',
    'target',
    'truth',
    'ground truth',
    'expected',
    'expected answer',
  ],
  subject: ['subject', 'subject name', 'category', 'topic', 'high level domain'],
} as const;

/** Names that often mean something else. Beside a plainer one they can only disagree with it. */
const WEAK = ['label', 'labels', 'gold'];

/** "gold index", "correct letter", "answer text": no layout reads them; beside the field that is read they may disagree. */
const RIVALS = ['correct', 'correct option', 'correct answer', 'gold', 'answer', 'right']
  .flatMap((whose) =>
    ['index', 'idx', 'letter', 'label', 'text', 'choice', 'option', 'answer'].map((what) => `${whose} ${what}`),
  )
  .concat('correct choices', 'answer id', 'key', 'ans', 'cop')
  .filter((name) => !SPELLINGS.answer.some((known) => known === name));

/** Every field that states the expected answer. Whether they agree, only their meaning can show. */
export function findAnswers(values: Values): readonly AnswerField[] {
  const answers = findFields(values, SPELLINGS.answer);
  const weak = findFields(values, WEAK);
  const rivals = findFields(values, RIVALS).map(toWeak);
  if (answers.length > 0) return [...answers, ...weak.map(toWeak), ...rivals];
  return weak.length === 0 ? [] : [...weak.slice(0, 1), ...rivals];
}

/** An answer that counts only if it names an option. */
export function toWeak(field: Field): AnswerField {
  return { ...field, weak: true };
}

/** Whether a value is a whole number, also one that a table holds as text. */
export function isWhole(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && /^\s*-?\d{1,4}\s*$/.test(value);
}
