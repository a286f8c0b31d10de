import { text as readAll } from 'node:stream/consumers';
import { ComputeEngine, type Expression, type MathJsonExpression } from '@cortex-js/compute-engine';
import { compareMath } from '../scoring/math/compare-math.ts';
import { tryOrUndefined } from '../words/show.ts';

/*
 * The program that compares formulas: pairs of answer and target as JSON on stdin, a verdict for
 * each as JSON on stdout. The engine's own isEqual() is not asked: it takes 0.5 and 0.5000000001
 * for equal.
 */

/**
 * A point gives every variable a value. Formulas that agree at all points are equal. The value of a
 * name also comes with the opposite sign, which turns the order of any two names around, as in
 * |a - b|; far values tell |x - 100| from 100 - x.
 */
type Point = Readonly<{ seed: number; sign: 1 | -1; isFar?: true }>;
const POINTS: readonly Point[] = [
  { seed: 571, sign: 1 },
  { seed: 571, sign: -1 },
  { seed: 683, sign: 1 },
];
const FAR_POINTS: readonly Point[] = [
  { seed: 811, sign: 1, isFar: true },
  { seed: 811, sign: -1, isFar: true },
];
/** The digits of a variable's value before the point. */
const NEAR = 2;
const FAR = 4;
/** Formulas with longer values at far points would lose digits there. */
const MAX_FAR_DIGITS = 150;

const pairs: readonly (readonly [answer: string, target: string])[] = JSON.parse(
  await readAll(process.stdin),
);
const engine = new ComputeEngine();
/** Digits of a value beyond those of the longest number in its formula. */
const SPARE_DIGITS = 300;
engine.precision = SPARE_DIGITS;
let tolerance = findTolerance();
/** Formulas with longer numbers are not computed: it would take seconds. */
const MAX_DIGITS = 20_000;
const comparer = {
  isEqual: (a: string, b: string) => compare(a, b, isEqual),
  isMultiple: (a: string, b: string) => compare(a, b, isMultiple),
};
const verdicts = pairs.map(([answer, target]) => compareMath(answer, target, comparer));
process.stdout.write(JSON.stringify(verdicts));

/** Values that agree in all but the last 100 digits are equal. */
function findTolerance() {
  return engine.parse(`10^{${100 - engine.precision}}`).N().bignumRe;
}

/**
 * Whether two formulas that the engine can read pass a test. It throws at some that it can read.
 */
function compare(
  a: string,
  b: string,
  test: (one: Expression, two: Expression) => boolean,
): boolean {
  // What the engine infers of a name in one pair must not change the next one.
  engine.pushScope();
  const verdict = tryOrUndefined(() => {
    const [one, two] = parseExactly(a, b);
    return one.isValid && two.isValid && test(one, two);
  });
  engine.popScope();
  return verdict ?? false;
}

/** Parses with enough digits for the numbers of both formulas: 2^{2000} + 1 is not 2^{2000}. */
function parseExactly(a: string, b: string): readonly [Expression, Expression] {
  const short = [engine.parse(a), engine.parse(b)] as const;
  const digits = Math.max(...short.map(({ json }) => digitsOf(json)));
  if (digits > MAX_DIGITS)
    throw new RangeError('The formulas have numbers that are too long to compute.');
  const precision = SPARE_DIGITS + (digits < 50 ? 0 : Math.ceil(digits));
  if (precision !== engine.precision) {
    engine.precision = precision;
    tolerance = findTolerance();
  }
  return precision === SPARE_DIGITS ? short : [engine.parse(a), engine.parse(b)];
}

function isEqual(one: Expression, two: Expression): boolean {
  // 1/0 and 2/0 are the same to the engine.
  if (one.isSame(two)) return one.json !== 'ComplexInfinity' && !one.isNaN;
  const isShort = [one, two].every(({ json }) => digitsOf(json, FAR) < MAX_FAR_DIGITS);
  const points = [
    ...POINTS,
    ...(isShort && one.unknowns.length + two.unknowns.length > 0 ? FAR_POINTS : []),
  ];
  return points.every((point) => isNear(valueAt(one, point), valueAt(two, point)));
}

function isMultiple(one: Expression, two: Expression): boolean {
  const [first, ...others] = POINTS.map((point) =>
    valueAt(one, point).div(valueAt(two, point)).N(),
  );
  return first !== undefined && !first.is(0) && others.every((other) => isNear(first, other));
}

/** The value of a formula at a point. */
function valueAt(formula: Expression, point: Point): Expression {
  const values = formula.unknowns.map(
    (name) => [name, engine.number(toValue(name, point))] as const,
  );
  return formula.subs(Object.fromEntries(values)).N();
}

/**
 * Between -63 and 63, never 0, and without a simple relation to the values of other names and
 * points. At a far point between 128 and 4,200, and as negative as that.
 */
function toValue(name: string, { seed, sign, isFar }: Point): number {
  const hash = [...name].reduce(
    (sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997,
    0,
  );
  const value = (sign * (2 * ((hash * seed) % 997) - 997)) / 16;
  return isFar === true ? sign * (128 + 64 * Math.abs(value)) : value;
}

/**
 * Whether two values agree within the tolerance, relative to the value that is not 0. Imaginary
 * parts have 15 digits. What is not a number, or is infinite, is near nothing.
 */
function isNear(a: Expression, b: Expression): boolean {
  if (a.isFinite !== true || b.isFinite !== true) return false;
  const { bignumRe, re, im } = (a.is(0) || b.is(0) ? a.sub(b) : a.sub(b).div(b)).N();
  // A number as small as 10^-400 is 0 as a double, so it is compared as it is.
  const isSmall =
    bignumRe !== undefined && tolerance !== undefined ? bignumRe.abs().lt(tolerance) : re === 0;
  return isSmall && Math.abs(im) < 1e-14;
}

/** An upper bound for the digits of the numbers in a formula: 401 for ["Power", 10, 400]. */
function digitsOf(json: MathJsonExpression, ofName = NEAR): number {
  if (typeof json === 'number') return Math.log10(Math.abs(json) + 1);
  // Constants are below 4.
  if (typeof json === 'string')
    return /^(?:Pi|ExponentialE|ImaginaryUnit)$/.test(json) ? 0.6 : ofName;
  if (!Array.isArray(json)) return JSON.stringify(json).length;
  const [name, first = 0, second = 0] = json;
  const [digits, ...others] = json.slice(1).map((each) => digitsOf(each, ofName));
  if (name === 'Power') return (digits ?? 0) * sizeOf(second, ofName);
  // n! is about (n/e)^n.
  if (name === 'Factorial') return Math.max(1, (digits ?? 0) - 0.4) * sizeOf(first, ofName);
  return others.reduce((sum, each) => sum + each, digits ?? 0);
}

/** The size of a number, at most. */
function sizeOf(json: MathJsonExpression, ofName: number): number {
  return typeof json === 'number' ? Math.abs(json) : 10 ** digitsOf(json, ofName);
}
