import { quote, showValue } from './show.ts';

/**
 * Two texts, of which a long one is cut to about `most` characters around the part in which they
 * differ. Where that part is longer itself, by its beginning; with `withEnd`, and where it is longer in
 * both, by its beginning and its end, since both differ.
 */
export function cutApart(
  one: string,
  other: string,
  most: number,
  withEnd = false,
): readonly [string, string] {
  if (Math.max(one.length, other.length) <= most) return [one, other];
  const shortest = Math.min(one.length, other.length);
  let start = 0;
  while (start < shortest && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const around = Math.floor(most / 4);
  const from = Math.max(0, start - around);
  const lastOf = (length: number) => length - Math.max(0, end - around);
  const isBoth = withEnd && lastOf(shortest) > from + most;
  const cutOne = (text: string) => {
    const last = lastOf(text.length);
    const to = Math.min(last, from + (isBoth ? Math.floor(most / 2) : most));
    const part = text.slice(from, to).toWellFormed();
    const tail = isBoth ? `…${text.slice(last - (to - from), last).toWellFormed()}` : '';
    const shown = isBoth ? last : to;
    return `${from > 0 ? '…' : ''}${part}${tail}${shown < text.length ? '…' : ''}`;
  };
  return [cutOne(one), cutOne(other)];
}

/**
 * The places in which two objects or lists differ, "total is 12, not 13; lines[2] is missing; and 4
 * more"; null for other values, and where none is found.
 */
export function describeDifferences(actual: unknown, expected: unknown, most = 3): string | null {
  if (!isTree(actual) || !isTree(expected)) return null;
  const found: string[] = [];
  compare({ path: '', actual, expected, depth: 0 }, found, new Map());
  const left = found.length - most;
  if (found.length === 0) return null;
  return [...found.slice(0, most), ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
}

type Pair = Readonly<{ path: string; actual: unknown; expected: unknown; depth: number }>;

/** `compared` has what each value was compared with: a value may contain itself. */
function compare(
  { path, actual, expected, depth }: Pair,
  found: string[],
  compared: Map<unknown, unknown>,
): void {
  if (Object.is(actual, expected)) return;
  const isAlike = isTree(actual) && isTree(expected);
  if (isAlike && Array.isArray(actual) === Array.isArray(expected) && depth < DEEPEST) {
    if (compared.get(actual) === expected) return;
    compared.set(actual, expected);
    const [has, wants] = [actual, expected];
    for (const key of new Set([...Object.keys(wants), ...Object.keys(has)])) {
      const next = Array.isArray(wants) ? `${path}[${key}]` : toPath(path, key);
      compare(
        { path: next, actual: has[key], expected: wants[key], depth: depth + 1 },
        found,
        compared,
      );
    }
    return;
  }
  // What a matcher inside a value accepts is not known here.
  if (typeof Object(expected).asymmetricMatch === 'function') return;
  const at = path === '' ? 'it' : path;
  if (actual === undefined) found.push(`${at} is missing`);
  else if (expected === undefined) found.push(`${at} is not expected`);
  else found.push(`${at} is ${showApart(actual, expected).join(', not ')}`);
}

/** A deeper value is shown by its beginning. */
const DEEPEST = 50;

/** Two values for a message. */
export function showApart(actual: unknown, expected: unknown): readonly [string, string] {
  if (typeof actual !== 'string' || typeof expected !== 'string')
    return [showValue(actual), showValue(expected)];
  const [one, other] = cutApart(actual, expected, MOST_SHOWN);
  return [quote(one), quote(other)];
}

const MOST_SHOWN = 80;

function toPath(path: string, key: string): string {
  const shown = /^[\w$-]+$/.test(key) ? key : quote(key);
  return path === '' ? shown : `${path}.${shown}`;
}

/** A list or an object without a class. */
function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
