import type { IndexBase } from './to-drafts.ts';

/** Which fields of a file mean what, where the user says so (EVAL_MCQ_FIELDS). */
export type FieldMap = {
  readonly question?: string;
  /** One field with all options, or a field for each. */
  readonly choices?: string | readonly string[];
  readonly answer?: string;
  readonly id?: string;
  readonly group?: string;
  readonly context?: string;
  /** How a number as the answer counts options. */
  readonly index?: IndexBase;
};

/** What a field map may be, for messages. */
export const FIELD_MAP_FORM =
  'a JSON object of field names such as {"question": "q", "choices": "opts", "answer": "gold"}; also "id", "group", ' +
  '"context", a list of fields for "choices", and "index_base" (0 or 1) for answers that are numbers';

const NAMES = ['question', 'answer', 'id', 'group', 'context'] as const;

/** Parses a field map; undefined when the text is none. */
export function parseFieldMap(text: string): FieldMap | undefined {
  const given = parseObject(text);
  if (given === null) return undefined;
  const known: readonly string[] = [...NAMES, 'choices', 'index_base'];
  if (given.size === 0 || [...given.keys()].some((key) => !known.includes(key))) return undefined;
  const names = NAMES.flatMap((role) => (given.has(role) ? [[role, given.get(role)] as const] : []));
  const choices = given.get('choices');
  const base = given.get('index_base');
  const fits =
    names.every(([, name]) => isName(name)) &&
    (choices === undefined || isName(choices) || isNames(choices)) &&
    (base === undefined || base === 0 || base === 1);
  if (!fits) return undefined;
  return {
    ...Object.fromEntries(names),
    ...(isName(choices) || isNames(choices) ? { choices } : {}),
    ...(base === undefined ? {} : { index: base === 0 ? 'zero-based' : 'one-based' }),
  };
}

function parseObject(text: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 1 && value.every(isName);
}

/**
 * The spellings of each field, normalised (lower case, words separated by a space), the preferred one first.
 * "Corrrect Option (s)" is how the header of source note 004's table is really spelt.
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
