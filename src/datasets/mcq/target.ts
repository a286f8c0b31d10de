import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import { type ResolvedTruth, resolveTruth } from '../../scoring/mcq/truths.ts';
import type { Field } from '../record-fields.ts';
import type { McqDraft } from './draft.ts';

/** What a sample takes from the truth of its record; a target of null is hidden. */
export type ResolvedTarget = Omit<ResolvedTruth, 'target'> & { readonly target: string | null };

/** Resolves the truth of a question; throws a RecordError when it names no option or two statements of it disagree. */
export function resolveTarget(draft: McqDraft): ResolvedTarget {
  const [first, ...others] = draft.truths.map((field) => ({ field, resolved: resolveField(draft, field) }));
  if (first === undefined) throw unusable(draft, undefined, 'is missing');
  const other = others.find(({ resolved }) => resolved.target !== first.resolved.target);
  if (other === undefined) return first.resolved;
  throw new RecordError({
    ...draft.place,
    problem: `${quote(first.field.name)} and ${quote(other.field.name)} of ${quote(draft.id)} disagree`,
    detail: `${first.resolved.target ?? '?'} against ${other.resolved.target ?? '?'}`,
    remedy: 'Keep the one that is meant.',
  });
}

function resolveField(draft: McqDraft, field: Field): ResolvedTarget {
  if (typeof field.value === 'string' && field.value.trim() === '?') return hidden(draft);
  if (isIndex(field.value, draft)) throw ambiguous(draft, field);
  const choices = Object.fromEntries(draft.options.map(({ label, text }) => [label, text]));
  try {
    return resolveTruth(field.value, choices, draft.multiple);
  } catch (cause) {
    throw unusable(draft, field.name, 'cannot be used', cause);
  }
}

/**
 * A number that is no label counts options, from 0 in some datasets and from 1 in others; the text of an option may
 * look the same. A list with one 0 or 1 for each option is no index.
 */
function isIndex(truth: unknown, { options }: McqDraft): boolean {
  if (typeof truth === 'number') return !options.some(({ label }) => label === String(truth));
  if (!Array.isArray(truth)) return false;
  const flags = truth.length === options.length && truth.every((flag) => flag === 0 || flag === 1);
  return (
    !flags && truth.some((each) => typeof each === 'number' && !options.some(({ label }) => label === String(each)))
  );
}

function ambiguous({ place }: McqDraft, { name, value }: Field): RecordError {
  return new RecordError({
    ...place,
    field: name,
    problem: 'is a number, which may count the options from 0 or from 1',
    value,
    remedy: 'Write the label of the right option, such as "A".',
  });
}

function hidden({ multiple }: McqDraft): ResolvedTarget {
  return multiple === undefined ? { target: null } : { target: null, multiple };
}

function unusable({ place, id }: McqDraft, field: string | undefined, problem: string, cause?: unknown): RecordError {
  return new RecordError({
    ...place,
    problem: `${field === undefined ? 'the answer' : quote(field)} of ${quote(id)} ${problem}`,
    detail: cause instanceof Error ? cause.message : undefined,
    remedy: 'Fix the record or leave it out.',
    cause,
  });
}
