import { cut, escapeControls } from '../../text/show.ts';
import { plural } from '../../text/wording.ts';
import { deletePunctuation, parsePythonFloat, replaceBlanks } from './python.ts';
import type { GaiaRule, Judgement } from './rules.ts';

/** One comparison: the two forms that were compared and what to say about them. */
type Comparison = Omit<Judgement, 'explanation'> & { readonly detail: string };

/**
 * The rule of GAIA's public leaderboard (scorer.py of the gaia-benchmark/leaderboard space). The truth alone decides
 * whether answers are compared as number, as list or as text.
 */
export const official: GaiaRule = {
  name: 'official',
  judge(answer, truth) {
    // The leaderboard turns a missing answer into the text "None" before it compares.
    const given = answer ?? 'None';
    const number = parsePythonFloat(truth);
    if (number !== null) return toJudgement('number', compareNumber(given, number));
    if (isList(truth)) return toJudgement('list', compareList(given, truth));
    return toJudgement('text', compareText(given, truth));
  },
};

/** How the rule compares answers with a truth. */
export function findKind(truth: string): 'number' | 'list' | 'text' {
  if (parsePythonFloat(truth) !== null) return 'number';
  return isList(truth) ? 'list' : 'text';
}

function isList(truth: string): boolean {
  return /[,;]/.test(truth);
}

function toJudgement(kind: string, { detail, ...comparison }: Comparison): Judgement {
  return { ...comparison, explanation: `compared as ${kind}: ${detail}` };
}

// Exact equality without tolerance. An answer that is not a number counts as +infinity, whatever it says.
function compareNumber(answer: string, expected: number): Comparison {
  const received = parsePythonFloat(answer.replace(/[$%,]/g, ''));
  const correct = (received ?? Number.POSITIVE_INFINITY) === expected;
  const forms = { correct, expected: String(expected), received: received === null ? answer : String(received) };
  if (received !== null) return { ...forms, detail: `${received} ${verb(correct)} ${expected}` };
  const unreadable = `${quote(answer)} cannot be read as a number`;
  if (!correct) return { ...forms, detail: unreadable };
  return { ...forms, vacuous: true, detail: `${unreadable}, which this rule counts as infinity` };
}

function compareText(answer: string, truth: string): Comparison {
  const expected = deletePunctuation(squash(truth));
  const received = deletePunctuation(squash(answer));
  return compareForms(received, expected);
}

function compareForms(received: string, expected: string): Comparison {
  const correct = received === expected;
  return { correct, expected, received, detail: `${quote(received)} ${verb(correct)} ${quote(expected)}` };
}

function compareList(answer: string, truth: string): Comparison {
  const truths = truth.split(/[,;]/);
  const answers = answer.split(/[,;]/);
  if (answers.length !== truths.length) return differentLengths(answers, truths);
  const pairs = truths.map((element, index) => compareElement(answers[index] ?? '', element));
  const wrong = pairs.findIndex((pair) => !pair.correct);
  return {
    correct: wrong === -1,
    expected: pairs.map((pair) => pair.expected).join('; '),
    received: pairs.map((pair) => pair.received).join('; '),
    detail: wrong === -1 ? `all ${truths.length} elements match` : `element ${wrong + 1}: ${pairs[wrong]?.detail}`,
    ...(wrong === -1 && pairs.some((pair) => pair.vacuous) ? { vacuous: true } : {}),
  };
}

function differentLengths(answers: readonly string[], truths: readonly string[]): Comparison {
  return {
    correct: false,
    expected: truths.map(squash).join('; '),
    received: answers.map(squash).join('; '),
    detail: `${plural(answers.length, 'element')}, expected ${truths.length}`,
  };
}

// Unlike in a text, punctuation counts inside the elements of a list.
function compareElement(answer: string, truth: string): Comparison {
  const number = parsePythonFloat(truth);
  return number === null ? compareForms(squash(answer), squash(truth)) : compareNumber(answer, number);
}

// Blanks go before the letters are lowered, because a sigma becomes final by what follows it.
function squash(text: string): string {
  return replaceBlanks(text, '').toLowerCase();
}

function verb(correct: boolean): 'is' | 'is not' {
  return correct ? 'is' : 'is not';
}

/** The most letters of a text that reads as a number: "infinity". */
const LETTERS_OF_A_NUMBER = 8;

/**
 * False when an answer holds so many letters that no rule of equality (official, exact) can find it equal to the truth;
 * reads no more of it than that takes. Whole outputs are mostly told apart by this alone.
 */
export function canEqual(answer: string, truth: string): boolean {
  const parts = truth.split(/[,;]/);
  const most = truth.length + LETTERS_OF_A_NUMBER * parts.length;
  return !hasMoreLetters(answer, most) || parts.some(isInfinite);
}

/** Each unreadable number equals a truth of infinity, however long it is. */
function isInfinite(truth: string): boolean {
  return parsePythonFloat(truth) === Number.POSITIVE_INFINITY;
}

function hasMoreLetters(text: string, most: number): boolean {
  let letters = 0;
  for (let index = 0; index < text.length; index++) {
    // Lower-casing keeps ASCII letters as many as they are; anything else is left out of the count.
    const lower = text.charCodeAt(index) | 32;
    if (lower >= 97 && lower <= 122) letters += 1;
    if (letters > most) return true;
  }
  return false;
}

/** A text in double quotes for a one-line message: escaped, cut after 80 characters. */
export function quote(text: string): string {
  return `"${escapeControls(cut(text, 80).replace(/["\\]/g, '\\$&'))}"`;
}
