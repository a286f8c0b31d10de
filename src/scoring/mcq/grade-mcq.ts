import type { Grade } from '../../words/row.ts';
import { escapeLine } from '../../words/show.ts';
import { gradeAny } from '../any-of.ts';
import { type Extraction, extractChoice, TRUNCATED } from './extract-choice.ts';
import {
  allLabels,
  type ChoiceQuestion,
  canonicalLabels,
  isNoneStatement,
  onlyLabel,
  spelledOut,
} from './question.ts';
import { findTargetLabels, parseTarget } from './targets.ts';

/**
 * `extract: false` takes the output as the bare answer: labels or an option's text, with nothing
 * around them.
 */
export type GradeMcqOptions = { readonly extract?: boolean | undefined };

/**
 * Extracts the chosen options from an output and compares them with the expected ones as sets:
 * order, case and repeats do not count. `expected` may have any form that `parseTarget` reads; any
 * other throws the error of `parseTarget`. An output that says that no option is right has the
 * answer "NONE", which is correct only for the target "NONE". A refusal, a conflict and a missing
 * answer are `no_answer` and match nothing. If the question says `accepts: 'any'`, each of several
 * expected options is right alone.
 *
 * @example
 * gradeMcq('A is tempting. The answer is B.', 'B', { choices: { A: 'iron', B: 'zinc' } }).state; // 'correct'
 */
export function gradeMcq(
  output: string | null,
  expected: unknown,
  question: ChoiceQuestion & { readonly accepts?: 'any' | undefined },
  options: GradeMcqOptions = {},
): Grade {
  if (question.accepts === undefined) return gradeOne(output, expected, question, options);
  const { target } = parseTarget(expected, question.choices);
  return gradeAny(target.split(','), (each) => gradeOne(output, each, question, options));
}

function gradeOne(
  output: string | null,
  expected: unknown,
  { choices, multiple: told }: ChoiceQuestion,
  { extract = true }: GradeMcqOptions,
): Grade {
  const { target, multiple } = parseTarget(expected, choices, told);
  const question = { choices, multiple };
  const found = readChoice(output, question, extract);
  const answer = joinLabels(found, question);
  const correct = answer !== null && answer === target;
  const reason = answer === null ? reasonOf(found, output) : null;
  const chosen = answer === null ? null : expanded(answer, question);
  return {
    correct,
    answer,
    how: found.how,
    rule: 'set match',
    explanation: explain(target, answer, reason, question),
    scores: multiple === true ? compareSets(expanded(target, question), chosen) : NO_SETS,
    rules: null,
    confidence: found.confidence,
    certain: found.certain,
    state: answer === null ? 'no_answer' : correct ? 'correct' : 'incorrect',
    reason,
  };
}

const MISSING: Extraction = {
  choices: null,
  how: 'no output',
  state: 'no_answer',
  confidence: null,
  certain: true,
};

function readChoice(output: string | null, question: ChoiceQuestion, extract: boolean): Extraction {
  if (output === null) return MISSING;
  return extract ? extractChoice(output, question) : verbatimChoice(output, question);
}

function joinLabels({ state, choices }: Extraction, question: ChoiceQuestion): string | null {
  if (state === 'none_stated') return 'NONE';
  if (choices === null) return null;
  return choices.join(',') === 'ALL' ? 'ALL' : canonicalLabels(choices, question).join(',');
}

function reasonOf({ state, how }: Extraction, output: string | null): string {
  if (state === 'refusal' || state === 'conflict') return state;
  if (output === null) return 'missing';
  if (output.trim() === '') return 'empty';
  return how === TRUNCATED ? how : 'no choice found';
}

function expanded(labels: string, question: ChoiceQuestion): readonly string[] {
  return labels === 'NONE' ? [] : spelledOut(labels.split(','), question);
}

function explain(
  target: string,
  answer: string | null,
  reason: string | null,
  question: ChoiceQuestion,
): string {
  const expected = nameOptions(target, question);
  if (answer === null) return `expected ${expected}, got no answer (${reason})`;
  const received = nameOptions(answer, question);
  if (answer === target) return `the output chooses ${received}, as expected`;
  const right = expanded(target, question);
  const chosen = expanded(answer, question);
  const missing = right.filter((label) => !chosen.includes(label));
  const wrong = chosen.filter((label) => !right.includes(label));
  const parts = Object.entries({ missing, wrong }).filter(([, labels]) => labels.length > 0);
  const differences = parts.map(([what, labels]) => `${what} ${labels.map(showShort).join(', ')}`);
  return `expected ${expected}, got ${received}: ${differences.join('; ')}`;
}

/** "A (Metformin), D (Sitagliptin)". */
function nameOptions(labels: string, { choices }: ChoiceQuestion): string {
  if (labels === 'NONE') return 'NONE (no option)';
  const texts = new Map(Object.entries(choices ?? {}));
  const nameOption = (label: string) => {
    const text = texts.get(label);
    return text === undefined ? showShort(label) : `${label} (${showShort(text)})`;
  };
  return labels.split(',').map(nameOption).join(', ');
}

function showShort(text: string): string {
  return escapeLine(text, 60);
}

/**
 * Reads a bare answer, as in leaderboard files, by the rules for targets: labels, lists of labels,
 * option texts.
 */
function verbatimChoice(answer: string, question: ChoiceQuestion): Extraction {
  const rest = { how: 'as given', confidence: null, certain: true } as const;
  const found = findTargetLabels(answer, question);
  if (found === null) return { ...rest, choices: null, state: 'no_answer', certain: false };
  if (found.length === 0) {
    const none = onlyLabel(question.choices, isNoneStatement);
    return {
      ...rest,
      choices: none === null ? null : [none],
      state: none === null ? 'none_stated' : 'answered',
    };
  }
  return { ...rest, choices: found === 'all' ? allLabels(question) : found, state: 'answered' };
}

/** With one right option, the overlap says no more than the verdict. */
const NO_SETS = { jaccard: null, option_f1: null };

/**
 * The overlap of two sets of options: Jaccard index and F1, both 0 to 1. `chosen` is null when
 * nothing was chosen. Two empty sets (NONE expected and stated) overlap fully.
 */
function compareSets(
  right: readonly string[],
  chosen: readonly string[] | null,
): Readonly<{ jaccard: number; option_f1: number }> {
  if (chosen === null) return { jaccard: 0, option_f1: 0 };
  const common = chosen.filter((label) => right.includes(label)).length;
  const both = right.length + chosen.length;
  if (both === 0) return { jaccard: 1, option_f1: 1 };
  return { jaccard: common / (both - common), option_f1: (2 * common) / both };
}
