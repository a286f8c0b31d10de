import { isFields } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';

/** What a record must contain: a question with an answer, one with options, or either. */
export type SuiteKind = 'gaia' | 'mcq' | 'records';

/** The name of a field ("question.stem" is one inside another), or several. */
export type Names = string | readonly string[];

/**
 * Which field of a record contains what. Names are found whatever their case, spaces and
 * punctuation; "option_*" means option_0 to option_25 or option_1 to option_26.
 */
export type Shape = Readonly<{
  name?: string;
  /** Several fields are joined with "-". */
  id?: Names;
  /** The question. Several fields must agree. */
  input?: Names;
  /** The question where the records have none, because a picture shows it. */
  asks?: string;
  /** Texts that are shown above the question: a story, a passage, a hint. */
  context?: Names;
  /** Pictures: bytes, data URLs or names of files. */
  images?: Names;
  /** Names of files beside the records. */
  attachments?: Names;
  /** One field with all options, in any form, or a list of fields with one option each. */
  choices?: Names;
  /** The same options for all questions. */
  fixed?: readonly string[];
  /** Whether the question contains its options, as "(A) ...", and no field does. */
  inside?: boolean;
  /** The right option and the wrong ones, where no field orders them. */
  right?: string;
  wrong?: Names;
  /** Whether the file lists the right option first, as it does where `right` names it. */
  rightFirst?: boolean;
  /** The expected answer. Several fields must agree. */
  answer?: Names;
  /** A mark; the expected answer is the text after it. */
  after?: string;
  /** 'any' if each of several expected answers, of one list or of several fields, is right alone. */
  accepts?: 'any';
  /** What separates accepted answers in one text, as "/" does in "NYC/New York". */
  alternatives?: string;
  /** The index of the first option, for answers that are numbers. */
  counts?: 0 | 1;
  /** Says whether several options may be right; false where none of the records may. */
  multiple?: string | false;
  group?: Names;
  /** What several questions share: the field of their passage, or of a name for it. */
  cluster?: Names;
  /**
   * Where answers may be missing: in all records together ("whole file", for test splits) or in any
   * ("each record").
   */
  hides?: 'whole file' | 'each record';
  /** Records with this value of a field are not questions. */
  skip?: Readonly<Record<string, string>>;
  /** Only records with this value of a field are questions with options. */
  only?: Readonly<Record<string, string>>;
  /** What the run says of the dataset. */
  note?: string;
}>;

/** The form of EVAL_MCQ_FIELDS, for messages. */
export const SHAPE_FORM =
  'a JSON object of field names such as {"input": "q", "choices": "opts", "answer": "gold"}; also "id", "group", ' +
  '"cluster" (what questions share), "context", "images", a list of fields for "choices", "counts" (0 or 1), the index of the first option, and ' +
  '"accepts": "any" if each of several answers is right alone';

/** Parses the shape that a user wrote; undefined for any other text. */
export function parseShape(text: string): Shape | undefined {
  const value: unknown = tryOrUndefined(() => JSON.parse(text));
  if (!isFields(value)) return undefined;
  const roles = Object.entries(value);
  const isShape = roles.every(([role, names]) => ACCEPTS.get(role)?.(names) === true);
  return isShape && roles.length > 0 ? value : undefined;
}

const isName = (value: unknown) => typeof value === 'string' && value !== '';
const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every(isName);
const isNames = (value: unknown) => isName(value) || isList(value);
const isValues = (value: unknown) => isFields(value) && Object.values(value).every(isName);

const ACCEPTS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...['id', 'input', 'context', 'images', 'attachments', 'wrong', 'answer', 'group', 'cluster'].map(
    (role) => [role, isNames] as const,
  ),
  ...['asks', 'right', 'note', 'after', 'alternatives'].map((role) => [role, isName] as const),
  ['choices', (value) => isName(value) || (isList(value) && value.length > 1)],
  ['fixed', isList],
  ...['inside', 'rightFirst'].map(
    (role) => [role, (value: unknown) => typeof value === 'boolean'] as const,
  ),
  ['accepts', (value) => value === 'any'],
  ['counts', (value) => value === 0 || value === 1],
  ['multiple', (value) => value === false || isName(value)],
  ['hides', (value) => value === 'whole file' || value === 'each record'],
  ...['only', 'skip'].map((role) => [role, isValues] as const),
]);

/** The names of a role, with those that a "*" matches. Each record asks for them again. */
export function listNames(names: Names = NONE): readonly string[] {
  const cached = listed.get(names);
  if (cached !== undefined) return cached;
  const list = [names].flat().flatMap((name) => {
    if (!name.endsWith('*')) return [name];
    return Array.from({ length: 27 }, (_, index) => name.replace(/\*$/, String(index)));
  });
  listed.set(names, list);
  return list;
}

const NONE: Names = [];
const listed = new Map<Names, readonly string[]>();

/** A shape as EVAL_MCQ_FIELDS takes it. */
export function showShape({ name: _, ...shape }: Shape): string {
  return JSON.stringify(shape);
}

/** Whether a shape says where the options are. */
export function hasOptions({ choices, right, fixed, inside }: Shape): boolean {
  return choices !== undefined || right !== undefined || fixed !== undefined || inside === true;
}

/** Whether each of several expected answers is right alone. */
export function acceptsAny({ accepts, alternatives }: Shape): boolean {
  return accepts === 'any' || alternatives !== undefined;
}

/** Whether the first option of each record is the right one. */
export function isRightFirst({ right, rightFirst }: Shape): boolean {
  return right !== undefined || rightFirst === true;
}

/** Whether a role names a column for each option, not one field with all. */
export function isColumns(choices: Names): boolean {
  return typeof choices !== 'string' || choices.endsWith('*');
}

/**
 * Whether an answer type (a text, or true or false) says that several options may be right;
 * undefined when it does not say. "Multiple choice" only names the form and does not say.
 */
export function toMultiple(answerType: unknown): boolean | undefined {
  if (typeof answerType === 'boolean') return answerType;
  if (typeof answerType !== 'string') return undefined;
  const text = answerType.toLowerCase().replace(/multiple[\s_-]?choice/g, '');
  if (/single|\bone\b|true[\s/_-]{0,3}false/.test(text)) return false;
  return /multi/.test(text) ? true : undefined;
}
