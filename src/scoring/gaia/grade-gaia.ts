import type { Grade } from '../../types.ts';
import { type FoundAnswer, findAnswer } from './extract-final-answer.ts';
import type { Judgement } from './official.ts';
import { gaiaRules, judgeGaia } from './rules.ts';

/** A whole text of one line up to this many characters was meant as an answer; GAIA's longest has 124. */
const MAX_SHORT_LINE = 200;

/**
 * `rule` names the verdict that counts; `extract: false` takes the output as the bare answer; `accept` is what the rule
 * "any-of" takes beside the truth.
 */
export type GradeGaiaOptions = {
  readonly rule?: string;
  readonly extract?: boolean;
  readonly accept?: readonly string[];
};

/**
 * The verdict on an output: extraction, then the rule. An empty or missing answer is `no_answer`, whatever the truth.
 * Throws a RangeError for an unknown rule.
 */
export function gradeGaia(output: string | null, truth: string, options: GradeGaiaOptions = {}): Grade {
  const { rule = 'official', extract = true, accept = [] } = options;
  const found = output === null ? missing('missing') : extract ? findAnswer(output) : asGiven(output);
  const judgement = judge(found, truth, rule, accept);
  if (found.answer === null) return unanswered(rule, found.reason, null);
  const { correct, explanation } = judgement;
  const all = gaiaRules.map(({ name }) => [name, name === rule ? judgement : judge(found, truth, name, [])] as const);
  const rules = Object.fromEntries(all.map(([name, judged]) => [name, judged.correct]));
  if (!correct && isProse(found)) return unanswered(rule, 'no final answer', rules);
  const state = correct ? 'correct' : 'incorrect';
  const partial = [...all, [rule, judgement] as const].flatMap(([name, judged]) =>
    judged.partial === undefined ? [] : [[name, judged.partial] as const],
  );
  const credit = partial.length === 0 ? {} : { partial: Object.fromEntries(partial) };
  return { correct, ...found, rule, explanation, state, reason: null, rules, confidence: null, ...credit };
}

// Nothing was announced as the answer, so a text that matches only as "not a number" is no match at all.
function judge(found: FoundAnswer, truth: string, rule: string, accept: readonly string[]): Judgement {
  const judgement = judgeGaia(found.answer, truth, rule, accept);
  return judgement.vacuous && found.how === 'whole text' ? { ...judgement, correct: false } : judgement;
}

function isProse({ how, answer }: FoundAnswer): boolean {
  return how === 'whole text' && answer !== null && (answer.includes('\n') || answer.length > MAX_SHORT_LINE);
}

function asGiven(output: string): FoundAnswer {
  return output.trim() === '' ? missing('empty') : { answer: output, how: 'as given' };
}

function missing(reason: string): FoundAnswer {
  return { answer: null, how: 'none', reason };
}

const EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['missing', 'the agent gave no output'],
  ['empty', 'the answer is empty'],
  ['placeholder', 'the answer is the unfilled template of the prompt'],
  ['no final answer', 'no final answer was found in the output'],
  ['truncated thinking', 'the output ends inside a thinking block, before any final answer'],
]);

function unanswered(rule: string, reason: string, rules: Grade['rules']): Grade {
  const explanation = EXPLANATIONS.get(reason) ?? reason;
  const nothing = { correct: false, answer: null, how: 'none', confidence: null, state: 'no_answer' } as const;
  return { ...nothing, rule, explanation, reason, rules };
}
