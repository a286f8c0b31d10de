/**
 * A new order that depends on the seed alone: Fisher-Yates with the generator "mulberry32" (Tommy Ettinger, public
 * domain). The seed counts modulo 2^32. The same order on every machine, since all arithmetic is on 32-bit integers.
 */
export function shuffle<T extends object>(values: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const shuffled: T[] = [];
  for (const value of values) {
    // Inside-out Fisher-Yates: the new value takes a random place, what stood there moves to the end.
    const place = Math.floor(random() * (shuffled.length + 1));
    const moved = shuffled[place];
    if (place < shuffled.length && moved !== undefined) shuffled.push(moved);
    shuffled[place] = value;
  }
  return shuffled;
}

/** Numbers from 0 up to, not including, 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
