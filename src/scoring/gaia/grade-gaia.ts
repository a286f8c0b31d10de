import type { Grade } from '../../words/row.ts';
import { gradeAny } from '../any-of.ts';
import { type FoundAnswer, findAnswer, noAnswer } from './extract-final-answer.ts';
import type { GaiaRule, Judgement } from './official.ts';
import { toOneForm } from './one-form.ts';
import { findRule, gaiaRules } from './rules.ts';

/**
 * A whole text counts as a short answer when it is one line of at most this many characters. GAIA's
 * longest answer has 124.
 */
const MAX_SHORT_LINE = 200;

/**
 * `rule` names the rule whose verdict counts. `extract: false` takes the output as the bare answer.
 * `accept` lists the answers that the rule "any-of" accepts besides the target.
 */
export type GradeGaiaOptions = Readonly<{
  rule?: string;
  extract?: boolean;
  accept?: readonly string[];
}>;

/**
 * Extracts the answer from an output, scores it by the rule, and returns the score with its state.
 * A null output means that the agent gave none. An empty or missing answer is `no_answer`, whatever
 * the target. Of a list of targets any one is accepted. Throws a RangeError for an unknown rule.
 *
 * @example
 * gradeGaia('I counted.\nFINAL ANSWER: 1,250', '1250').state; // 'correct'
 */
export function gradeGaia(
  output: string | null,
  target: string | number | readonly (string | number)[],
  options: GradeGaiaOptions = {},
): Grade {
  if (typeof target === 'object')
    return gradeAny(target.map(String), (each) => gradeGaia(output, each, options));
  const { rule = 'official', extract = true, accept = [] } = options;
  // What is found in an output is in one Unicode form, so the target is too.
  const wanted = extract ? toOneForm(String(target)) : String(target);
  const found = findAnswerIn(output, extract);
  const chosen = findRule(rule, accept);
  if (found.answer === null) return unanswered(rule, found.reason, null);
  const judgement = judge(chosen, found, wanted);
  const { correct, explain } = judgement;
  const rules: Record<string, boolean> = {};
  const scores: Record<string, number> = {};
  for (const each of gaiaRules.includes(chosen) ? gaiaRules : [...gaiaRules, chosen]) {
    const judged = each === chosen ? judgement : judge(each, found, wanted);
    if (gaiaRules.includes(each)) rules[each.name] = judged.correct;
    if (judged.credit !== undefined) scores[each.name] = judged.credit;
  }
  if (!correct && isProse(found.answer, found.how))
    return unanswered(rule, 'no final answer', rules);
  const state = correct ? 'correct' : 'incorrect';
  return {
    correct,
    ...found,
    rule,
    explanation: explain(),
    state,
    reason: null,
    rules,
    confidence: null,
    ...(Object.keys(scores).length > 0 && { scores }),
  };
}

/** A whole text does not match if it would match only because non-numbers count as infinity. */
function judge(rule: GaiaRule, found: FoundAnswer, target: string): Judgement {
  const judgement = rule.judge(found.answer, target);
  return judgement.vacuous && found.how === 'whole text'
    ? { ...judgement, correct: false }
    : judgement;
}

/** The answer in an output, or the output as the bare answer. */
export function findAnswerIn(output: string | null, extract: boolean): FoundAnswer {
  if (output === null) return noAnswer('missing', true);
  if (extract) return findAnswer(output);
  return output.trim() === ''
    ? noAnswer('empty', true)
    : { answer: output, how: 'as given', certain: true };
}

/** Whether an answer is a text without a marker that is too long for a short answer. */
export function isProse(answer: string, how: string): boolean {
  return how === 'whole text' && (answer.includes('\n') || answer.length > MAX_SHORT_LINE);
}

const EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['missing', 'the agent gave no output'],
  ['empty', 'the answer is empty'],
  ['placeholder', 'the answer is the unfilled template of the prompt'],
  ['example', 'the only answer in the output is an example'],
  ['no final answer', 'no final answer was found in the output'],
  ['truncated thinking', 'the output ends inside a thinking block, before any final answer'],
]);

/** The grade of an output in which no answer was found. */
export function unanswered(rule: string, reason: string, rules: Grade['rules']): Grade {
  const explanation = EXPLANATIONS.get(reason) ?? reason;
  const nothing = {
    correct: false,
    answer: null,
    how: 'none',
    confidence: null,
    // A text without a form of an answer may still hold one.
    certain: reason !== 'no final answer',
    state: 'no_answer',
  } as const;
  return { ...nothing, rule, explanation, reason, rules };
}
