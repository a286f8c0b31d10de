/** Every order of the given values. */
export function* permute<T>(values: readonly T[]): Generator<readonly T[]> {
  if (values.length === 0) yield [];
  for (const [index, value] of values.entries()) {
    for (const rest of permute(values.toSpliced(index, 1))) yield [value, ...rest];
  }
}
