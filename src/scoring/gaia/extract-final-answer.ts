import { findAnswer } from './extraction/find-answer.ts';

/**
 * Finds the final answer in an agent's output: answer tag, submit call, final answer marker, box, JSON, statement; else
 * the whole text up to 1,000 characters. `how` names the shape, "none" when there is no answer.
 */
export function extractFinalAnswer(output: string): { answer: string | null; how: string } {
  const { answer, how } = findAnswer(output);
  return { answer, how };
}
