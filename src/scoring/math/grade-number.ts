import type { Grade } from '../../words/row.ts';
import { quote } from '../../words/show.ts';
import { gradeAny } from '../any-of.ts';
import { type FoundAnswer, noAnswer, statingText } from '../gaia/extract-final-answer.ts';
import { findAnswerIn, isProse, unanswered } from '../gaia/grade-gaia.ts';
import { beforeQuestion } from '../gaia/own-answer.ts';
import {
  isSameUnit,
  isWithin,
  type Quantity,
  type Rational,
  readNumber,
  readQuantity,
  times,
} from './quantity.ts';
import {
  concludingNumber,
  isSentence,
  lastNumber,
  type StatedNumber,
  statedNumber,
} from './stated-number.ts';

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
  /**
   * "last" takes the last number anywhere in the output if no form of an answer and no concluding
   * sentence has one. Off by default: that number may be any.
   */
  find?: 'last';
}>;

/**
 * Extracts the answer from an output as `gradeGaia` does, and compares it as a number. Where the
 * answer is a sentence, or the output has no form of an answer, the number counts that the
 * concluding sentence states; `how` says so. The comparison is exact without a tolerance. An answer
 * may lack the unit. Of a list of targets any one is accepted. Throws a RangeError if the target is
 * not a number, or a tolerance is negative.
 *
 * @example
 * gradeNumber('Thus, the tank holds 1,250 litres.', '1250 litres').correct; // true
 */
export function gradeNumber(
  output: string | null,
  target: string | number | readonly (string | number)[],
  options: GradeNumberOptions = {},
): Grade {
  if (typeof target === 'object')
    return gradeAny(target.map(String), (each) => gradeNumber(output, each, options));
  const tolerance = readTolerance(options);
  const wanted = String(target);
  const expected = readQuantity(wanted);
  if (expected === null) {
    throw new RangeError(
      `The expected answer must be one number, such as 17, 3/4 or "5 km"; got ${quote(wanted)}.`,
    );
  }
  const units = [expected.unit, ...[options.unit ?? []].flat()].filter((name) => name !== '');
  const found = findNumber(output, units, options);
  return toGrade(
    'number',
    found,
    compareNumbers(found.answer ?? '', wanted, expected, units, tolerance),
  );
}

/** Finds the answer, and where that is no number, the number that a sentence states. */
function findNumber(
  output: string | null,
  units: readonly string[],
  { extract = true, find }: GradeNumberOptions,
): FoundAnswer {
  const found = findAnswerIn(output, extract);
  // What a sentence states is read here with its unit.
  const isClosing = found.how === 'closing words';
  const isNumber = found.answer !== null && readQuantity(found.answer) !== null;
  if (output === null || !extract || (isNumber && !isClosing)) return found;
  const isFree =
    found.answer === null
      ? found.reason === 'no final answer'
      : isClosing || found.how === 'whole text';
  const text = isFree ? beforeQuestion(statingText(output)) : (found.answer ?? '');
  const stated = isFree ? concludingNumber(text) : statedNumber(text);
  const last = stated === null && find === 'last' ? lastNumber(text) : stated;
  if (last === null) return unread(found);
  const how = stated === null ? 'last number' : isFree ? 'concluding sentence' : found.how;
  const certain = !last.loose && (isFree || found.certain);
  return { answer: withUnit(last, units), how, certain };
}

/** What was found, of which no number was read. A sentence that states none is no answer. */
function unread(found: FoundAnswer): FoundAnswer {
  if (found.answer === null) return found;
  const isNone = found.how === 'whole text' && isSentence(found.answer);
  return isNone ? noAnswer('no final answer') : { ...found, certain: false };
}

/** Words after a number that are no unit. */
const NO_UNIT =
  /^(?:in|left|remaining|more|total|altogether|and|or|for|per|each|on|at|by|from|when|if|because|as|which|that|the|a|to|of|today|now|after|so|with|is|are|was)$/i;

/** The number with as many of the words after it as make the expected unit, or a scale. */
function withUnit({ number, following }: StatedNumber, units: readonly string[]): string {
  const words = following.split(/\s+/).filter((word) => word !== '');
  const readings = words.map((_, i) => [number, ...words.slice(0, i + 1)].join(' '));
  const fits = readings.find((reading) => {
    const unit = readQuantity(reading)?.unit ?? '';
    return unit !== '' && units.some((name) => isSameUnit(name, unit));
  });
  const [first = number] = readings;
  const isScale = readQuantity(first)?.unit === '' && !NO_UNIT.test(words[0] ?? 'a');
  const isOther =
    units.length > 0 && !NO_UNIT.test(words[0] ?? 'a') && readQuantity(first) !== null;
  return fits ?? (isScale || isOther ? first : number);
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
  units: readonly string[],
  { relative, absolute }: Tolerance,
): Verdict {
  const received = readQuantity(answer);
  if (received === null)
    return { correct: false, explanation: `${quote(answer)} cannot be read as one number` };
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
