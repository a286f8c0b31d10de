import { extractFinalAnswer } from '../scoring/gaia/extract-final-answer.ts';
import {
  type MatcherResult,
  type MatcherState,
  requireText,
  showAnswer,
  showText,
  toMatcherResult,
} from './matcher.ts';

export type SemanticMatcherOptions = {
  /** The model of embeddings at OPENAI_BASE_URL, or at OpenAI's own server. */
  readonly model: string;
  /** How near the two must be, -1 to 1; 0.8 unless given. What it means depends on the model. */
  readonly least?: number;
  /** False when the received text is the bare answer, from which nothing is to be extracted. */
  readonly extract?: boolean;
};

/**
 * Passes when the answer found in an agent's output means about what the expected answer means, by a model of embeddings.
 * It asks a server, which may cost money: `await` it. Throws an AgentError when the server cannot be asked.
 *
 * @example
 * await expect('FINAL ANSWER: the Big Apple').toMatchGaiaAnswerSemantically('New York', { model: 'MODEL' });
 */
export async function toMatchGaiaAnswerSemantically(
  this: MatcherState,
  received: unknown,
  target: unknown,
  { model, least = 0.8, extract = true }: SemanticMatcherOptions,
): Promise<MatcherResult> {
  requireText('toMatchGaiaAnswerSemantically', "the agent's output", received);
  requireText('toMatchGaiaAnswerSemantically', 'the expected answer', target);
  requireText('toMatchGaiaAnswerSemantically', 'the model of embeddings', model);
  const { answer, how } = extract ? extractFinalAnswer(received) : { answer: received, how: 'as given' };
  const { embed, findNearness } = await import('../agents/openai-client.ts');
  const nearness = answer === null ? 0 : findNearness(await embed([answer, target], model), answer, target);
  const pass = answer !== null && nearness >= least;
  return toMatcherResult(this, 'toMatchGaiaAnswerSemantically', pass, () => ({
    received: answer,
    expected: target,
    lines: [
      `Answer:   ${showAnswer(answer, how)}`,
      `Rule:     semantic, nearness ${nearness.toFixed(3)} by ${showText(model)}, ${least} is needed`,
      `Output:   ${showText(received)}`,
    ],
  }));
}
