import { isFields } from '../words/fields.ts';
import { nameType, quote } from '../words/show.ts';

/**
 * What is wrong with a value, after its path: "[0].trials must be a number, got text"; null if
 * nothing. Paths are made only then: a run has a million fields. `of` is for types alone.
 */
export type Check<T = unknown> = {
  (value: unknown): string | null;
  readonly of?: T;
};

/** The type of what passes a check. */
export type Checked<C> = C extends Check<infer T> ? T : never;

export const text: Check<string> = mustBe('a string', (value) => typeof value === 'string');
export const number: Check<number> = mustBe('a number', Number.isFinite);
export const flag: Check<boolean> = mustBe('a boolean', (value) => typeof value === 'boolean');
export const anything: Check = () => null;
export const yes: Check<true> = mustBe('true', (value) => value === true);

/** Nothing was released yet: what another version wrote is not read. */
export const oneVersion: Check<1> = (value) => {
  if (value === 1) return null;
  return ` must be 1, got ${typeof value === 'number' ? value : nameType(value ?? null)}`;
};

// Not the value: it may be of a record that must be hidden.
function mustBe<T>(what: string, is: (value: unknown) => boolean): Check<T> {
  return (value) =>
    is(value) ? null : ` must be ${what}, got ${value === undefined ? 'nothing' : nameType(value)}`;
}

export function oneOf<T extends string>(values: readonly T[]): Check<T> {
  const allowed = new Set<unknown>(values);
  return (value) => {
    if (allowed.has(value)) return null;
    const got = typeof value === 'string' ? quote(value.slice(0, 40)) : nameType(value);
    return ` must be one of ${values.join(', ')}, got ${got}`;
  };
}

/** A check that does not look at everything that the type says. */
export function roughly<T>(check: Check): Check<T> {
  return check as Check<T>;
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value) => (value === null ? null : check(value));
}

/** The field may be absent. */
export function optional<T>(check: Check<T>): Check<T> & Optional {
  return Object.assign((value: unknown) => (value === undefined ? null : check(value)), {
    isOptional: true as const,
  });
}

type Optional = { readonly isOptional: true };

const list = mustBe('an array', Array.isArray);
const object = mustBe('an object', isFields);

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return list(value);
    for (const [index, entry] of value.entries()) {
      const problem = check(entry);
      if (problem !== null) return `[${index}]${problem}`;
    }
    return null;
  };
}

/** An object with these fields. It may have others. */
export function fields<F extends Readonly<Record<string, Check>>>(checks: F): Check<FieldsOf<F>> {
  const entries = Object.entries(checks);
  return (value) => {
    if (!isFields(value)) return object(value);
    for (const [name, check] of entries) {
      const problem = check(value[name]);
      if (problem !== null) return `.${name}${problem}`;
    }
    return null;
  };
}

type FieldsOf<F> = {
  readonly [Name in keyof F as F[Name] extends Optional ? never : Name]: Checked<F[Name]>;
} & {
  readonly [Name in keyof F as F[Name] extends Optional ? Name : never]?: Checked<F[Name]>;
};

/** An object of any names whose values all pass. */
export function mapOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value) =>
    isFields(value)
      ? fields(Object.fromEntries(Object.keys(value).map((name) => [name, check])))(value)
      : object(value);
}

export const namedScores = mapOf(
  mustBe(
    'true, false, null or a number from 0 to 1',
    (value) =>
      value === null ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && value >= 0 && value <= 1),
  ),
);

const REMEDY = 'Copy the run folder again, or read it with the version of viva that wrote it.';

/** Throws one sentence with the place and the field if the value does not pass. */
export function assertValid<T>(check: Check<T>, value: unknown, place: string): asserts value is T {
  const problem = check(value);
  if (problem === null) return;
  const field = problem.startsWith('.') ? problem.slice(1) : `it${problem}`;
  throw new Error(`${place}: ${field}. ${REMEDY}`);
}
