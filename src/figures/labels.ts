import { isFields } from '../words/fields.ts';
import { isCorrect, isCounted, type SampleResult } from '../words/row.ts';

/** One answer of a classifier: the label expected, the label given (null for none), its question. */
export type Labelled = Readonly<{
  expected: string;
  predicted: string | null;
  question: string;
  cluster?: string | undefined;
}>;

/**
 * The labels that the answers of a suite are to be, in the order of their texts; null where expected
 * answers are no labels. They are where each is a short text that two questions or more have, and
 * they are few: a text that is to be found is another one for each question, or nearly. Numbers,
 * lists, and letters of options are none. docs/scoring.md has the rule.
 */
export function findLabels(results: readonly SampleResult[]): readonly string[] | null {
  const { found, questions } = countTargets(results);
  const areLabels = isFew(found, questions) && found.every(isShared);
  return areLabels ? found.map(({ text }) => text).sort() : null;
}

/**
 * The texts of single questions that alone keep the expected answers from being labels: one, or those
 * of a tenth of the questions, beside two or more that would be. `of` counts all texts.
 */
export function findRareLabels(results: readonly SampleResult[]) {
  const { found, questions } = countTargets(results);
  const rare = found.filter((label) => !isShared(label));
  const areNear =
    isFew(found, questions) &&
    found.length - rare.length >= 2 &&
    rare.length <= Math.max(1, questions / 10);
  return { rare: areNear ? rare.map(({ text }) => text).sort() : [], of: found.length };
}

type Label = Readonly<{ text: string; count: number }>;

const isShared = ({ count }: Label) => count >= 2;

function isFew(found: readonly Label[], questions: number): boolean {
  const most = Math.max(MOST_LABELS, questions / 10);
  const areLetters = found.every(({ text }) => LETTERS.test(text));
  return found.length >= 2 && found.length <= most && !areLetters;
}

/** The texts of expected answers with their numbers of questions; none where one can be no label. */
function countTargets(
  results: readonly SampleResult[],
): Readonly<{ found: readonly Label[]; questions: number }> {
  const rows = results.filter(isCounted);
  const questions = new Map(rows.map((row) => [row.id, row]));
  const ofLabel = new Map<string, Label>();
  for (const { target, options } of questions.values()) {
    const text = options === undefined ? toLabelText(target) : null;
    if (text === null) return { found: [], questions: 0 };
    const before = ofLabel.get(toKey(text)) ?? { text, count: 0 };
    const [first = text] = [before.text, text].sort();
    ofLabel.set(toKey(text), { text: first, count: before.count + 1 });
  }
  return { found: [...ofLabel.values()], questions: questions.size };
}

/** More must have ten questions each. */
export const MOST_LABELS = 12;
const LONGEST_LABEL = 30;

/** Letters of options, as in "B" or "(A), (C)". */
const LETTERS = /^(?:[^\p{L}\p{N}]*[a-j](?![\p{L}\p{N}]))+[^\p{L}\p{N}]*$/iu;

/** The text of an expected answer; null for what can be no label. */
function toLabelText(target: unknown): string | null {
  const text = toShort(target);
  const isNumber = /\p{N}/u.test(text) && !/\p{L}/u.test(text);
  return text === '' || text.length > LONGEST_LABEL || isNumber ? null : text;
}

/** A text or a truth value; '' for what is neither. */
function toShort(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}

/** Case makes no other label. */
function toKey(text: string): string {
  return text.toLowerCase();
}

/**
 * The counted results with the label that each should have and the one that it has: that of its
 * question for a right answer, however it is spelled, and another one for a wrong answer; null where
 * this is no label, and where there is no answer. So the hits are the right answers.
 */
export function readLabels(
  results: readonly SampleResult[],
  labels: readonly string[],
): readonly (Labelled & Pick<SampleResult, 'answer'>)[] {
  const nameOf = new Map(labels.map((label) => [toKey(label), label]));
  return results.filter(isCounted).map((row) => {
    const { id, cluster, target, answer } = row;
    const expected = nameOf.get(toKey(toShort(target))) ?? '';
    const given = findGiven(answer, nameOf);
    const wrong = given === expected ? null : given;
    return {
      expected,
      predicted: isCorrect(row) ? expected : wrong,
      question: id,
      cluster,
      answer,
    };
  });
}

/** Of an object it is the only field that is a label, as in {"label": "spam", "why": "..."}. */
function findGiven(answer: unknown, nameOf: ReadonlyMap<string, string>): string | null {
  const find = (value: unknown) => nameOf.get(toKey(toShort(value))) ?? null;
  if (!isFields(answer)) return find(answer);
  const [found = null, ...others] = Object.values(answer).flatMap((value) => find(value) ?? []);
  return others.length === 0 ? found : null;
}
