import type { Json } from '../../words/sample.ts';
import { quote, tryOrUndefined } from '../../words/show.ts';
import { messageOf } from '../../words/thrown.ts';

/**
 * A copy of a value as JSON has it; fields without a value are left out. Throws a TypeError with the
 * path if JSON has no such value: a function, NaN, a list that contains itself.
 */
export function toJson(value: unknown): Json {
  if (typeof value === 'string') return value;
  let json: string | undefined;
  try {
    json = JSON.stringify(value, (_, each: unknown) => {
      if (nameUnfit(each) === null) return each;
      throw new TypeError('JSON has no such value');
    });
  } catch (error) {
    throw new TypeError(findUnfit(value) ?? messageOf(error));
  }
  if (json === undefined) throw new TypeError('it is missing');
  const copy: Json = JSON.parse(json);
  if (isDeeperThan(MAX_DEPTH, copy)) throw new TypeError(TOO_DEEP);
  return copy;
}

/** `"items[1].total" is NaN`; null if nothing is found that JSON does not have. */
function findUnfit(value: unknown, path = '', around: readonly unknown[] = []): string | null {
  const own: unknown =
    tryOrUndefined(() => Reflect.get(Object(value), 'toJSON').call(value)) ?? value;
  const what = around.includes(own) ? 'contains itself' : nameUnfit(own);
  if (what !== null) return `${path === '' ? 'it' : quote(path)} ${what}`;
  if (typeof own !== 'object' || own === null) return null;
  if (around.length > MAX_DEPTH) return TOO_DEEP;
  for (const name of Object.keys(own)) {
    const inner = path === '' ? name : `${path}.${name}`;
    const place = Array.isArray(own) ? `${path}[${name}]` : inner;
    try {
      const found = findUnfit(Reflect.get(own, name), place, [...around, own]);
      if (found !== null) return found;
    } catch (error) {
      return `${quote(place)} cannot be read: ${messageOf(error)}`;
    }
  }
  return null;
}

const UNKNOWN: readonly string[] = ['function', 'symbol', 'bigint'];

/** JSON would make an empty object of them. */
const EMPTIED = [
  ...[Map, Set, Promise, RegExp, Error, ArrayBuffer],
  ...[WeakMap, WeakSet, WeakRef],
  // Node 20 has none, and must load this to be refused.
  ...('Iterator' in globalThis ? [Iterator] : []),
] as const;

/** What a value is that JSON does not have, or would make an empty object of: "is a Map". */
function nameUnfit(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : `is ${value}`;
  if (typeof value !== 'object')
    return UNKNOWN.includes(typeof value) ? `is a ${typeof value}` : null;
  if (ArrayBuffer.isView(value)) return 'is a list of bytes';
  const known = EMPTIED.find((each) => value instanceof each);
  if (known === undefined) return null;
  return `is ${/^[AEI]/.test(known.name) ? 'an' : 'a'} ${known.name}`;
}

/** No value needs more levels, and functions that walk it would run out of stack. */
const MAX_DEPTH = 500;

const TOO_DEEP = `it is nested deeper than ${MAX_DEPTH}`;

function isDeeperThan(most: number, value: Json): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= most; depth++) {
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/**
 * The value of a JSON text, or of a list or object as Python, pandas and numpy write it into a cell;
 * undefined for any other text. The text is searched, never evaluated.
 */
export function parseLiteral(text: string): unknown {
  const source = text.trim();
  if (!/^[[{].*[\]}]$/s.test(source)) return undefined;
  return tryOrUndefined(() => JSON.parse(source)) ?? tryOrUndefined(() => parsePython(source));
}

function parsePython(source: string): unknown {
  let json = '';
  let end = 0;
  for (const { 0: text, index } of source.matchAll(PYTHON_STRING)) {
    const gap = source.slice(end, index);
    // numpy writes no commas.
    json += end > 0 && gap.trim() === '' ? ',' : translate(gap);
    json += JSON.stringify(decodeEscapes(text.slice(1, -1)));
    end = index + text.length;
  }
  return JSON.parse(json + translate(source.slice(end)));
}

const PYTHON_STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs;

/** What is between the strings of a Python value. */
function translate(gap: string): string {
  return gap
    .replace(/\b(?:None|nan)\b/g, 'null')
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\barray\(|,\s{0,99}dtype=\w{1,20}\)|\)/g, '');
}

const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gis;

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

function decodeEscapes(text: string): string {
  return text.replace(ESCAPE, (_, byte?: string, unit?: string, other = '') => {
    const code = byte ?? unit;
    return code === undefined
      ? (CHARACTERS.get(other) ?? other)
      : String.fromCharCode(Number.parseInt(code, 16));
  });
}
