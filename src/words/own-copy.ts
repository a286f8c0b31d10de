import { tryOrUndefined } from './show.ts';

type Fields = Record<string, unknown>;

/**
 * A copy of a value for one reader, who may change it: of lists, plain objects, dates, maps, sets,
 * patterns and bytes, each once, however often it occurs. As in JSON, fields without a value are left
 * out. Functions and objects of other classes, such as a schema, are no data, and stay what they are.
 */
export function ownCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const copies = new Copies();
  const whole = copies.of(value);
  copies.fill();
  return whole as T;
}

/** How many objects are looked for one by one: most values have fewer, and a map costs more. */
const FEW = 24;

class Copies {
  readonly #from: object[] = [];
  readonly #to: object[] = [];
  #places: Map<object, number> | null = null;

  of(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const earlier = this.#places === null ? this.#from.indexOf(value) : this.#places.get(value);
    if (earlier !== undefined && earlier >= 0) return this.#to[earlier];
    const made = begin(value);
    const place = this.#from.push(value) - 1;
    this.#to.push(made);
    if (this.#places !== null) this.#places.set(value, place);
    else if (place >= FEW) this.#places = new Map(this.#from.map((each, at) => [each, at]));
    return made;
  }

  /**
   * Fills what was begun. What is begun meanwhile comes later in the list. Not by calls within calls: a
   * value may be nested deeper than the stack.
   */
  fill(): void {
    for (let place = 0; place < this.#from.length; place++) {
      const [from, to] = [this.#from[place], this.#to[place]];
      if (from === to) continue;
      if (Array.isArray(from)) for (const each of from) (to as unknown[]).push(this.of(each));
      else if (from instanceof Map)
        for (const [key, each] of from)
          (to as Map<unknown, unknown>).set(this.of(key), this.of(each));
      else if (from instanceof Set)
        for (const each of from) (to as Set<unknown>).add(this.of(each));
      else if (from !== undefined && isPlain(from)) this.#fields(from as Fields, to as Fields);
    }
  }

  #fields(from: Fields, to: Fields): void {
    for (const name of Object.keys(from)) {
      const value = from[name];
      if (value === undefined) continue;
      // An assignment would set the prototype.
      if (name === '__proto__') Object.defineProperty(to, name, { value: this.of(value), ...OPEN });
      else to[name] = typeof value === 'object' ? this.of(value) : value;
    }
  }
}

/** What a copy begins as. */
function begin(value: object): object {
  // Nobody can change it, and which one it is may say something, as with NO_TRACE.
  if (Array.isArray(value)) return value.length === 0 && Object.isFrozen(value) ? value : [];
  if (isPlain(value)) return {};
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  // Of a clone it would be a list of bytes without its methods.
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  const isCloned = [Date, RegExp, ArrayBuffer].some((type) => value instanceof type);
  if (!isCloned && !ArrayBuffer.isView(value)) return value;
  return tryOrUndefined(() => structuredClone(value)) ?? value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const OPEN = { enumerable: true, writable: true, configurable: true };
