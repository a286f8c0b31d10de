import { RecordError } from '../../records/record.ts';
import { resolveTruth } from '../../scoring/mcq/truths.ts';
import { quote, showValue } from '../../text/show.ts';
import { isWhole } from './target.ts';
import type { IndexBase, McqDraft, Truth } from './to-drafts.ts';

/**
 * Says of each truth that is a number how it counts, as the whole file shows: where some truth is 0 they count from 0,
 * where some is the number of its options they count from 1; both in one file throw a RecordError. An index of -1 hides
 * the truth. What shows neither is left as it is, and refused when it is resolved. `given` is what the user said.
 */
export function settleIndices(
  drafts: readonly McqDraft[],
  given: IndexBase | undefined,
): { readonly drafts: readonly McqDraft[]; readonly notes: readonly string[] } {
  const names = new Set(drafts.flatMap(({ truths }) => truths.map(({ name }) => name)));
  const inferred = new Map(
    [...names].map((name) => [name, given === undefined ? inferBase(drafts, name) : null] as const),
  );
  const bases = new Map([...inferred].map(([name, found]) => [name, given ?? found?.base ?? null] as const));
  const settle = (draft: McqDraft, truth: Truth): readonly Truth[] => {
    const index = given ?? truth.index ?? bases.get(truth.name) ?? undefined;
    if (!isCount(truth.value)) return [truth];
    if (isHidden(draft, truth, index)) return [];
    if (index === undefined) return truth.weak === true && !isLabelOf(draft, truth) ? [] : [truth];
    return [{ ...truth, index }];
  };
  const settled = drafts.map((draft) =>
    draft.truths.some(({ value }) => isCount(value))
      ? { ...draft, truths: draft.truths.flatMap((truth) => settle(draft, truth)) }
      : draft,
  );
  const notes = [...bases].flatMap(([name, base]) =>
    base === null
      ? []
      : [`${quote(name)} counts the options from ${base === 'zero-based' ? 0 : 1}${inferred.get(name)?.shown ?? ''}.`],
  );
  return { drafts: settled, notes };
}

type Counted = {
  readonly numbers: readonly number[];
  readonly draft: McqDraft;
  readonly typed: boolean;
  readonly weak: boolean;
};

/** `shown` says what a base rests on, where it is not the numbers themselves. */
type Inferred = { readonly base: IndexBase; readonly shown: string };

function inferBase(drafts: readonly McqDraft[], name: string): Inferred | null {
  const truths = drafts.flatMap((draft) =>
    draft.truths.filter((truth) => truth.name === name).map((truth) => ({ draft, truth })),
  );
  if (truths.some(({ truth }) => truth.index !== undefined || !isCount(truth.value))) return null;
  const counted = truths.map(({ draft, truth }) => toCounted(draft, truth)).filter(({ numbers }) => numbers[0] !== -1);
  if (counted.every(areLabels) || counted.every(areFlags) || counted.every(areTexts)) return null;
  const byRange = baseByRange(name, counted);
  const base = byRange ?? baseByOthers(drafts, name);
  if (base === null) return null;
  refuseTexts(name, base, counted);
  return { base, shown: byRange === null ? ', as the letters or texts beside it show' : '' };
}

function baseByRange(name: string, counted: readonly Counted[]): IndexBase | null {
  const zero = counted.find(({ numbers }) => numbers.includes(0));
  const last = counted.find(({ numbers, draft }) => numbers.includes(draft.options.length));
  if (zero !== undefined && last !== undefined) {
    // What only looks like a truth may be a number of any other kind.
    if (zero.weak) return null;
    throw bothBases(name, zero.draft, last.draft);
  }
  if (zero === undefined && last === undefined) return null;
  return zero === undefined ? 'one-based' : 'zero-based';
}

/** A number that is the text of one option and counts another one may mean either. */
function refuseTexts(field: string, base: IndexBase, counted: readonly Counted[]): void {
  const both = counted.find(({ numbers, draft, typed }) =>
    numbers.some((number) => {
      const told = draft.options.filter(({ text }) => text === String(number));
      const [meant] = labelsAt(draft, base, [number]);
      return typed && told.length > 0 && meant !== undefined && !told.some(({ label }) => label === meant);
    }),
  );
  if (both === undefined) return;
  throw new RecordError({
    ...both.draft.place,
    field,
    problem: 'is a number that is the text of one option and counts another',
    value: both.numbers.length === 1 ? both.numbers[0] : both.numbers,
    remedy: `Write the label of the right option, such as "A", or say that it counts: EVAL_MCQ_FIELDS='{"index_base": ${base === 'zero-based' ? 0 : 1}}'.`,
  });
}

function bothBases(field: string, zero: McqDraft, last: McqDraft): RecordError {
  const count = last.options.length;
  return new RecordError({
    ...last.place,
    field,
    problem: `is ${count}, the number of the options, and 0 on line ${zero.place.line}, so it counts them neither from 0 nor from 1`,
    remedy: 'Correct the one that is wrong, or write the labels of the right options, such as "A".',
  });
}

/** However a file counts, -1 counts no option; it may be the text of one where nothing is counted. */
function isHidden({ options }: McqDraft, { value }: Truth, index: IndexBase | undefined): boolean {
  return Number(value) === -1 && (index !== undefined || !options.some(({ text }) => text === '-1'));
}

function isLabelOf({ options }: McqDraft, { value }: Truth): boolean {
  return options.some(({ label }) => label === String(value).trim());
}

/** A whole number, or a list of them. */
function isCount(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isWhole) : isWhole(value);
}

function toCounted(draft: McqDraft, { value, weak }: Truth): Counted {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return {
    draft,
    numbers: values.map(Number),
    typed: values.every((each) => typeof each === 'number'),
    weak: weak === true,
  };
}

function areLabels({ numbers, draft }: Counted): boolean {
  return numbers.every((number) => draft.options.some(({ label }) => label === String(number)));
}

/** One 0 or 1 for each option. */
function areFlags({ numbers, draft }: Counted): boolean {
  return numbers.length === draft.options.length && numbers.every((number) => number === 0 || number === 1);
}

/** A number that a table holds as text may be the text of an option; one of JSON only where it counts none. */
function areTexts({ numbers, draft, typed }: Counted): boolean {
  return numbers.every(
    (number) =>
      draft.options.some(({ text }) => text === String(number)) &&
      (!typed || number < 0 || number > draft.options.length),
  );
}

type Compared = { readonly draft: McqDraft; readonly truth: Truth; readonly other: Truth; readonly target: string };

/**
 * How the numbers of a field count options, as the letters or texts in other fields of the same records show; null
 * where no record has both. Throws a RecordError where no way of counting agrees with them.
 */
function baseByOthers(drafts: readonly McqDraft[], name: string): IndexBase | null {
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
function labelsAt({ options }: McqDraft, base: IndexBase, numbers: readonly number[]): readonly string[] {
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
