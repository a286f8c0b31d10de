import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import { isNoneStatement } from '../../scoring/mcq/all-none.ts';
import { type ResolvedTruth, resolveTruth } from '../../scoring/mcq/truths.ts';
import { nearest } from '../../text/nearest.ts';
import type { Field } from '../record-fields.ts';
import type { McqDraft, Truth } from './draft.ts';
import { isWhole } from './find-truths.ts';

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
