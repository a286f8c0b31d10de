import { quote } from '../../text/show.ts';
import type { Grade } from '../../types.ts';
import type { FoundAnswer } from '../gaia/extract-final-answer.ts';
import { findAnswerIn, isProse, unanswered } from '../gaia/grade-gaia.ts';
import {
  isSameUnit,
  isWithin,
  type Quantity,
  type Rational,
  readNumber,
  readQuantity,
  times,
} from './quantity.ts';

export type GradeNumberOptions = Readonly<{
  /**
   * The largest difference that passes, as a share of the expected answer: 0.01 is 1 %. Default 0.
   */
  relative?: number;
  /** The largest difference that passes. The larger of both tolerances counts. Default 0. */
  absolute?: number;
  /** The unit, in one or several spellings, if the expected answer does not name it. */
  unit?: string | readonly string[];
  /** False if the output is the bare answer, so nothing is extracted from it. */
  extract?: boolean;
}>;

/**
 * Extracts the answer from an output as `gradeGaia` does, and compares it as a number. The
 * comparison is exact without a tolerance. An answer may lack the unit. Throws a RangeError if the
 * target is not a number, or a tolerance is negative.
 */
export function gradeNumber(
  output: string | null,
  target: string | number,
  options: GradeNumberOptions = {},
): Grade {
  const tolerance = readTolerance(options);
  const wanted = String(target);
  const expected = readQuantity(wanted);
  if (expected === null) {
    throw new RangeError(
      `The expected answer must be one number, such as 17, 3/4 or "5 km"; got ${quote(wanted)}.`,
    );
  }
  const found = findAnswerIn(output, options.extract ?? true);
  return toGrade(
    'number',
    found,
    compareNumbers(found.answer ?? '', wanted, expected, options, tolerance),
  );
}

export type Verdict = Readonly<{ correct: boolean; explanation: string }>;

/** The grade of a found answer. A long text without a marker is no answer, unless it is correct. */
export function toGrade(
  rule: string,
  found: FoundAnswer,
  { correct, explanation }: Verdict,
): Grade {
  if (found.answer === null) return unanswered(rule, found.reason, null);
  if (!correct && isProse(found.answer, found.how))
    return unanswered(rule, 'no final answer', null);
  const state = correct ? 'correct' : 'incorrect';
  return {
    ...found,
    rule,
    rules: null,
    confidence: null,
    reason: null,
    correct,
    state,
    explanation,
  };
}

function compareNumbers(
  answer: string,
  target: string,
  expected: Quantity,
  { unit: given = [] }: GradeNumberOptions,
  { relative, absolute }: Tolerance,
): Verdict {
  const received = readQuantity(answer);
  if (received === null)
    return { correct: false, explanation: `${quote(answer)} cannot be read as one number` };
  const units = [expected.unit, ...[given].flat()].filter((name) => name !== '');
  if (
    received.unit !== '' &&
    units.length > 0 &&
    !units.some((name) => isSameUnit(name, received.unit))
  ) {
    const explanation = `the unit ${quote(received.unit)} is not ${units.map((name) => quote(name)).join(' or ')}`;
    return { correct: false, explanation };
  }
  const correct = valuesOf(received, units).some((value) =>
    valuesOf(expected, [received.unit]).some((wanted) => {
      const share = times(relative, wanted.top < 0n ? { ...wanted, top: -wanted.top } : wanted);
      return isWithin(value, wanted, share) || isWithin(value, wanted, absolute);
    }),
  );
  const isExact = relative.top === 0n && absolute.top === 0n;
  const verb = `is ${correct ? '' : 'not '}${isExact ? 'equal to' : 'near enough to'}`;
  return { correct, explanation: `compared as number: ${quote(answer)} ${verb} ${quote(target)}` };
}

/**
 * 12 % is 0.12, and also 12 where the other side has no sign: whoever asks for a percentage may
 * leave it out.
 */
function valuesOf({ value, unit }: Quantity, others: readonly string[]): readonly Rational[] {
  const isPercent = isSameUnit(unit, '%') && !others.some((other) => isSameUnit(other, '%'));
  return isPercent ? [value, times(value, PERCENT)] : [value];
}

const PERCENT: Rational = { top: 1n, bottom: 100n };

type Tolerance = Readonly<{ relative: Rational; absolute: Rational }>;

function readTolerance({ relative = 0, absolute = 0 }: GradeNumberOptions): Tolerance {
  const read = (name: string, amount: number) => {
    const value = amount >= 0 ? readNumber(String(amount)) : null;
    if (value === null)
      throw new RangeError(`"${name}" must be a number from 0 up, got ${quote(String(amount))}.`);
    return value;
  };
  return { relative: read('relative', relative), absolute: read('absolute', absolute) };
}
