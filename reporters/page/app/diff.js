/** @typedef {readonly [text: string, kind: 'same' | 'gone' | 'new']} Part */

/** More comparisons would take seconds; so long texts have few words in common anyway. */
const MOST_CELLS = 400_000;

/**
 * What two texts share and what only one of them has, word by word.
 * @param {string} before
 * @param {string} after
 * @returns {readonly Part[]}
 */
export function diffWords(before, after) {
  return diffLists(split(before), split(after), '');
}

/**
 * The same line by line.
 * @param {string} before
 * @param {string} after
 */
export function diffLines(before, after) {
  return diffLists(before.split('\n'), after.split('\n'), '\n');
}

/** @param {string} text */
function split(text) {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/**
 * By the longest common sequence, after what is equal at both ends.
 * @param {readonly string[]} a
 * @param {readonly string[]} b
 * @param {string} joint stands between two items
 * @returns {readonly Part[]}
 */
function diffLists(a, b, joint) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return join(
    [
      ...a.slice(0, start).map((item) => /** @type {Part} */ ([item, 'same'])),
      ...walk(x, y),
      ...a.slice(a.length - end).map((item) => /** @type {Part} */ ([item, 'same'])),
    ],
    joint,
  );
}

/**
 * @param {readonly string[]} x
 * @param {readonly string[]} y
 * @returns {readonly Part[]}
 */
function walk(x, y) {
  const gone = x.map((item) => /** @type {Part} */ ([item, 'gone']));
  const fresh = y.map((item) => /** @type {Part} */ ([item, 'new']));
  if (x.length * y.length > MOST_CELLS || x.length === 0 || y.length === 0)
    return [...gone, ...fresh];
  const width = y.length + 1;
  const common = new Uint16Array((x.length + 1) * width);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => common[i * width + j] ?? 0;
  for (let i = x.length - 1; i >= 0; i--)
    for (let j = y.length - 1; j >= 0; j--)
      common[i * width + j] =
        x[i] === y[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  /** @type {Part[]} */
  const parts = [];
  let [i, j] = [0, 0];
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && x[i] === y[j]) {
      parts.push([x[i] ?? '', 'same']);
      i += 1;
      j += 1;
    } else if (j >= y.length || (i < x.length && at(i + 1, j) >= at(i, j + 1))) {
      parts.push([x[i] ?? '', 'gone']);
      i += 1;
    } else {
      parts.push([y[j] ?? '', 'new']);
      j += 1;
    }
  }
  return parts;
}

/**
 * Neighbours of one kind as one part.
 * @param {readonly Part[]} parts
 * @param {string} joint
 * @returns {readonly Part[]}
 */
function join(parts, joint) {
  /** @type {[string, Part[1]][]} */
  const joined = [];
  for (const [text, kind] of parts) {
    const last = joined.at(-1);
    if (last?.[1] === kind) last[0] += joint + text;
    else joined.push([text, kind]);
  }
  return joined;
}

/** @typedef {Readonly<{ path: string, before: string | undefined, after: string | undefined }>} PartOfValue */

/**
 * Two JSON objects or lists part by part: the parts in which they differ, by their paths. Null if one
 * of them is neither.
 * @param {string} before
 * @param {string} after
 * @returns {readonly PartOfValue[] | null}
 */
export function diffValues(before, after) {
  const [a, b] = [parse(before), parse(after)];
  if (a === undefined || b === undefined) return null;
  const [x, y] = [new Map(listParts(a)), new Map(listParts(b))];
  const paths = [...new Set([...x.keys(), ...y.keys()])];
  return paths.flatMap((path) =>
    x.get(path) === y.get(path) ? [] : [{ path, before: x.get(path), after: y.get(path) }],
  );
}

/** @param {string} text @returns {object | undefined} */
function parse(text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {readonly (readonly [path: string, value: string])[]}
 */
function listParts(value, path = '') {
  const isNested = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isNested) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, part]) =>
    listParts(
      part,
      Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
    ),
  );
}
