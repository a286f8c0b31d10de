/** A rate as people read it, 0.5833 is "58.3 %": with as many more digits as tell it from 0 and from 100 %. */
export function formatPercent(rate: number, digits = 1): string {
  const percent = rate * 100;
  const distance = Math.min(percent, 100 - percent);
  let shown = digits;
  while (distance > 0 && shown < MOST_DIGITS && distance * 10 ** shown < 1 - ROUNDING) shown += 1;
  return `${percent.toFixed(shown)} %`;
}

/** Two rates with as many digits as it takes to tell them apart: never "60.0 % is below 60.0 %". */
export function formatPercents(left: number, right: number): readonly [string, string] {
  let digits = 1;
  while (left !== right && digits < 12 && formatPercent(left, digits) === formatPercent(right, digits)) digits += 1;
  return [formatPercent(left, digits), formatPercent(right, digits)];
}

/** More than a double has below 100. */
const MOST_DIGITS = 20;

/** 0.999 is a double whose distance from 1 is slightly less than 0.001. */
const ROUNDING = 1e-9;

/** A rational number; the denominator is a positive integer. */
export type Fraction = { readonly numerator: number; readonly denominator: number };

/** Above this common denominator the integers would outgrow any exact table. */
const MAX_DENOMINATOR = 1_000_000;

/**
 * The fractions as integers in their largest common unit (1/2, -1/3 become 3, -2); null when their common denominator
 * is above a million.
 */
export function toCommonIntegers(fractions: readonly Fraction[]): readonly number[] | null {
  let common = 1;
  for (const { denominator } of fractions) {
    common *= denominator / gcd(common, denominator);
    if (common > MAX_DENOMINATOR) return null;
  }
  const integers = fractions.map(({ numerator, denominator }) => numerator * (common / denominator));
  const unit = integers.reduce(gcd, 0) || 1;
  return integers.map((integer) => integer / unit);
}

function gcd(left: number, right: number): number {
  let [high, low] = [Math.abs(left), Math.abs(right)];
  while (low > 0) [high, low] = [low, high % low];
  return high;
}

/**
 * The sum of numbers in whatever order they come: floating-point addition depends on the order, and merged shards bring
 * the results of one run in another.
 */
export function sumAnyOrder(values: Iterable<number>): number {
  return Float64Array.from(values)
    .sort()
    .reduce((sum, value) => sum + value, 0);
}
