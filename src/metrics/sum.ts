/**
 * The sum of numbers in whatever order they come: floating-point addition depends on the order, and merged shards bring
 * the results of one run in another.
 */
export function sumAnyOrder(values: Iterable<number>): number {
  return Float64Array.from(values)
    .sort()
    .reduce((sum, value) => sum + value, 0);
}
