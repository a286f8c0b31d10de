/**
 * Values whose shape is not known, and fields that may be absent.
 */

/** Whether a value is an object with named fields: neither null nor an array. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that have a value: servers may refuse a null. */
export function omitNullish<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}

/** These fields of an object, in this order. */
export function pick<T extends object, K extends keyof T>(
  fields: T,
  ...names: readonly K[]
): Pick<T, K> {
  const kept: Partial<T> = {};
  for (const name of names) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as Pick<T, K>;
}

/**
 * A field of a server's reply: compatible servers may leave out anything that the SDKs' types
 * promise.
 */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** A text field; null if it is missing or empty. */
export function textField(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === 'string' && found !== '' ? found : null;
}

export function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** The list, or undefined if it is empty. */
export function nonEmpty<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list];
}
