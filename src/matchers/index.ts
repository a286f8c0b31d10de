import { toMatchGaiaAnswer } from './to-match-gaia-answer.ts';
import { toMatchGaiaAnswerSemantically } from './to-match-gaia-answer-semantically.ts';
import { toMatchMcqAnswer } from './to-match-mcq-answer.ts';

/** Every matcher, ready for `expect.extend(matchers)`. */
export const matchers = { toMatchGaiaAnswer, toMatchGaiaAnswerSemantically, toMatchMcqAnswer };
