/** One string for several: the lengths keep ("a", "bc") and ("ab", "c") apart, whatever characters they hold. */
export function toTupleKey(...parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('');
}
