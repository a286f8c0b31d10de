import { quote } from '../../text/show.ts';
import { plural } from '../../text/wording.ts';
import { deletePunctuation, parsePythonFloat, replaceBlanks } from './python.ts';

/** A way of comparing an answer with a truth. A missing answer is null. */
export type GaiaRule = {
  readonly name: string;
  judge(answer: string | null, truth: string): Judgement;
};

/** What a rule says about one answer. */
export type Judgement = {
  readonly correct: boolean;
  /** One sentence: compared as what, and why it does or does not match. It is worded when it is needed: most never are. */
  explain(): string;
  /** True when the answer matched only because the rule reads any unreadable number as infinity. */
  readonly vacuous?: true;
  /** Partial credit, 0 to 1: shown under the rule's name, and part of no accuracy. */
  readonly partial?: number;
};

/** What came of comparing in one way, and what to say about it. */
type Comparison = Omit<Judgement, 'explain'> & { detail(): string };

/**
 * The rule of GAIA's public leaderboard (scorer.py of the gaia-benchmark/leaderboard space). The truth alone decides
 * whether answers are compared as number, as list or as text.
 */
export const official: GaiaRule = {
  name: 'official',
  judge(answer, truth) {
    const kind = findKind(truth);
    const compare = { number: compareNumber, list: compareList, text: compareText }[kind];
    // The leaderboard turns a missing answer into the text "None" before it compares.
    const { detail, ...comparison } = compare(answer ?? 'None', truth);
    return { ...comparison, explain: () => `compared as ${kind}: ${detail()}` };
  },
};

/** How the rule compares answers with a truth. */
export function findKind(truth: string): 'number' | 'list' | 'text' {
  if (parsePythonFloat(truth) !== null) return 'number';
  return /[,;]/.test(truth) ? 'list' : 'text';
}

// Exact equality without tolerance. An answer that is not a number counts as +infinity, whatever it says.
function compareNumber(answer: string, truth: string): Comparison {
  const expected = parsePythonFloat(truth);
  const received = parsePythonFloat(answer.replace(/[$%,]/g, ''));
  const correct = (received ?? Number.POSITIVE_INFINITY) === expected;
  if (received !== null) return { correct, detail: () => `${received} ${verb(correct)} ${expected}` };
  const unreadable = () => `${quote(answer)} cannot be read as a number`;
  if (!correct) return { correct, detail: unreadable };
  return { correct, vacuous: true, detail: () => `${unreadable()}, which this rule counts as infinity` };
}

function compareText(answer: string, truth: string): Comparison {
  return compareForms(deletePunctuation(squash(answer)), deletePunctuation(squash(truth)));
}

function compareForms(received: string, expected: string): Comparison {
  const correct = received === expected;
  return { correct, detail: () => `${quote(received)} ${verb(correct)} ${quote(expected)}` };
}

function compareList(answer: string, truth: string): Comparison {
  const [truths, answers] = [truth.split(/[,;]/), answer.split(/[,;]/)];
  if (answers.length !== truths.length) {
    return { correct: false, detail: () => `${plural(answers.length, 'element')}, expected ${truths.length}` };
  }
  const pairs = truths.map((element, index) => compareElement(answers[index] ?? '', element));
  const wrong = pairs.findIndex((pair) => !pair.correct);
  if (wrong !== -1) return { correct: false, detail: () => `element ${wrong + 1}: ${pairs[wrong]?.detail()}` };
  const vacuous = pairs.some((pair) => pair.vacuous) ? { vacuous: true as const } : {};
  return { correct: true, ...vacuous, detail: () => `all ${truths.length} elements match` };
}

// Unlike in a text, punctuation counts inside the elements of a list.
function compareElement(answer: string, truth: string): Comparison {
  return parsePythonFloat(truth) === null ? compareForms(squash(answer), squash(truth)) : compareNumber(answer, truth);
}

// Blanks go before the letters are lowered, because a sigma becomes final by what follows it.
function squash(text: string): string {
  return replaceBlanks(text, '').toLowerCase();
}

function verb(correct: boolean): 'is' | 'is not' {
  return correct ? 'is' : 'is not';
}
