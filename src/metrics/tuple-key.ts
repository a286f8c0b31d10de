/** One string for several: the lengths keep ("a", "bc") and ("ab", "c") apart, whatever characters they hold. */
export function toTupleKey(...parts: readonly string[]): string {
  let key = '';
  for (const part of parts) key += `${part.length}:${part}`;
  return key;
}
