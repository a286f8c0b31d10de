/** What `await`, JSON, assertions and printing look for in any object. */
const PROBED = new Set('then toJSON nodeType tagName hasAttribute asymmetricMatch'.split(' '));

/**
 * An object of which code that no compiler checks reads by name. Reading another name, such as a
 * misspelt one, throws what `refuse` makes of it, if anything: it would be undefined, and every answer
 * wrong.
 */
export function refusingOthers<T extends object>(
  fields: T,
  refuse: (name: string, names: readonly string[]) => Error | null,
): T {
  return new Proxy(fields, {
    get: (target, name, receiver) => {
      const isKnown = typeof name === 'symbol' || name in target || PROBED.has(name);
      if (isKnown || !/^\w+$/.test(name)) return Reflect.get(target, name, receiver);
      const refused = refuse(name, Object.getOwnPropertyNames(target));
      if (refused !== null) throw refused;
      return undefined;
    },
  });
}
