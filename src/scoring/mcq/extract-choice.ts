import type { AnswerClaim } from '../claim.ts';
import { decide, isCertain } from './decide.ts';
import { explainChoice } from './explain-choice.ts';
import { prepare } from './prepare.ts';
import { allLabels, type ChoiceQuestion, canonicalLabels, type Question } from './question.ts';
import { jsonConfidence } from './structured.ts';
import type { Value } from './tokens.ts';

export type ExtractionState = 'answered' | 'no_answer' | 'refusal' | 'none_stated' | 'conflict';

/** The options that an output chooses. */
export type Extraction = Readonly<{
  /**
   * Labels in the order of the question; null unless `state` is "answered". Without known choices
   * it may be ["ALL"].
   */
  choices: readonly string[] | null;
  /** How the answer was found: the name of the form that decided. */
  how: string;
  state: ExtractionState;
  /** The confidence that a JSON answer states. */
  confidence: string | number | null;
  /**
   * False if the output states two answers, repeats the example of its instructions, invents
   * another question, or if only a loose form spoke, or none.
   */
  certain: boolean;
}>;

/** The value of `how` for an output that ends inside a thinking block. */
export const TRUNCATED = 'truncated thinking';

/**
 * Reads which options an output chooses. It follows rules and never guesses. When an output names
 * no option, contradicts itself, or says that no option is right, `choices` is null and `state`
 * says which. With `explain`, `claims` lists all that any form read in the output, in the order of
 * the text. Never throws. The work is bounded for outputs of any length.
 *
 * @example
 * extractChoice('A is tempting. The answer is B.', { choices: { A: 'iron', B: 'zinc' } });
 * // { choices: ['B'], how: 'statement', state: 'answered', confidence: null, certain: true }
 */
export function extractChoice(
  output: string,
  asked: ChoiceQuestion,
  options: Readonly<{ explain: true }>,
): Extraction & Readonly<{ claims: readonly AnswerClaim[] }>;
export function extractChoice(
  output: string,
  asked: ChoiceQuestion,
  options?: Readonly<{ explain?: false }>,
): Extraction;
export function extractChoice(
  output: string,
  asked: ChoiceQuestion,
  { explain = false }: Readonly<{ explain?: boolean }> = {},
): Extraction & Readonly<{ claims?: readonly AnswerClaim[] }> {
  const prepared = prepare(output, asked);
  const { reading, truncated } = prepared;
  const { text, question } = reading;
  const confidence = jsonConfidence(text);
  if (text.trim() === '') {
    const how = truncated ? TRUNCATED : 'empty output';
    const nothing = { choices: null, how, state: 'no_answer', confidence, certain: true } as const;
    return explain ? { ...nothing, claims: [] } : nothing;
  }
  const decision = decide(prepared);
  const outcome = decision === null ? NOTHING : toOutcome(decision.claim.value, question, asked);
  const how = decision?.how ?? 'no answer found';
  const certain = outcome.state !== 'conflict' && isCertain(prepared, decision);
  const found = { ...outcome, how, confidence, certain };
  if (!explain) return found;
  const claims = explainChoice(output, prepared, decision, ({ value }) =>
    toSaying(toOutcome(value, question, asked)),
  );
  return { ...found, claims };
}

type Outcome = Pick<Extraction, 'choices' | 'state'>;

const NOTHING: Outcome = { choices: null, state: 'no_answer' };

function toOutcome(
  value: Value,
  { none, unsure, declined }: Question,
  asked: ChoiceQuestion,
): Outcome {
  switch (value.kind) {
    case 'labels':
      return toChoices(canonicalLabels(value.labels, asked), asked);
    case 'all':
      return { choices: allLabels(asked), state: 'answered' };
    case 'none':
      return choiceOf(none, 'none_stated');
    case 'unsure':
      return choiceOf(unsure ?? declined, 'refusal');
    case 'declined':
      return choiceOf(declined, 'refusal');
    case 'conflict':
    case 'unoffered':
      return { choices: null, state: 'conflict' };
  }
}

/** Two options are no answer where only one may be right. */
function toChoices(choices: readonly string[], asked: ChoiceQuestion): Outcome {
  const { multiple } = asked;
  const isTooMany =
    choices.length > 1 &&
    // "Yes and no" of two options is none of them.
    (multiple === false || (multiple === undefined && allLabels(asked).length === 2));
  return isTooMany ? { choices: null, state: 'conflict' } : { choices, state: 'answered' };
}

/** When an option says "cannot be determined", the agent has chosen that option. */
function choiceOf(label: string | null, otherwise: Extraction['state']): Outcome {
  return label === null
    ? { choices: null, state: otherwise }
    : { choices: [label], state: 'answered' };
}

/** What a claim says: labels, "NONE", or null for no answer. */
function toSaying({ choices, state }: Outcome): string | null {
  return choices?.join() ?? (state === 'none_stated' ? 'NONE' : null);
}
