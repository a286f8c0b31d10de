import { RecordError } from '../../records/record.ts';
import { isNoneStatement } from '../../scoring/mcq/all-none.ts';
import { type ResolvedTruth, resolveTruth } from '../../scoring/mcq/truths.ts';
import { quote } from '../../text/show.ts';
import { nearest, plural } from '../../text/wording.ts';
import { type Field, findFields, type Place } from '../record-fields.ts';
import { SPELLINGS } from './field-map.ts';
import type { McqReading } from './layouts.ts';
import { labelByPosition, orderOptions } from './options.ts';
import type { McqDraft, Truth } from './to-drafts.ts';

/** What a sample takes from the truth of its record; a target of null is hidden. */
export type ResolvedTarget = Omit<ResolvedTruth, 'target'> & { readonly target: string | null };

type Choices = Readonly<Record<string, string>>;

/** Resolves the truth of a question; throws a RecordError when it names no option or two statements of it disagree. */
export function resolveTarget(draft: McqDraft, choices: Choices): ResolvedTarget {
  const [first, ...others] = tellingTruths(draft, choices).map((field) => ({
    field,
    resolved: resolveField(draft, field, choices),
  }));
  if (first === undefined) return hidden(draft);
  const other = others.find(({ resolved }) => resolved.target !== first.resolved.target);
  if (other === undefined) return first.resolved;
  throw new RecordError({
    ...draft.place,
    problem: `${quote(first.field.name)} and ${quote(other.field.name)} of ${quote(draft.id)} disagree`,
    detail: `${first.resolved.target ?? '?'} against ${other.resolved.target ?? '?'}`,
    remedy: 'Keep the one that is meant, or name it as "answer" in EVAL_MCQ_FIELDS.',
  });
}

/** A text that several options share is left to the label beside it, if that names one of them. */
function tellingTruths({ truths, options }: McqDraft, choices: Choices): readonly Truth[] {
  if (truths.length < 2) return truths;
  const labels = truths.flatMap(({ value }) =>
    typeof value === 'string' && Object.hasOwn(choices, value) ? value : [],
  );
  const texts = new Set(labels.map((label) => choices[label]));
  const isLeft = ({ value }: Truth) =>
    typeof value === 'string' &&
    texts.has(value.trim()) &&
    options.filter(({ text }) => text === value.trim()).length > 1;
  return truths.filter((truth) => !isLeft(truth));
}

function resolveField(draft: McqDraft, truth: Truth, choices: Choices): ResolvedTarget {
  if (typeof truth.value === 'string' && truth.value.trim() === '?') return hidden(draft);
  if (truth.index === undefined && isIndex(truth.value, draft)) throw ambiguous(draft, truth);
  if (isMissing(truth.value, choices)) throw missing(draft, truth);
  try {
    return resolveTruth(truth.value, choices, draft.multiple, truth.index === undefined ? {} : { index: truth.index });
  } catch (cause) {
    throw unusable(draft, truth, cause);
  }
}

/**
 * A number that is no label counts options, from 0 in some datasets and from 1 in others; the text of an option may
 * look the same, and is meant where the number is text itself. A list with one 0 or 1 for each option is no index.
 */
function isIndex(truth: unknown, { options }: McqDraft): boolean {
  if (!Array.isArray(truth)) return countsOptions(truth, options);
  const flags = truth.length === options.length && truth.every((flag) => flag === 0 || flag === 1);
  return !flags && truth.some((each) => countsOptions(each, options));
}

function countsOptions(value: unknown, options: McqDraft['options']): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const written = String(value).trim();
  if (options.some(({ label }) => label === written)) return false;
  if (typeof value === 'number') return !isOnlyText(value, options);
  return isWhole(value) && !options.some(({ text }) => text === written);
}

function isOnlyText(value: number, options: McqDraft['options']): boolean {
  return (value < 0 || value > options.length) && options.some(({ text }) => text === String(value));
}

function ambiguous({ place }: McqDraft, { name, value }: Field): RecordError {
  return new RecordError({
    ...place,
    field: name,
    problem: 'is a number, which may count the options from 0 or from 1',
    value,
    remedy:
      'Write the label of the right option, such as "A", or say how it counts: EVAL_MCQ_FIELDS=\'{"index_base": 0}\'.',
  });
}

/** Python writes "None" where a value is missing, and a table may hold it as text. */
function isMissing(value: unknown, choices: Choices): boolean {
  return (
    typeof value === 'string' &&
    value.trim() === 'None' &&
    !Object.values(choices).some((text) => isNoneStatement(text) || /^none$/i.test(text.trim()))
  );
}

function missing({ place }: McqDraft, { name, value }: Field): RecordError {
  return new RecordError({
    ...place,
    field: name,
    problem: 'may be a missing value that Python wrote, as no option says "none"',
    value,
    remedy: 'Write NONE where no option is right, "?" to hide the answer, or leave the record out.',
  });
}

function hidden({ multiple }: McqDraft): ResolvedTarget {
  return multiple === undefined ? { target: null } : { target: null, multiple };
}

function unusable({ place, id, options }: McqDraft, { name, value }: Field, cause: unknown): RecordError {
  return new RecordError({
    ...place,
    problem: `${quote(name)} of ${quote(id)} cannot be used`,
    detail: cause instanceof Error ? `${cause.message}${nearestOption(value, options)}` : undefined,
    remedy: 'Fix the record or leave it out.',
    cause,
  });
}

/** A text that names no option may be that of one, cut or misspelt: which one, is not for us to say. */
function nearestOption(truth: unknown, options: McqDraft['options']): string {
  const written =
    typeof truth === 'string'
      ? truth
          .trim()
          .replace(/(?:…|\.{3})$/, '')
          .toLowerCase()
      : '';
  if (written.length < 8) return '';
  const texts = options.map(({ text }) => text.toLowerCase());
  const text = texts.find((each) => each.startsWith(written)) ?? nearest(written, texts);
  const option = options[texts.indexOf(text)];
  return option === undefined ? '' : ` The nearest option is ${option.label}, ${quote(option.text)}.`;
}

/** Names that often mean something else. Beside a plainer one they can but disagree with it. */
const WEAK = ['label', 'labels', 'gold'];

/** Names that no layout uses for its truth; beside the one that is used they look like another. */
const RIVALS = [
  'correct index',
  'correct idx',
  'correct letter',
  'correct label',
  'correct choice',
  'correct choices',
  'correct option index',
  'correct answer index',
  'correct answer letter',
  'correct answer text',
  'correct option text',
  'correct text',
  'gold index',
  'gold idx',
  'gold label',
  'gold answer',
  'gold letter',
  'gold choice',
  'answer letter',
  'answer label',
  'answer text',
  'answer choice',
  'answer option',
  'answer id',
  'right answer',
  'right option',
  'key',
  'ans',
  'cop',
];

/** Every field that states the truth. Those that are spelt differently must agree, which only their meaning can show. */
export function findTruths(values: Readonly<Record<string, unknown>>): readonly Truth[] {
  const truths = findFields(values, SPELLINGS.answer);
  const weak = findFields(values, WEAK);
  const rivals = findFields(values, RIVALS).map(toWeak);
  if (truths.length > 0) return [...truths, ...weak.map(toWeak), ...rivals];
  return weak.length === 0 ? [] : [...weak.slice(0, 1), ...rivals];
}

/** A truth that counts only if it names an option. */
export function toWeak(field: Field): Truth {
  return { ...field, weak: true };
}

/** Whether a value is a whole number, also one that a table holds as text. */
export function isWhole(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && /^\s*-?\d{1,4}\s*$/.test(value);
}

/**
 * Options of a file that gives them no order of their own, the right one told by its place (from 0; null when hidden).
 * Their order follows from a text of the record, `key`, so that it is the same in every run and on every machine,
 * whatever else is in the file.
 */
export function readRightAmong(
  place: Place,
  field: Field,
  texts: readonly unknown[],
  right: number | null,
  key: string,
): Omit<McqReading, 'used'> {
  const options = texts.map((text, index) => ({ text, right: index === right }));
  const ordered = orderOptions(options, ({ text }) => (typeof text === 'string' ? text : ''), key);
  const raw = labelByPosition(
    place,
    field,
    ordered.map(({ text }) => text),
  ).map(({ label, text }) => ({ label, text }));
  const value = ordered.findIndex((option) => option.right);
  // Its place and not its label, which may be the text of another option: vitamin B among A, B and C.
  const truths = value === -1 ? [] : [{ name: field.name, value, index: 'zero-based' as const }];
  return { field, raw, truths, multiple: false };
}

/**
 * Throws a RecordError for a list of 0 and 1 that does not hold one for each option. A list that repeats a number counts
 * nothing, so it marks options; then all lists of its field do.
 */
export function refuseWrongFlags(drafts: readonly McqDraft[]): void {
  const truths = drafts.flatMap((draft) => draft.truths.map((truth) => ({ draft, truth })));
  const names = new Set(truths.filter(({ truth }) => marksOptions(truth.value)).map(({ truth }) => truth.name));
  for (const { draft, truth } of truths) {
    const { value } = truth;
    if (!names.has(truth.name) || !Array.isArray(value)) continue;
    if (value.length === draft.options.length && value.every(isFlag)) continue;
    throw new RecordError({
      ...draft.place,
      field: truth.name,
      problem: `must mark each of the ${draft.options.length} options with 0 or 1, it has ${plural(value.length, 'element')}`,
      value,
      remedy: 'Correct the list, or write the labels of the right options, such as "A".',
    });
  }
}

/** Whether a list, or an object by label, marks no option as right. */
export function marksNone(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const flags: readonly unknown[] = Object.values(value);
  return flags.length > 1 && flags.every((flag) => flag === 0 || flag === false);
}

function marksOptions(value: unknown): boolean {
  return Array.isArray(value) && value.every(isFlag) && new Set(value).size < value.length;
}

function isFlag(value: unknown): boolean {
  return value === 0 || value === 1 || typeof value === 'boolean';
}
