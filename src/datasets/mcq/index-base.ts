import { RecordError } from '../../records/record.ts';
import { resolveTruth } from '../../scoring/mcq/truths.ts';
import { quote, showValue } from '../../text/show.ts';
import { fault } from '../record-fields.ts';
import { type AnswerField, type IndexBase, isWhole, type McqDraft } from './fields.ts';

/**
 * Says of each answer that is a number how it counts, as the whole file shows: where one is 0 they count from 0, where
 * one is the number of its options they count from 1; both in one file throw a RecordError. An index of -1 hides the
 * answer. What shows neither is left as it is, and refused when it is resolved. `given` is what the user said.
 */
export function settleIndices(
  drafts: readonly McqDraft[],
  given: IndexBase | undefined,
): { readonly drafts: readonly McqDraft[]; readonly notes: readonly string[] } {
  const names = new Set(drafts.flatMap(({ answers }) => answers.map(({ name }) => name)));
  const bases = new Map([...names].map((name) => [name, given ?? inferBase(drafts, name)] as const));
  const settled = drafts.map((draft) => ({
    ...draft,
    answers: draft.answers.flatMap((answer) =>
      settle(draft, answer, given ?? answer.index ?? bases.get(answer.name) ?? undefined),
    ),
  }));
  const notes = [...bases].flatMap(([name, base]) =>
    base === null ? [] : [`${quote(name)} counts the options from ${base === 'zero-based' ? 0 : 1}.`],
  );
  return { drafts: settled, notes };
}

function settle({ options }: McqDraft, answer: AnswerField, index: IndexBase | undefined): readonly AnswerField[] {
  if (toNumbers(answer.value) === null) return [answer];
  // However a file counts, -1 counts no option; it may be the text of one where nothing is counted.
  const isHidden = Number(answer.value) === -1;
  if (isHidden && (index !== undefined || !options.some(({ text }) => text === '-1'))) return [];
  if (index !== undefined) return [{ ...answer, index }];
  const isLabel = options.some(({ label }) => label === String(answer.value).trim());
  return answer.weak === true && !isLabel ? [] : [answer];
}

/** The numbers of an answer that is a whole number or a list of them. */
function toNumbers(value: unknown): readonly number[] | null {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.length > 0 && values.every(isWhole) ? values.map(Number) : null;
}

/** An answer that may count options, in its record. */
type Count = { readonly draft: McqDraft; readonly answer: AnswerField; readonly numbers: readonly number[] };

/** How the numbers of a field count options; null where they do not, or nothing shows how. */
function inferBase(drafts: readonly McqDraft[], name: string): IndexBase | null {
  const stated = drafts.flatMap((draft) =>
    draft.answers.flatMap((answer) => (answer.name === name ? { draft, answer } : [])),
  );
  const counts: Count[] = [];
  for (const { draft, answer } of stated) {
    const numbers = toNumbers(answer.value);
    if (answer.index !== undefined || numbers === null) return null;
    if (numbers[0] !== -1) counts.push({ draft, answer, numbers });
  }
  if (counts.every(areLabels) || counts.every(areTexts) || counts.every(isFlagList)) return null;
  // A list that repeats a number counts nothing: it marks options.
  if (counts.some(({ numbers }) => new Set(numbers).size < numbers.length)) return null;
  const base = baseByRange(counts);
  if (base !== null) refuseTexts(base, counts);
  return base;
}

function areLabels({ numbers, draft }: Count): boolean {
  return numbers.every((number) => draft.options.some(({ label }) => label === String(number)));
}

/** A number that a table holds as text may be the text of an option; one of JSON only where it counts none. */
function areTexts({ numbers, draft: { options }, answer }: Count): boolean {
  return numbers.every(
    (number) =>
      options.some(({ text }) => text === String(number)) &&
      (!isTyped(answer) || number < 0 || number > options.length),
  );
}

/** Whether the numbers are JSON numbers, and no texts of a table. */
function isTyped({ value }: AnswerField): boolean {
  return [value].flat().every((each) => typeof each === 'number');
}

/** One 0 or 1 for each option. */
function isFlagList({ numbers, draft }: Count): boolean {
  return numbers.length === draft.options.length && numbers.every((number) => number === 0 || number === 1);
}

function baseByRange(counts: readonly Count[]): IndexBase | null {
  const zero = counts.find(({ numbers }) => numbers.includes(0));
  const last = counts.find(({ numbers, draft }) => numbers.includes(draft.options.length));
  if (zero === undefined && last === undefined) return baseByOthers(counts);
  if (zero === undefined || last === undefined) return zero === undefined ? 'one-based' : 'zero-based';
  // What only looks like an answer may be a number of any other kind.
  if (zero.answer.weak === true) return baseByOthers(counts);
  const problem = `is the number of the options, and 0 on line ${zero.draft.place.line}: it counts neither from 0 nor from 1`;
  throw fault(
    last.draft.place,
    last.answer,
    problem,
    'Correct one, or write the labels of the right options, such as "A".',
  );
}

/**
 * How numbers count options, as the letters or texts in other fields of the same records show; null where no record has
 * both. Throws a RecordError where no way of counting agrees with them.
 */
function baseByOthers(counts: readonly Count[]): IndexBase | null {
  const compared = counts.flatMap(compare);
  if (compared.length === 0) return null;
  const isWrong = (base: IndexBase) =>
    compared.find(({ draft, answer, target }) => target !== targetOf(draft, answer.value, base));
  if (isWrong('zero-based') === undefined) return 'zero-based';
  const wrong = isWrong('one-based');
  if (wrong === undefined) return 'one-based';
  const { draft, answer, other } = wrong;
  throw new RecordError({
    ...draft.place,
    problem: `${quote(other.name)} and ${quote(answer.name)} of ${quote(draft.id)} disagree`,
    detail: `${showValue(other.value)} against ${showValue(answer.value)}, counted alike in the whole file`,
    remedy: 'Keep the one that is meant, or name it as "answer" in EVAL_MCQ_FIELDS.',
  });
}

/** A count beside another answer that is no number, and the target of that. */
type Compared = Count & { readonly other: AnswerField; readonly target: string };

function compare(count: Count): readonly Compared[] {
  const { draft, answer } = count;
  const other = draft.answers.find(
    ({ name, value }) => name !== answer.name && typeof value === 'string' && !isWhole(value),
  );
  const target = other === undefined ? null : targetOf(draft, other.value);
  return other === undefined || target === null ? [] : [{ ...count, other, target }];
}

/** Null for an answer that cannot be used, which is refused when the answers are resolved. */
function targetOf({ options, multiple }: McqDraft, value: unknown, index?: IndexBase): string | null {
  const choices = Object.fromEntries(options.map(({ label, text }) => [label, text]));
  try {
    return resolveTruth(value, choices, multiple, { index }).target;
  } catch {
    return null;
  }
}

/** A number that is the text of one option and counts another may mean either. */
function refuseTexts(base: IndexBase, counts: readonly Count[]): void {
  const isTwofold = ({ draft, answer, numbers }: Count) =>
    isTyped(answer) &&
    numbers.some((number) => {
      const told = draft.options.filter(({ text }) => text === String(number)).map(({ label }) => label);
      const meant = told.length === 0 ? null : targetOf(draft, number, base);
      return meant !== null && !told.includes(meant);
    });
  const both = counts.find(isTwofold);
  if (both === undefined) return;
  const map = `EVAL_MCQ_FIELDS='{"index_base": ${base === 'zero-based' ? 0 : 1}}'`;
  const remedy = `Write the label of the right option, such as "A", or say that it counts: ${map}.`;
  throw fault(both.draft.place, both.answer, 'is a number that is the text of one option and counts another', remedy);
}
