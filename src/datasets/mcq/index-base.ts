import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import type { IndexBase, McqDraft, Truth } from './draft.ts';
import { isWhole } from './find-truths.ts';

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
  const bases = new Map([...names].map((name) => [name, given ?? inferBase(drafts, name)] as const));
  const settle = (truth: Truth): readonly Truth[] => {
    const index = given ?? truth.index ?? bases.get(truth.name) ?? undefined;
    if (index === undefined || !isCount(truth.value)) return [truth];
    return Number(truth.value) === -1 ? [] : [{ ...truth, index }];
  };
  const settled = drafts.map((draft) =>
    draft.truths.some(({ value }) => isCount(value)) ? { ...draft, truths: draft.truths.flatMap(settle) } : draft,
  );
  const notes = [...bases].flatMap(([name, base]) =>
    base === null ? [] : [`${quote(name)} counts the options from ${base === 'zero-based' ? 0 : 1}.`],
  );
  return { drafts: settled, notes };
}

type Counted = { readonly numbers: readonly number[]; readonly draft: McqDraft; readonly typed: boolean };

function inferBase(drafts: readonly McqDraft[], name: string): IndexBase | null {
  const truths = drafts.flatMap((draft) =>
    draft.truths.filter((truth) => truth.name === name).map((truth) => ({ draft, truth })),
  );
  if (truths.some(({ truth }) => truth.index !== undefined || !isCount(truth.value))) return null;
  const counted = truths.map(({ draft, truth }) => toCounted(draft, truth)).filter(({ numbers }) => numbers[0] !== -1);
  if (counted.every(areLabels) || counted.every(areFlags) || counted.every(areTexts)) return null;
  const fromZero = counted.some(({ numbers }) => numbers.includes(0));
  const last = counted.find(({ numbers, draft }) => numbers.includes(draft.options.length));
  const fromOne = last !== undefined;
  if (fromZero && fromOne) throw bothBases(name, counted.find(({ numbers }) => numbers.includes(0))?.draft, last.draft);
  if (fromZero === fromOne) return null;
  return fromZero ? 'zero-based' : 'one-based';
}

function bothBases(field: string, zero: McqDraft | undefined, last: McqDraft): RecordError {
  const count = last.options.length;
  return new RecordError({
    ...last.place,
    field,
    problem: `is ${count}, the number of the options, and 0 on line ${zero?.place.line ?? '?'}, so it counts them neither from 0 nor from 1`,
    remedy: 'Correct the one that is wrong, or write the labels of the right options, such as "A".',
  });
}

/** A whole number, or a list of them. */
function isCount(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isWhole) : isWhole(value);
}

function toCounted(draft: McqDraft, { value }: Truth): Counted {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return { draft, numbers: values.map(Number), typed: values.every((each) => typeof each === 'number') };
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
