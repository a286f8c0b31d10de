import { isFields } from '../records/record.ts';
import { nameType, quote } from '../text/show.ts';

/**
 * What is wrong with a value, after its path: "[0].trials must be a number, got text"; null if
 * nothing. Paths are made only then: a run has a million fields.
 */
export type Check = (value: unknown) => string | null;

export const text = mustBe('a string', (value) => typeof value === 'string');
export const number = mustBe('a number', Number.isFinite);
export const flag = mustBe('a boolean', (value) => typeof value === 'boolean');
export const anything: Check = () => null;

/** Nothing was released yet: what another version wrote is not read. */
export const oneVersion = mustBe('1', (value) => value === 1);

// Not the value: it may be of a record that must be hidden.
function mustBe(what: string, is: (value: unknown) => boolean): Check {
  return (value) =>
    is(value) ? null : ` must be ${what}, got ${value === undefined ? 'nothing' : nameType(value)}`;
}

export function oneOf(values: readonly string[]): Check {
  const known = new Set<unknown>(values);
  return (value) => {
    if (known.has(value)) return null;
    const got = typeof value === 'string' ? quote(value.slice(0, 40)) : nameType(value);
    return ` must be one of ${values.join(', ')}, got ${got}`;
  };
}

export function orNull(check: Check): Check {
  return (value) => (value === null ? null : check(value));
}

/** The field may be absent. */
export function optional(check: Check): Check {
  return (value) => (value === undefined ? null : check(value));
}

const list = mustBe('an array', Array.isArray);
const object = mustBe('an object', isFields);

export function listOf(check: Check): Check {
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
export function fields(checks: Readonly<Record<string, Check>>): Check {
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

/** An object of any names whose values all pass. */
export function mapOf(check: Check): Check {
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
export function assertValid<T>(check: Check, value: unknown, place: string): asserts value is T {
  const problem = check(value);
  if (problem === null) return;
  const field = problem.startsWith('.') ? problem.slice(1) : `it${problem}`;
  throw new Error(`${place}: ${field}. ${REMEDY}`);
}
