/**
 * Computes a value once for each object, and forgets it with the object.
 *
 * @example
 * const wordsOf = remember((reading: Reading) => [...wordsIn(reading.text)]);
 */
export function remember<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const cached = values.get(key);
    if (cached !== undefined) return cached;
    const value = compute(key);
    values.set(key, value);
    return value;
  };
}
