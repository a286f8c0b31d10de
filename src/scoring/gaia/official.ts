import { plural, quote } from '../../words/show.ts';
import { deletePunctuation, parsePythonFloat, replaceWhitespace } from './python.ts';

/** A rule that compares an answer with a target. A missing answer is null. */
export type GaiaRule = {
  readonly name: string;
  judge(answer: string | null, target: string): Judgement;
};

export type Judgement = Readonly<{
  correct: boolean;
  /**
   * Makes one sentence: how the answer was compared, and why it does or does not match. It is a
   * function because most explanations are never read.
   */
  explain(): string;
  /** True when the answer matched only because the rule reads any unreadable number as infinity. */
  vacuous?: true;
  /** A score from 0 to 1 under the rule's name. It is not part of accuracy. */
  credit?: number;
}>;

/** The result of one comparison, and how to explain it. */
type Comparison = Omit<Judgement, 'explain'> & { detail(): string };

/**
 * The rule of GAIA's public leaderboard (scorer.py of the gaia-benchmark/leaderboard space). The
 * target alone decides whether answers are compared as numbers, as lists or as texts.
 */
export const official: GaiaRule = {
  name: 'official',
  judge(answer, target) {
    const kind = findKind(target);
    const compare = { number: compareNumber, list: compareList, text: compareText }[kind];
    // Before comparing, the leaderboard replaces a missing answer by the text "None".
    const { detail, ...comparison } = compare(answer ?? 'None', target);
    return { ...comparison, explain: () => `compared as ${kind}: ${detail()}` };
  },
};

/** How the rule compares answers with a target. */
export function findKind(target: string): 'number' | 'list' | 'text' {
  if (parsePythonFloat(target) !== null) return 'number';
  return /[,;]/.test(target) ? 'list' : 'text';
}

// Exact equality without tolerance. An answer that is not a number counts as +infinity, whatever it
// says.
function compareNumber(answer: string, target: string): Comparison {
  const expected = parsePythonFloat(target);
  const received = parsePythonFloat(answer.replace(/[$%,]/g, ''));
  const correct = (received ?? Number.POSITIVE_INFINITY) === expected;
  if (received !== null)
    return { correct, detail: () => `${received} ${verb(correct)} ${expected}` };
  const unreadable = () => `${quote(answer)} cannot be read as a number`;
  if (!correct) return { correct, detail: unreadable };
  return {
    correct,
    vacuous: true,
    detail: () => `${unreadable()}, which this rule counts as infinity`,
  };
}

function compareText(answer: string, target: string): Comparison {
  return compareForms(deletePunctuation(squash(answer)), deletePunctuation(squash(target)));
}

function compareForms(received: string, expected: string): Comparison {
  const correct = received === expected;
  return { correct, detail: () => `${quote(received)} ${verb(correct)} ${quote(expected)}` };
}

function compareList(answer: string, target: string): Comparison {
  const targets = target.split(/[,;]/);
  const answers = answer.split(/[,;]/);
  if (answers.length !== targets.length) {
    return {
      correct: false,
      detail: () => `${plural(answers.length, 'element')}, expected ${targets.length}`,
    };
  }
  const pairs = targets.map((element, index) => compareElement(answers[index] ?? '', element));
  const wrong = pairs.findIndex((pair) => !pair.correct);
  if (wrong !== -1)
    return { correct: false, detail: () => `element ${wrong + 1}: ${pairs[wrong]?.detail()}` };
  const vacuous = pairs.some((pair) => pair.vacuous) ? { vacuous: true as const } : {};
  return { correct: true, ...vacuous, detail: () => `all ${targets.length} elements match` };
}

// Unlike in a text, punctuation counts inside the elements of a list.
function compareElement(answer: string, target: string): Comparison {
  return parsePythonFloat(target) === null
    ? compareForms(squash(answer), squash(target))
    : compareNumber(answer, target);
}

// Spaces are removed before lowercasing: the lowercase form of a Greek sigma depends on what
// follows it.
function squash(text: string): string {
  return replaceWhitespace(text, '').toLowerCase();
}

function verb(correct: boolean): 'is' | 'is not' {
  return correct ? 'is' : 'is not';
}
