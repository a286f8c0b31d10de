import { cut, escapeControls } from '../../text/show.ts';
import type { Grade } from '../../types.ts';
import { canonicalLabels, isAllStatement, isNoneStatement, onlyLabel, spelledOut } from './all-none.ts';
import { type Extraction, extractChoice } from './extract-choice.ts';
import { type ChoiceQuestion, toLabels } from './question.ts';
import { findTruthLabels, resolveTruth } from './truths.ts';

/** `extract: false` takes the output as the bare answer: labels or an option's text, and nothing around them. */
export type GradeMcqOptions = { readonly extract?: boolean | undefined };

/**
 * The verdict on an output: extraction, then equality of the two sets of options; order, case and repeats do not
 * count. `target` may be any form of truth and throws like `resolveTruth` when it is none. An output that says that no
 * option is right answers "NONE": correct for that truth alone, else incorrect. A refusal, a conflict and a missing
 * answer are `no_answer` and match nothing.
 */
export function gradeMcq(
  output: string | null,
  target: unknown,
  question: ChoiceQuestion,
  { extract = true }: GradeMcqOptions = {},
): Grade {
  const truth = resolveTruth(target, question.choices, question.multiple).target;
  const found = read(output, question, extract);
  const answer = toAnswer(found, question);
  const correct = answer !== null && answer === truth;
  const expected = describe(truth, question);
  const received = answer === null ? reasonOf(found, output) : describe(answer, question);
  return {
    correct,
    answer,
    how: found.how,
    rule: 'set match',
    explanation: explain(expected, received, correct, truth, answer, question),
    partial: partialCredit(expanded(truth, question), answer === null ? null : expanded(answer, question)),
    rules: null,
    confidence: found.confidence,
    state: answer === null ? 'no_answer' : correct ? 'correct' : 'incorrect',
    reason: answer === null ? reasonOf(found, output) : null,
  };
}

const MISSING: Extraction = { choices: null, how: 'no output', state: 'no_answer', span: null, confidence: null };

function read(output: string | null, question: ChoiceQuestion, extract: boolean): Extraction {
  if (output === null) return MISSING;
  return extract ? extractChoice(output, question) : verbatimChoice(output, question);
}

function toAnswer({ state, choices }: Extraction, question: ChoiceQuestion): string | null {
  if (state === 'none_stated') return 'NONE';
  if (choices === null) return null;
  return choices.join(',') === 'ALL' ? 'ALL' : canonicalLabels(choices, question).join(',');
}

function reasonOf({ state, how }: Extraction, output: string | null): string {
  if (state === 'refusal' || state === 'conflict') return state;
  if (output === null) return 'missing';
  if (output.trim() === '') return 'empty';
  return how === 'unfinished thinking' ? 'truncated thinking' : 'no choice found';
}

/** "A (Metformin), D (Sitagliptin)". */
function describe(labels: string, { choices }: ChoiceQuestion): string {
  if (labels === 'NONE') return 'NONE (no option)';
  const texts = new Map(Object.entries(choices ?? {}));
  return labels
    .split(',')
    .map((label) => (texts.has(label) ? `${label} (${safeText(texts.get(label) ?? '')})` : safeText(label)))
    .join(', ');
}

function expanded(labels: string, question: ChoiceQuestion): readonly string[] {
  return labels === 'NONE' ? [] : spelledOut(labels.split(','), question);
}

function explain(
  expected: string,
  received: string,
  correct: boolean,
  truth: string,
  answer: string | null,
  question: ChoiceQuestion,
): string {
  if (correct) return `the output chooses ${received}, as expected`;
  if (answer === null) return `expected ${expected}, got no answer (${received})`;
  const [right, chosen] = [expanded(truth, question), expanded(answer, question)];
  const missing = right.filter((label) => !chosen.includes(label));
  const wrong = chosen.filter((label) => !right.includes(label));
  const parts = [
    ...(missing.length === 0 ? [] : [`missing ${missing.join(', ')}`]),
    ...(wrong.length === 0 ? [] : [`wrong ${wrong.map((label) => safeText(label)).join(', ')}`]),
  ];
  return `expected ${expected}, got ${received}: ${parts.join('; ')}`;
}

/** Reads a bare answer, as leaderboard files hold it, by the rules for truths: labels, lists of labels, option texts. */
function verbatimChoice(answer: string, question: ChoiceQuestion): Extraction {
  const rest = { how: 'as given', span: null, confidence: null } as const;
  const found = findTruthLabels(answer, question);
  if (found === null) return { ...rest, choices: null, state: 'no_answer' };
  if (found.length === 0) {
    const none = onlyLabel(question.choices, isNoneStatement);
    return { ...rest, choices: none === null ? null : [none], state: none === null ? 'none_stated' : 'answered' };
  }
  return { ...rest, choices: found === 'all' ? allChoices(question) : found, state: 'answered' };
}

function allChoices({ choices }: ChoiceQuestion): readonly string[] {
  const { open, ordered } = toLabels(choices);
  const all = onlyLabel(choices, isAllStatement);
  return all === null ? (open ? ['ALL'] : ordered) : [all];
}

/**
 * Overlap of two sets of options, shown beside the verdict: Jaccard index and F1 of options, both 0 to 1. `chosen` is
 * null where nothing was chosen; two empty sets (NONE expected and stated) overlap fully.
 */
function partialCredit(
  right: readonly string[],
  chosen: readonly string[] | null,
): { readonly jaccard: number; readonly option_f1: number } {
  if (chosen === null) return { jaccard: 0, option_f1: 0 };
  const common = chosen.filter((label) => right.includes(label)).length;
  const both = right.length + chosen.length;
  if (both === 0) return { jaccard: 1, option_f1: 1 };
  return { jaccard: common / (both - common), option_f1: (2 * common) / both };
}

/** Text from outside on one line: escaped, cut after `limit` characters. */
function safeText(text: string, limit = 60): string {
  return escapeControls(cut(text, limit));
}
