import { toMatchGaiaAnswer, toMatchMath, toMatchMcqAnswer, toMatchNumber } from './matcher.ts';
import { toHaveCalledTools } from './to-have-called-tools.ts';
import { toPassJudge } from './to-pass-judge.ts';

/** Every matcher, ready for `expect.extend(matchers)`. */
export const matchers = {
  toHaveCalledTools,
  toMatchGaiaAnswer,
  toMatchMath,
  toMatchMcqAnswer,
  toMatchNumber,
  toPassJudge,
};
