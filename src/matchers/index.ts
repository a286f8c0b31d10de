import { toMatchGaiaAnswer } from './to-match-gaia-answer.ts';
import { toMatchMcqAnswer } from './to-match-mcq-answer.ts';

/** Every matcher, ready for `expect.extend(matchers)`. */
export const matchers = { toMatchGaiaAnswer, toMatchMcqAnswer };
