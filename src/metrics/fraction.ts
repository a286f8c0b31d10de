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
