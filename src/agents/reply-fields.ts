/*
 * Reading replies of servers: whatever the SDKs' types promise, a compatible server may leave anything out. Each reader
 * looks at own fields only and gives a harmless value for what is missing or mistyped.
 */

export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** A text that is not empty, or null. */
export function textField(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === 'string' && found !== '' ? found : null;
}

/** A count of tokens and the like; 0 when the server did not say. */
export function countField(value: unknown, name: string): number {
  const found = field(value, name);
  return typeof found === 'number' && Number.isFinite(found) && found > 0 ? found : 0;
}

/** The elements of a list; none when there is no list. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** The fields of an object that have a value: optional parameters are left out of a request, never sent as null. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => (value ?? null) !== null);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
