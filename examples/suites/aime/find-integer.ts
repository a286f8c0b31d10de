import { extractFinalAnswer, withoutThoughts } from 'viva';

/** A whole number; 3.5 and 3/4 are none. */
const INTEGER = /(?<![\d.,/])-?\d+(?![\d/]|[.,]\d)/g;

/** "73 (since 70+3)" and "73, not 72" say 73 before the remark. */
const REMARK = / \(.*|, .*/s;

/**
 * The answer of an output: what is in a box, or the one whole number of the answer that viva finds,
 * before a remark. Without it, the last whole number of the output.
 */
export function findInteger(output: string): {
  readonly answer: string | null;
  readonly how: string;
} {
  const found = extractFinalAnswer(output);
  if (found.how === 'boxed') return found;
  const said = found.how === 'whole text' ? null : found.answer;
  const [only, ...others] = said?.replace(REMARK, '').match(INTEGER) ?? [];
  if (only !== undefined && others.length === 0) return { answer: only, how: found.how };
  const last = withoutThoughts(output).match(INTEGER)?.at(-1);
  return last === undefined ? found : { answer: last, how: 'last integer' };
}
