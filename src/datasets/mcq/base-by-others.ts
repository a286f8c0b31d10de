import { RecordError } from '../../records/record-error.ts';
import { quote, showValue } from '../../records/show-value.ts';
import { resolveTruth } from '../../scoring/mcq/truths.ts';
import type { IndexBase, McqDraft, Truth } from './draft.ts';
import { isWhole } from './find-truths.ts';

type Compared = { readonly draft: McqDraft; readonly truth: Truth; readonly other: Truth; readonly target: string };

/**
 * How the numbers of a field count options, as the letters or texts in other fields of the same records show; null
 * where no record has both. Throws a RecordError where no way of counting agrees with them.
 */
export function baseByOthers(drafts: readonly McqDraft[], name: string): IndexBase | null {
  const compared = drafts.flatMap((draft) => compare(draft, name));
  if (compared.length === 0) return null;
  const wrong = BASES.flatMap((base) => compared.find((each) => !agrees(each, base)) ?? []);
  const [first] = wrong;
  if (first === undefined || wrong.length < BASES.length) return fitting(compared);
  throw disagreement(compared.find((each) => !BASES.some((base) => agrees(each, base))) ?? first);
}

function fitting(compared: readonly Compared[]): IndexBase | null {
  return BASES.find((base) => compared.every((each) => agrees(each, base))) ?? null;
}

const BASES: readonly IndexBase[] = ['zero-based', 'one-based'];

/** The labels of the options that these numbers count. */
export function labelsAt({ options }: McqDraft, base: IndexBase, numbers: readonly number[]): readonly string[] {
  return numbers.flatMap((number) => options[base === 'zero-based' ? number : number - 1]?.label ?? []);
}

function compare(draft: McqDraft, name: string): readonly Compared[] {
  const truth = draft.truths.find((each) => each.name === name);
  const other = draft.truths.find(
    ({ name: its, value }) => its !== name && typeof value === 'string' && !isWhole(value),
  );
  const target =
    truth === undefined || other === undefined || Number(truth.value) === -1 ? null : targetOf(draft, other);
  return truth === undefined || other === undefined || target === null ? [] : [{ draft, truth, other, target }];
}

/** Null for a truth that cannot be used, which is refused elsewhere. */
function targetOf({ options, multiple }: McqDraft, { value }: Truth): string | null {
  try {
    return resolveTruth(value, Object.fromEntries(options.map(({ label, text }) => [label, text])), multiple).target;
  } catch {
    return null;
  }
}

function agrees({ draft, truth, target }: Compared, base: IndexBase): boolean {
  const values: readonly unknown[] = Array.isArray(truth.value) ? truth.value : [truth.value];
  const labels = labelsAt(draft, base, values.map(Number));
  return labels.toSorted().join() === target.split(',').toSorted().join();
}

function disagreement({ draft, truth, other }: Compared): RecordError {
  return new RecordError({
    ...draft.place,
    problem: `${quote(other.name)} and ${quote(truth.name)} of ${quote(draft.id)} disagree`,
    detail: `${showValue(other.value)} against ${showValue(truth.value)}, counted from 0 or from 1 alike in the whole file`,
    remedy: `Keep the one that is meant, or name it: EVAL_MCQ_FIELDS='{"answer": ${JSON.stringify(other.name)}}'.`,
  });
}
