import { tryOrUndefined } from './show.ts';

type Fields = Record<string, unknown>;

/**
 * A copy of a value for one reader, who may change it: of lists, plain objects, dates, maps, sets and
 * bytes, each once, however often it occurs. As in JSON, fields without a value are left out.
 * Functions and objects of other classes are no data, and stay what they are.
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
    else if (!isBuiltIn(from)) copyFields(from as Fields, to as Fields, copy);
  }
  return whole as T;
}

/** What a copy begins as. */
function begin(value: object): object {
  // Nobody can change it, and which one it is may say something, as with NO_TRACE.
  if (Array.isArray(value)) return value.length === 0 && Object.isFrozen(value) ? value : [];
  // A map may hold what has no clone.
  if (isBuiltIn(value)) return tryOrUndefined(() => structuredClone(value)) ?? value;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? {} : value;
}

function isBuiltIn(value: object): boolean {
  return (
    value instanceof Date ||
    value instanceof Map ||
    value instanceof Set ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
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
