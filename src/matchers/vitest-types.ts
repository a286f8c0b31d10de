import type { GaiaMatcherOptions } from './to-match-gaia-answer.ts';
import type { SemanticMatcherOptions } from './to-match-gaia-answer-semantically.ts';
import type { McqMatcherOptions } from './to-match-mcq-answer.ts';

declare module 'vitest' {
  interface Matchers<R, T> {
    /** Passes when the answer found in an agent's output matches a GAIA truth by the official rule. */
    toMatchGaiaAnswer(truth: string, options?: GaiaMatcherOptions): R;
    /** Passes when the answer means about what the truth means, by a model of embeddings; `await` it. */
    toMatchGaiaAnswerSemantically(truth: string, options: SemanticMatcherOptions): Promise<R>;
    /** Passes when the options chosen in an agent's output are exactly the target's, in any order. */
    toMatchMcqAnswer(target: string, options?: McqMatcherOptions): R;
  }
}
