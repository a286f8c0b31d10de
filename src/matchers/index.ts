import type { JudgeOptions } from '../judge/judge.ts';
import {
  type CalledToolsOptions,
  type ExpectedCalls,
  toHaveCalledTools,
} from './to-have-called-tools.ts';
import {
  type GaiaMatcherOptions,
  type MathMatcherOptions,
  type McqMatcherOptions,
  type NumberMatcherOptions,
  type Target,
  toMatchGaiaAnswer,
  toMatchMath,
  toMatchMcqAnswer,
  toMatchNumber,
} from './to-match-answer.ts';
import { toPassJudge } from './to-pass-judge.ts';

/**
 * Every matcher, ready for `expect.extend(matchers)`. The setup file `viva/setup` does that.
 *
 * @example
 * expect.extend(matchers);
 * expect('FINAL ANSWER: 1,250').toMatchGaiaAnswer('1250');
 * expect('It weighs 2.01 kg.').toMatchNumber('2 kg', { relative: 0.01 });
 */
export const matchers = {
  toHaveCalledTools,
  toMatchGaiaAnswer,
  toMatchMath,
  toMatchMcqAnswer,
  toMatchNumber,
  toPassJudge,
};

/** The matchers, as `expect` has them. */
interface VivaMatchers<R> {
  /** Passes if a trace has calls of these tools, in this order unless `order` says otherwise. */
  toHaveCalledTools(tools: ExpectedCalls, options?: CalledToolsOptions): R;
  /**
   * Passes if the answer in an agent's output matches the expected answer by GAIA's official
   * rule.
   */
  toMatchGaiaAnswer(target: Target, options?: GaiaMatcherOptions): R;
  /**
   * Passes if the answer in an agent's output has the value of the expected answer, as
   * mathematics. `await` it.
   */
  toMatchMath(target: Target, options?: MathMatcherOptions): Promise<R>;
  /**
   * Passes if the answer in an agent's output is the expected number, exactly or within a
   * tolerance.
   */
  toMatchNumber(target: Target, options?: NumberMatcherOptions): R;
  /**
   * Passes if the options chosen in an agent's output are exactly those of the expected answer,
   * in any order.
   */
  toMatchMcqAnswer(target: string | readonly string[], options?: McqMatcherOptions): R;
  /**
   * Passes if judges (models of EVAL_JUDGE) say that a text meets a criterion. `await` it in the
   * score of a suite.
   */
  toPassJudge(criterion: string, options?: JudgeOptions): Promise<R>;
}

// `Matchers` of Vitest 4 has other type parameters than that of Vitest 5. Both extend Chai's types.
declare global {
  namespace Chai {
    interface Assertion extends VivaMatchers<void> {}
    // biome-ignore lint/suspicious/noExplicitAny: a matcher inside a value stands for any value.
    interface ExpectStatic extends VivaMatchers<any> {}
  }
}
