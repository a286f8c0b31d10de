import { isNoneStatement } from '../scoring/mcq/question.ts';
import { parseTarget } from '../scoring/mcq/targets.ts';
import { plainName } from '../words/plain-name.ts';
import type { Note } from '../words/sample.ts';
import { quote, toNotes, tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { called, listCalled, told } from '../words/told.ts';
import { RecordError } from './files/record.ts';
import type { Option } from './options.ts';
import { type Field, fault, type Place } from './record-fields.ts';
import type { SuiteKind } from './shape.ts';

/** The index of the first option, where answers are indices. */
type Base = 0 | 1;

export type AnswerField = Field &
  Readonly<{
    /** Present when a whole number is an index, not a label or a text. */
    counts?: Base;
    /**
     * Present when the field's name often means something else. The field then counts only if it
     * names an option.
     */
    weak?: true;
  }>;

/** A question with options. */
export type McqDraft = Readonly<{
  place: Place;
  kind: SuiteKind;
  id: string;
  options: readonly Option[];
  /**
   * Every field that states the answer. They must agree. The answer is hidden when there is none,
   * or by a "?" or an index of -1.
   */
  answers: readonly AnswerField[];
  /** Absent when the record does not say whether several options may be right. */
  multiple?: boolean;
}>;

/**
 * The target of a record, null when it is hidden. Throws a RecordError when an answer names no
 * option or two answers disagree.
 */
export function resolveTarget(draft: McqDraft, choices: Choices): string | null {
  const { answers, place, id, kind } = draft;
  const lead = findLead(draft);
  if (lead === undefined) return null;
  const target = resolveAnswer(draft, lead, choices);
  for (const answer of answers) {
    // Several options may have the same text: a label in another field says which one is meant.
    if (answer === lead || (target !== null && answer.value === choices[target])) continue;
    const stated = resolveAnswer(draft, answer, choices);
    if (stated === target) continue;
    const sides = [
      { name: lead.name, label: target, at: answers.indexOf(lead) },
      { name: answer.name, label: stated, at: answers.indexOf(answer) },
    ].sort((a, b) => a.at - b.at);
    throw new RecordError({
      ...place,
      problem: told`${listCalled(sides.map(({ name }) => name))} of ${called(id)} disagree`,
      detail: sides.map(({ label }) => label ?? '?').join(' against '),
      remedy: `Keep the right one${orSet(kind, 'name it as "answer" in EVAL_MCQ_FIELDS')}.`,
    });
  }
  return target;
}

/** Another remedy by a setting, which only the suite of multiple choice reads. */
function orSet(kind: SuiteKind, remedy: string): string {
  return kind === 'mcq' ? `, or ${remedy}` : '';
}

/** Names of fields that contain labels or places. */
export const NAMES_LABELS = /key|letter|label|idx|index/;

/**
 * The answer by which the others are read: a label or a place in a field that is named so, since the
 * text of an option may be another's label. Else a label in any field, else the first answer.
 */
function findLead({ answers, options }: McqDraft): AnswerField | undefined {
  const isOption = ({ value, counts }: AnswerField) =>
    counts !== undefined || options.some(({ label }) => label === value);
  const named = answers.filter(({ name, weak }) => NAMES_LABELS.test(plainName(name)) && !weak);
  return named.find(isOption) ?? answers.find(isOption) ?? answers[0];
}

/**
 * If one answer of a field is 0, the field counts from 0. If one equals the number of its options,
 * the field counts from 1. Both in one file throw a RecordError. Answers in other fields that are
 * not numbers, or else the `columns` of the options, show it too. An index of -1 hides the answer.
 * Numbers that show nothing are left as they are; they are refused when they are resolved. `stated`
 * is how they count if the shape or the user says so.
 */
export function addIndexBase<T extends McqDraft>(
  drafts: readonly T[],
  stated: Base | undefined,
  columns: Base | undefined,
): Readonly<{ drafts: readonly T[]; notes: readonly Note[] }> {
  const names = new Set(drafts.flatMap(({ answers }) => answers.map(({ name }) => name)));
  const bases = new Map(
    [...names].map((name) => [name, stated ?? inferBase(drafts, name, columns)] as const),
  );
  const settled = drafts.map((draft) => ({
    ...draft,
    answers: draft.answers.flatMap((answer) =>
      applyIndexBase(draft, answer, stated ?? answer.counts ?? bases.get(answer.name)),
    ),
  }));
  const texts = [...bases].flatMap(([name, base]) =>
    base === undefined ? [] : [`${quote(name)} counts the options from ${base}.`],
  );
  return { drafts: settled, notes: toNotes('index base', texts) };
}

function applyIndexBase(
  { options }: McqDraft,
  answer: AnswerField,
  counts: Base | undefined,
): readonly AnswerField[] {
  if (toNumbers(answer.value) === null) return [answer];
  // -1 means hidden, unless an option's text is "-1" and the field does not count options.
  const isHidden = Number(answer.value) === -1;
  if (isHidden && (counts !== undefined || !options.some(({ text }) => text === '-1'))) return [];
  if (counts !== undefined) return [{ ...answer, counts }];
  return answer.weak === true && !isLabel(answer.value, options) ? [] : [answer];
}

/** An answer that may count options, with its record. */
type Count = Readonly<{
  draft: McqDraft;
  answer: AnswerField;
  values: readonly unknown[];
  numbers: readonly number[];
}>;

/** The numbers of an answer that is a whole number or a list of whole numbers. */
function toNumbers(value: unknown): Pick<Count, 'values' | 'numbers'> | null {
  const values: readonly unknown[] = [value].flat();
  return values.length > 0 && values.every(looksWhole)
    ? { values, numbers: values.map(Number) }
    : null;
}

/** How the numbers of a field count options; undefined when they do not, or nothing shows how. */
function inferBase(
  drafts: readonly McqDraft[],
  name: string,
  columns: Base | undefined,
): Base | undefined {
  const counts: Count[] = [];
  for (const draft of drafts) {
    for (const answer of draft.answers.filter((each) => each.name === name)) {
      const found = toNumbers(answer.value);
      if (answer.counts !== undefined || found === null) return undefined;
      if (found.numbers[0] !== -1) counts.push({ draft, answer, ...found });
    }
  }
  const all = (test: typeof isOptionText) =>
    counts.every(({ values, draft }) => values.every((v) => test(v, draft.options)));
  if (
    all(isLabel) ||
    all(isOptionText) ||
    counts.every(({ values, draft }) => areFlags(values, draft.options))
  )
    return undefined;
  // A list that repeats a number does not count options: it marks them.
  if (counts.some(({ numbers }) => new Set(numbers).size < numbers.length)) return undefined;
  const base = chooseBase(counts, columns);
  if (base !== undefined) refuseTexts(base, counts);
  return base;
}

function isLabel(value: unknown, options: readonly Option[]): boolean {
  return options.some(({ label }) => label === String(value).trim());
}

/** A table's number may be an option's text; a JSON number only if it cannot count an option. */
function isOptionText(value: unknown, options: readonly Option[]): boolean {
  const counts = typeof value === 'number' && value >= 0 && value <= options.length;
  return !counts && options.some(({ text }) => text === String(value).trim());
}

/** A list with one 0 or 1 for each option. */
function areFlags(values: readonly unknown[], options: readonly Option[]): boolean {
  return (
    values.length === options.length &&
    values.every((value) => Number(value) === 0 || Number(value) === 1)
  );
}

function chooseBase(counts: readonly Count[], columns: Base | undefined): Base | undefined {
  const zero = counts.find(({ numbers }) => numbers.includes(0));
  const last = counts.find(({ numbers, draft }) => numbers.includes(draft.options.length));
  if (zero !== undefined && last !== undefined) {
    const problem = told`is the number of the options, but line ${zero.draft.place.line} has 0, so it is unclear whether the field counts from 0 or from 1`;
    const remedy = 'Correct one of the two, or write labels such as "A".';
    throw fault(last.draft.place, last.answer, problem, remedy);
  }
  if (zero !== undefined || last !== undefined) return zero === undefined ? 1 : 0;
  const hints = counts.flatMap(({ draft, answer }) => {
    const other = draft.answers.find((each) => each !== answer && !looksWhole(each.value));
    const target = other === undefined ? null : targetOf(draft, other.value);
    return target === null ? [] : [{ draft, value: answer.value, target }];
  });
  if (hints.length === 0) return columns;
  // If neither fits, the answers disagree, and resolveTarget refuses them.
  return hints.every(({ draft, value, target }) => targetOf(draft, value, 1) === target) ? 1 : 0;
}

/** The target of an answer; null for an unusable one, which is refused later. */
function targetOf({ options, multiple }: McqDraft, value: unknown, counts?: Base): string | null {
  const choices = Object.fromEntries(options.map(({ label, text }) => [label, text]));
  return tryOrUndefined(() => parseTarget(value, choices, multiple, { counts }).target) ?? null;
}

/** Throws a RecordError for a number that is the text of one option and the index of another. */
function refuseTexts(base: Base, counts: readonly Count[]): void {
  const isTwofold = ({ draft, values }: Count) =>
    values.some((value) => {
      const labels = draft.options
        .filter(({ text }) => text === String(value))
        .map(({ label }) => label);
      const meant =
        typeof value === 'number' && labels.length > 0 ? targetOf(draft, value, base) : null;
      return meant !== null && !labels.includes(meant);
    });
  const both = counts.find(isTwofold);
  if (both === undefined) return;
  const set = `say that it is an index: EVAL_MCQ_FIELDS='{"counts": ${base}}'`;
  const remedy = `Write the label of the right option, such as "A"${orSet(both.draft.kind, set)}.`;
  throw fault(
    both.draft.place,
    both.answer,
    told`is the text of one option and the index of another`,
    remedy,
  );
}

type Choices = Readonly<Record<string, string>>;

function resolveAnswer(draft: McqDraft, answer: AnswerField, choices: Choices): string | null {
  const { place, id, options, multiple, kind } = draft;
  const { name, value, counts } = answer;
  if (typeof value === 'string' && value.trim() === '?') return null;
  if (counts === undefined && isIndex(value, options)) {
    const set = 'say how it counts: EVAL_MCQ_FIELDS=\'{"counts": 0}\'';
    const remedy = `Write the label of the right option, such as "A"${orSet(kind, set)}.`;
    throw fault(
      place,
      answer,
      told`is an index, and the file does not show whether it counts from 0 or from 1`,
      remedy,
    );
  }
  if (isPythonNone(value, options)) {
    const remedy =
      'Write NONE if no option is right, "?" to hide the answer, or leave the record out.';
    throw fault(
      place,
      answer,
      told`may be a missing value that Python wrote: no option says "none"`,
      remedy,
    );
  }
  try {
    return parseTarget(value, choices, multiple, { counts }).target;
  } catch (cause) {
    throw new RecordError({
      ...place,
      problem: told`${called(name)} of ${called(id)} cannot be used`,
      detail: messageOf(cause),
      remedy: 'Fix the record or leave it out.',
      cause,
    });
  }
}

/** Whether an answer is a number, or a list with one, that may be an index from 0 or from 1. */
function isIndex(value: unknown, options: readonly Option[]): boolean {
  if (Array.isArray(value) && areFlags(value, options)) return false;
  const values: readonly unknown[] = [value].flat();
  return values.some(
    (each) => looksWhole(each) && !isLabel(each, options) && !isOptionText(each, options),
  );
}

/** Python writes "None" where a value is missing, and a table may contain it as text. */
function isPythonNone(value: unknown, options: readonly Option[]): boolean {
  const saysNone = ({ text }: Option) => isNoneStatement(text) || /^none$/i.test(text.trim());
  return typeof value === 'string' && value.trim() === 'None' && !options.some(saysNone);
}

/** Whether a value is a whole number, or text that is one (in a table). */
function looksWhole(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && /^\s*-?\d{1,4}\s*$/.test(value);
}

/**
 * A field "label" may contain an answer ("B", an option's text, an index) or something else
 * ("hard").
 */
export function mayAnswer(value: unknown, options: readonly Option[]): boolean {
  const written = typeof value === 'string' ? value.trim() : null;
  if (options.some(({ label, text }) => label === written || text === written)) return true;
  return looksWhole(value) && Number(value) >= 0 && Number(value) <= options.length;
}
