import { RecordError } from '../../records/record-error.ts';
import { plural } from '../../text/plural.ts';
import type { McqDraft } from './draft.ts';

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
