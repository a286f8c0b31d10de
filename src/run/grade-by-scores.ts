import { toProviderError } from '../agents/model-error.ts';
import { askingFor, NoVerdict } from '../judge/judge.ts';
import { omitNullish } from '../records/record.ts';
import { cut, quote, showValue } from '../text/show.ts';
import type { NamedScores, ValueGrade } from '../types.ts';
import { callScore, firstLine, isAssertionEnd, isVerdict } from './call-score.ts';
import type { EvalDefinition, ScoreInput } from './eval-definition.ts';
import type { Graded } from './grade-output.ts';
import { isScorerResult, rationaleOf } from './scorer.ts';

type Scores = NonNullable<EvalDefinition['scores']>;

/** What one score gave for an answer. */
type NamedResult = Readonly<{
  name: string;
  value: boolean | number | null;
  /** Why, in one line; absent where the value says it. */
  why?: string;
  /** Whether judges reached no verdict. */
  isOpen?: boolean;
}>;

/**
 * Grades an answer by all scores of a suite at once. It is right if no score is false, or if `pass`
 * says so. Rejects with what a score throws, unless that is an assertion.
 */
export async function gradeByScores(
  base: Omit<ValueGrade, 'correct' | 'state' | 'reason' | 'explanation'>,
  scores: Scores,
  pass: EvalDefinition['pass'],
  input: ScoreInput,
  limitMs: number,
): Promise<Graded> {
  const ends = await Promise.allSettled(
    Object.entries(scores).map(([name, score]) =>
      askingFor(name, async () => {
        const end = await callScore(name, score, input, limitMs).catch(toNoVerdict);
        return toNamedResult(name, end, pass !== undefined);
      }),
    ),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const all = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
  const values = Object.fromEntries(all.map(({ name, value }) => [name, value]));
  const open = all.find(({ isOpen }) => isOpen);
  const isFalse = all.some(({ value }) => value === false);
  const isUndecided = open !== undefined && (pass !== undefined || !isFalse);
  const correct = !isUndecided && decide(values, pass);
  return {
    ...base,
    correct,
    state: correct ? 'correct' : 'incorrect',
    reason: null,
    explanation: all.map(describe).join('; '),
    scores: values,
    ...(isUndecided && { undecided: 'judge' }),
  };
}

/** A provider that fails says nothing of the answer, as a judge that fails. */
function toNoVerdict(error: unknown): { readonly thrown: NoVerdict } {
  const failed = toProviderError(error);
  if (failed === null) throw error;
  return { thrown: new NoVerdict(`failed: ${failed.message}`) };
}

/** Whether the values of all scores make an answer right. */
function decide(values: NamedScores, pass: EvalDefinition['pass']): boolean {
  if (pass === undefined) {
    const deciding = Object.values(values).filter((value) => typeof value === 'boolean');
    if (deciding.length > 0) return deciding.every((value) => value);
    throw new TypeError(
      `None of the scores is true or false: ${showValue(values)}. Say with "pass" which answers are right.`,
    );
  }
  const passed: unknown = pass(refusingOthers(values));
  if (typeof passed === 'boolean') return passed;
  throw new TypeError(`"pass" must return true or false, got ${showValue(passed)}.`);
}

/** The values, of which a misspelt name throws: it would make every answer wrong. */
function refusingOthers(values: NamedScores): NamedScores {
  return new Proxy(values, {
    get: (all, name) => {
      if (typeof name === 'symbol' || Object.hasOwn(all, name)) return Reflect.get(all, name);
      const known = Object.keys(all).join(', ');
      throw new TypeError(
        `"pass" reads ${quote(name)}, which is no score. The scores are ${known}.`,
      );
    },
  });
}

function toNamedResult(
  name: string,
  { given, thrown }: Awaited<ReturnType<typeof callScore>>,
  isPassing: boolean,
): NamedResult {
  if (thrown instanceof NoVerdict)
    return { name, value: null, why: firstLine(thrown), isOpen: true };
  if (thrown !== undefined) return { name, value: false, why: firstLine(thrown) };
  if (isAssertionEnd(given)) return { name, value: true };
  if (given === null || typeof given === 'boolean') return { name, value: given };
  if (isScorerResult(given)) {
    const why = rationaleOf(given);
    // "null >= 0.6" is false: without a verdict of its scorer no answer is wrong.
    if (given.score === null)
      return { name, value: null, isOpen: isPassing, ...omitNullish({ why }) };
    return { ...omitNullish({ why }), ...toNamedResult(name, { given: given.score }, isPassing) };
  }
  if (typeof given === 'number' && Number.isFinite(given)) {
    const value = Math.min(1, Math.max(0, given));
    return { name, value, ...(value !== given && { why: `for ${given}, outside 0 to 1` }) };
  }
  if (isVerdict(given)) {
    const { state, explanation: why } = given;
    return { name, value: state === 'correct', ...(why !== undefined && { why }) };
  }
  const allowed = 'true, false, a number from 0 to 1 or null';
  throw new TypeError(`${quote(name)} must return ${allowed}, got ${showValue(given)}.`);
}

/** "total is false (expected 12 to be 13)", "closeness is 0.92" */
function describe({ name, value, why }: NamedResult): string {
  const shown = typeof value === 'number' ? Number(value.toFixed(3)) : value;
  return `${name} is ${shown ?? 'not known'}${why === undefined ? '' : ` (${cut(why, 300)})`}`;
}
