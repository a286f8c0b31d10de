import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { EXTENSION } from '../package.ts';
import { runConfined } from '../processes/confined-node.ts';
import { compareMath, MAX_LENGTH } from '../scoring/math/compare-math.ts';
import type { Verdict } from '../scoring/math/grade-number.ts';
import { quote } from '../words/show.ts';

const PACKAGE = '@cortex-js/compute-engine';

const UNKNOWN = { isEqual: () => null, isMultiple: () => null };

/**
 * Compares the readings of an answer with a target, in this process where that needs no formula.
 * One that is equal is enough.
 */
export async function compareAnswer(
  readings: readonly string[],
  target: string,
): Promise<Verdict & Readonly<{ equal: string | null }>> {
  const verdicts = readings.map((answer) => compareMath(answer, target, UNKNOWN));
  const open = readings.filter((_, i) => verdicts[i] === null);
  const isKnown = verdicts.includes(true) || open.length === 0;
  const computed = isKnown ? [] : await compareFormulas(open.map((answer) => [answer, target]));
  const equal = readings[verdicts.indexOf(true)] ?? open[computed.indexOf(true)] ?? null;
  const failure = computed.find((verdict) => typeof verdict === 'string');
  const answer = equal ?? readings.at(-1) ?? '';
  if (equal === null && failure !== undefined)
    return { correct: false, explanation: failure, equal };
  if (equal === null && Math.max(answer.length, target.length) > MAX_LENGTH) {
    const explanation = `not equal: texts of more than ${MAX_LENGTH} characters are not computed`;
    return { correct: false, explanation, equal };
  }
  const explanation = `compared as mathematics: ${quote(answer)} is ${equal === null ? 'not ' : ''}equal to ${quote(target)}`;
  return { correct: equal !== null, explanation, equal };
}

/** No more than the machine can run at once, or they would delay each other. */
const limit = pLimit(Math.max(2, availableParallelism()));

/**
 * Compares pairs of answer and target in a separate process that can be killed: formulas may be
 * such as 10^10^10. A text instead of verdicts says why there are none.
 */
export async function compareFormulas(
  pairs: readonly (readonly [answer: string, target: string])[],
  deadlineMs = 20_000,
): Promise<readonly (boolean | string)[]> {
  const confined = {
    program: fileURLToPath(new URL(`./math-child${EXTENSION}`, import.meta.url)),
    readable: fileURLToPath(new URL('../', import.meta.url)),
    packages: [PACKAGE],
    stdin: JSON.stringify(pairs),
    deadlineMs,
    memoryMb: 1_000,
  };
  const ended = await limit(() => runConfined(confined, new AbortController().signal));
  if (ended === 'late')
    return [`not equal: the comparison took longer than ${deadlineMs / 1000} s`];
  return ended.stdout === ''
    ? ['not equal: the comparison ended without a verdict']
    : JSON.parse(ended.stdout);
}
