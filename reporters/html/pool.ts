/** Values that many rows repeat, each kept once; rows name them by their place. */
export class Pool<T> {
  readonly #places = new Map<string, number>();
  readonly values: T[] = [];

  /** The place of the value with this key, which is made when it is new. */
  place(key: string, make: () => T): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(make()) - 1;
  }
}

/** A pool of texts, which are their own keys. */
export function placeText(pool: Pool<string>, text: string): number {
  return pool.place(text, () => text);
}
