import { tryOrUndefined } from './show.ts';

type Fields = Record<string, unknown>;

/**
 * A copy of a value for one reader, who may change it: of lists, plain objects, dates, maps, sets,
 * patterns and bytes, each once, however often it occurs. As in JSON, fields without a value are left
 * out. Functions and objects of other classes, such as a schema, are no data, and stay what they are.
 */
export function ownCopy<T>(value: T): T {
  const copies = new Map<object, object>();
  const copy = (each: unknown): unknown => {
    if (typeof each !== 'object' || each === null) return each;
    const earlier = copies.get(each);
    if (earlier !== undefined) return earlier;
    const made = begin(each);
    copies.set(each, made);
    return made;
  };
  const whole = copy(value);
  // What is copied meanwhile comes later in the map. Not by calls within calls: a value may be nested
  // deeper than the stack.
  for (const [from, to] of copies) {
    if (from === to) continue;
    if (Array.isArray(from)) for (const each of from) (to as unknown[]).push(copy(each));
    else if (from instanceof Map)
      for (const [key, each] of from) (to as Map<unknown, unknown>).set(copy(key), copy(each));
    else if (from instanceof Set) for (const each of from) (to as Set<unknown>).add(copy(each));
    else if (isPlain(from)) copyFields(from as Fields, to as Fields, copy);
  }
  return whole as T;
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

function copyFields(from: Fields, to: Fields, copy: (value: unknown) => unknown): void {
  for (const name of Object.keys(from)) {
    const value = from[name];
    if (value === undefined) continue;
    // An assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(to, name, { value: copy(value), ...OPEN });
    else to[name] = copy(value);
  }
}
