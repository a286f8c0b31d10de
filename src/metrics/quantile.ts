declare const ascending: unique symbol;

/** Numbers in ascending order; only `sortNumbers` makes them, so a quantile never meets unsorted data. */
export type SortedNumbers = Float64Array & { readonly [ascending]: true };

export type Quantile = {
  readonly value: number;
  /** The highest 0-based rank that the value depends on. */
  readonly rank: number;
};

export function sortNumbers(values: readonly number[]): SortedNumbers {
  return Float64Array.from(values).sort() as SortedNumbers;
}

/**
 * R-7 quantile (the default of R and NumPy): linear interpolation at position (n - 1) * percent / 100; null when there
 * are no values. `percent` is 0 to 100: with whole percents the position is exact, where (n - 1) * 0.95 would not be.
 */
export function computeQuantile(sorted: SortedNumbers, percent: number): Quantile | null {
  const hundredths = (sorted.length - 1) * percent;
  const rank = Math.ceil(hundredths / 100);
  const low = sorted[Math.floor(hundredths / 100)];
  const high = sorted[rank];
  if (low === undefined || high === undefined) return null;
  return { value: low + ((hundredths % 100) / 100) * (high - low), rank };
}
