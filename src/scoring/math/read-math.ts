import { toPlainAnswer } from './plain-answer.ts';
import { isSame, type Rational, readNumber, toPlainMath, toUnit } from './quantity.ts';

/**
 * An answer of mathematics, taken apart as far as brackets and commas tell. `text` has the spelling
 * of LaTeX. The form of a group is "list", "union", "matrix" or its brackets: "{}" of a set, "[)"
 * of an interval, "()" of a point.
 */
export type MathValue = Readonly<{
  /** The text without spaces. */
  text: string;
  /** The left side of "x = 5" and "x \in [0,1)". */
  variable: string | null;
}> &
  (
    | Readonly<{ kind: 'group'; form: string; items: readonly MathValue[] }>
    | Readonly<{ kind: 'equation'; sides: readonly [string, string] }>
    | Readonly<{ kind: 'expression'; formula: string; unit: string }>
    | { readonly kind: 'words' }
  );

/** Reads an answer: LaTeX, or mathematics as it is typed, such as sqrt(2)/2, 3*pi and (-inf, 2]. */
export function readMath(written: string): MathValue {
  const plain = toPlainAnswer(toPlainMath(written));
  return readPart(toLatex(plain).replace(/^(?:=|\\approx) ?/, ''));
}

function readPart(part: string): MathValue {
  const bare = stripGroup(part.replace(/(?<![.])\.\s{0,9}$/, '').trim());
  const text = THOUSANDS.test(bare) ? bare.replaceAll(',', '') : bare;
  const head = { text: squeeze(text.replace(TEXT, '$1')).replace(/\.$/, ''), variable: null };
  const commas = split(
    toCommas(text.replace(SYSTEM, '$2')),
    text.includes('=') && !text.includes('matrix}') ? /^(?:[,;]|\\\\)/ : /^[,;]/,
  );
  if (commas.length > 1) {
    const items = flatten(commas.map(readPart));
    // "x < 1 or x > 3" is a union of intervals.
    const isUnion = items.every(isPair) && items.some(isInterval);
    return { ...head, kind: 'group', form: isUnion ? 'union' : 'list', items };
  }
  const [, inner] = /^\\text ?\{([^{}]*)\}$/.exec(text) ?? [];
  if (inner !== undefined) return readPart(inner);
  return (
    readRounded(text) ??
    readNamed(text) ??
    readRange(text, head) ??
    readExcluded(text, head) ??
    readUnion(text, head) ??
    readMatrix(text, head) ??
    readBracketed(text, head) ??
    readSigns(text, head) ??
    readEquation(text, head) ??
    readSimple(text, head)
  );
}

function isPair(item: MathValue): boolean {
  return item.kind === 'group' && /^[[(][\])]$/.test(item.form) && item.items.length === 2;
}

/** Whether a pair is an interval, and no point or list. */
function isInterval(item: MathValue): boolean {
  if (item.kind !== 'group') return false;
  const isEndless = item.items.some(({ text }) => /^[-+]?\\infty$/.test(text));
  return item.variable !== null || item.form === '[)' || item.form === '(]' || isEndless;
}

/** Equations that are true together, a line each. */
const SYSTEM = /^(?:\\\{)? ?\\begin\{(cases|array|aligned)\}(?:\{[lcr| ]*\})?([\s\S]*)\\end\{\1\}$/;

const TEXT = /\\text ?\{([^{}]*)\}/g;

/** All commas are before three digits: "1,234 km". */
const THOUSANDS = /^[^,()[\]{}]*(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)[^,()[\]{}]*$/;

type Head = Readonly<{ text: string; variable: null }>;

/** "22/7 \approx 3.14" is the value before the sign, "x \approx 3.14" the one after it. */
function readRounded(text: string): MathValue | null {
  const [, exact] = /^([^=<>]+)\\approx(?![a-z])/.exec(text) ?? [];
  const isNamed = NAMED.test(text) && !text.startsWith('\\pi');
  return exact === undefined || isNamed ? null : readPart(exact);
}

const NAME_OF = String.raw`(?:\\text ?\{[A-Za-z ]{1,30}\}|\\?[A-Za-z]{1,12})(?:_(?:\w|\{\w{1,9}\}))?`;
const NAMED = new RegExp(
  String.raw`^(${NAME_OF}(?:'|\^\{-1\})?(?:\([A-Za-z]\))?|\([a-z](?:, ?[a-z]){1,5}\)) ?(?:=|\\(?:in|approx)(?![a-z]))`,
);

/** "x = 5", "f(x) = x + 1", "(x, y) = (1, 2)", "x \in [0, 1)". */
function readNamed(text: string): MathValue | null {
  const named = NAMED.exec(text);
  if (named === null) return null;
  const sides = split(text.slice(named[0].length), /^=/);
  return { ...readPart(sides.at(-1) ?? ''), variable: squeeze(named[1] ?? '') };
}

const RANGE = /^([^<>=]{1,200})([<>]=?)([^<>=]{1,200})(?:([<>]=?)([^<>=]{1,200}))?$/;
const NAME = /^\s{0,9}(?:[A-Za-z]|\\[a-z]{2,7})\s{0,9}$/;

/** "x < 5" and "1 < x <= 2" are intervals. */
function readRange(text: string, head: Head): MathValue | null {
  const parts = RANGE.exec(text)?.slice(1).filter(Boolean) ?? [];
  const signs = parts.filter((_, i) => i % 2 === 1).map((sign) => sign.charAt(0));
  if (new Set(signs).size !== 1) return null;
  const ordered = (signs[0] === '>' ? parts.toReversed() : parts).map((each) =>
    each.replace('>', '<'),
  );
  const [a = '', first = '', b = '', second = '<', c = '\\infty'] = ordered;
  const isBelow = ordered.length === 3 && NAME.test(a);
  const [from, open, name, close, to] = isBelow
    ? ['-\\infty', first, a, first, b]
    : [a, first, b, second, c];
  // "x + y > 1" is "1 < x + y".
  if (!NAME.test(name))
    return ordered.length === 3
      ? { ...head, kind: 'words', text: squeeze(ordered.join('')) }
      : null;
  const form = `${open.endsWith('=') && !isBelow ? '[' : '('}${close.endsWith('=') ? ']' : ')'}`;
  return {
    ...head,
    kind: 'group',
    form,
    items: [readPart(from), readPart(to)],
    variable: squeeze(name),
  };
}

const EXCLUDED =
  /^(?:([A-Za-z]) ?\\ne(?![a-z]) ?([^,]{1,60})|(?:\\mathbb ?\{?R\}?|\(-\\infty ?, ?\\infty ?\)) ?(?:\\setminus|\\backslash|-|\\\\) ?\\\{([^{}]{1,60})\\\})$/;

/** "x \\ne 2" and "\\mathbb{R} \\setminus \\{2\\}" are all numbers but these. */
function readExcluded(text: string, head: Head): MathValue | null {
  const [, name = null, one, several = one ?? ''] = EXCLUDED.exec(text) ?? [];
  const values = several.split(',').flatMap((written) => readNumber(written.trim()) ?? []);
  if (several === '' || values.length < several.split(',').length) return null;
  const ends = values.toSorted(order).map(({ top, bottom }) => `\\frac{${top}}{${bottom}}`);
  const starts = ['-\\infty', ...ends];
  const items = [...ends, '\\infty'].map((end, i) => readPart(`(${starts[i]},${end})`));
  return { ...head, kind: 'group', form: 'union', items, variable: name };
}

function order(a: Rational, b: Rational): number {
  return isSame(a, b) ? 0 : a.top * b.bottom < b.top * a.bottom ? -1 : 1;
}

function readUnion(text: string, head: Head): MathValue | null {
  const parts = split(text, /^\\cup(?![a-z])/);
  return parts.length > 1
    ? { ...head, kind: 'group', form: 'union', items: parts.map(readPart) }
    : null;
}

const BRACKETED = /^(\\\{|\(|\[)([\s\S]*?)(\\\}|\)|\])$/;

function readBracketed(text: string, head: Head): MathValue | null {
  if (/^\\emptyset ?$/.test(text)) return { ...head, kind: 'group', form: '{}', items: [] };
  const [, open = '', inner = '', close = ''] = BRACKETED.exec(text) ?? [];
  if (open === '' || !isOneGroup(text)) return null;
  const parts = split(inner, /^[,;]/);
  if (open === '\\{' && close === '\\}') {
    if (/\||\\mid|:/.test(inner)) return { ...head, kind: 'words' };
    const items = inner.trim() === '' ? [] : flatten(parts.map(readPart));
    return { ...head, kind: 'group', form: '{}', items };
  }
  if (parts.length > 1) {
    const items = parts.map(readPart);
    const isRows =
      open === '[' && items.every((item) => item.kind === 'group' && item.form === '[]');
    return { ...head, kind: 'group', form: isRows ? 'matrix' : open + close, items };
  }
  return open === '(' && close === ')' ? readPart(inner) : null;
}

const MATRIX =
  /^\\begin\{([pbvBV]?matrix)\}([\s\S]*)\\end\{\1\}$|^[([] ?\\begin\{(?:array|matrix|smallmatrix)\}(?:\{[lcr| ]*\})?([\s\S]*)\\end\{(?:array|matrix|smallmatrix)\} ?[)\]]$/;

/** A matrix is a list of rows in order. */
function readMatrix(text: string, head: Head): MathValue | null {
  const [, name, one, array = one] = MATRIX.exec(text) ?? [];
  if (array === undefined || /^[vV]/.test(name ?? '')) return null;
  const inner = array.replace(/\\\\ ?\[[^[\]]{1,9}\]/g, '\\\\').replace(/\\hline/g, '');
  const rows = split(inner.replace(/\\\\\s{0,9}$/, ''), /^\\\\/).map((row) => {
    const items = split(row, /^&/).map(readPart);
    return { kind: 'group', form: '[]', items, text: squeeze(row), variable: null } as const;
  });
  return { ...head, kind: 'group', form: 'matrix', items: rows };
}

/** "1 \pm \sqrt{2}" is two values. */
function readSigns(text: string, head: Head): MathValue | null {
  if (!/\\pm(?![a-z])/.test(text)) return null;
  const items = ['+', '-'].map((sign) => {
    const other = sign === '+' ? '-' : '+';
    const chosen = text.replace(/\\pm(?![a-z])/g, sign).replace(/\\mp(?![a-z])/g, other);
    return readPart(chosen.replace(/^\s{0,9}\+/, ''));
  });
  return { ...head, kind: 'group', form: 'list', items: flatten(items) };
}

function readEquation(text: string, head: Head): MathValue | null {
  const sides = split(text, /^=/);
  // "a + b = 3 + 4 = 7" ends with its value.
  const [left, right] = [sides[0], sides.at(-1)];
  const isChain = sides.length > 2 && readNumber(right?.trim() ?? '') !== null;
  if (left === undefined || right === undefined || /[<>]/.test(text)) return null;
  if (sides.length !== 2 && !isChain) return null;
  const isEquation =
    NAMES_IN.test(`${left} ${right}`.replaceAll(COMMANDS, '')) || !OPERATOR.test(left);
  return isEquation ? { ...head, kind: 'equation', sides: [left, right] } : readPart(right);
}

const NAMES_IN = /[A-Za-z]/;
/** "2 + 3 = 5" says its value on the right, "0 = 0" does not. */
const OPERATOR = /[-+/^]|\\(?:frac|cdot|times|sqrt)(?![a-z])/;

function readSimple(text: string, head: Head): MathValue {
  const { formula, unit } = splitUnit(text);
  return readNumber(formula) === null && isWords(formula)
    ? { ...head, kind: 'words' }
    : { ...head, kind: 'expression', formula, unit };
}

const PLAIN_UNIT =
  /(?<=[\d}) ]) {0,2}((?:sq\.? ?)?[a-z]{3,20}(?: [a-z]{2,20}){0,3}|(?:sq\.? ?)?[mck]m|kg|ft|k?m\/[sh])(?:\^\{?[1-9]\}?)?$/;

/** The unit is a sign, the text after a formula, or words after a number. */
function splitUnit(text: string): Readonly<{ formula: string; unit: string }> {
  const sign = /[%°]$|^[$€£]/.exec(text)?.[0];
  if (sign !== undefined && !ANGLE.test(text))
    return { formula: text.replace(sign, '').trim(), unit: sign };
  const at = text.lastIndexOf('\\text');
  const isLast = at > 0 && /^\\text ?\{[^{}]{1,40}\}(?:\^\{?[1-9]\}?)?$/.test(text.slice(at));
  const start = isLast ? at : (PLAIN_UNIT.exec(text)?.index ?? text.length);
  const formula = text.slice(0, start).trim();
  const written = text.slice(start);
  const unit = toUnit(written.replace(/\\text ?\{([^{}]*)\}/, '$1'));
  if (!/\d/.test(formula) || unit === null) return { formula: text, unit: '' };
  const { name, zeros } = unit;
  return { formula: zeros === 0n ? formula : `${formula} \\times 10^{${zeros}}`, unit: name };
}

/** Degrees in an angle are part of the formula. */
const ANGLE = /\\(?:sin|cos|tan|cot|sec|csc)(?![a-z])/;

const COMMANDS = /\\log ?_ ?(?:\w|\{\w{1,9}\})|\\[A-Za-z]+/g;

/** What is not a formula to the engine, or means the same to it as without. */
const UNKNOWN =
  /^\d{4}-\d\d-\d\d$|\\\||\\(?:text|vec|bar|overline|hat|dot|ne|neq|not|mathbb)(?![a-z])|\^ ?\{? ?(?:T|\*|\\top)(?![a-z])/;

/**
 * Whether a text is to be compared as it is: as a formula, "listen" and "silent" would be the same
 * product.
 */
function isWords(text: string): boolean {
  const rest = text.replaceAll(COMMANDS, '@').trim();
  const isName = rest === '' || /^[A-Za-z][A-Za-z ]+$/.test(rest);
  return (
    isName || UNKNOWN.test(text) || /[A-Za-z]{4}|[A-Z]{2}|[^ -~°]|["?:#&<>]|\d \d|[\d}]_/.test(rest)
  );
}

/** "1 and 2", "x = 1 or x = 2" and "x = 1 y = 2" are lists; "rock and roll" is not. */
function toCommas(text: string): string {
  const joined = /\d|\\(?!text)/.test(text) ? text.replace(AND, ',') : text;
  return joined.replace(NEXT_NAME, ',');
}

const AND = /(?:, ?)?(?:\\text ?\{(?:,|,? ?(?:and|or)) ?\}|(?<=[\s\d)}])(?:and|or)(?=\s))/g;
/** The space or slash between "x = 1" and "y = 2". */
const NEXT_NAME =
  /(?<==[^=,;]{0,80}[\w)}])(?: +| ?\/ ?)(?=\\?[A-Za-z]{1,9}(?:_(?:\w|\{\w{1,9}\}))? ?=)/g;

function flatten(items: readonly MathValue[]): readonly MathValue[] {
  return items.flatMap((item) =>
    item.kind === 'group' && item.form === 'list' ? item.items : [item],
  );
}

/** A text without spaces, except between digits: "2 3" is not 23. */
export function squeeze(text: string): string {
  return text.replace(/(?<!\d)\s+|\s+(?!\d)/g, '');
}

/** The parts of a text between separators that are in no brackets. */
function split(text: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    depth += depthOf(text.charAt(i));
    const found = depth === 0 ? separator.exec(text.slice(i, i + 8))?.[0] : undefined;
    if (found !== undefined) {
      parts.push(text.slice(start, i));
      start = i + found.length;
      i = start - 1;
    } else if (text[i] === '\\' && /[^A-Za-z{}()[\]]/.test(text[i + 1] ?? '')) i++;
  }
  return [...parts, text.slice(start)];
}

/** Brackets of all kinds count alike, since "[0, 1)" is one group. */
function depthOf(character: string): number {
  return '([{'.includes(character) ? 1 : ')]}'.includes(character) ? -1 : 0;
}

/** Where the bracket at an index closes; the length of the text if nowhere. */
function endOf(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    depth += depthOf(text.charAt(i));
    if (depth === 0) return i;
  }
  return text.length;
}

/** Whether the first bracket closes at the end of the text. */
function isOneGroup(text: string): boolean {
  return endOf(text, text.startsWith('\\') ? 1 : 0) === text.length - 1;
}

/** "{,5}" without the braces of a LaTeX group around it. */
function stripGroup(text: string): string {
  const isGroup =
    text.startsWith('{') && text.endsWith('}') && !text.endsWith('\\}') && isOneGroup(text);
  return isGroup ? stripGroup(text.slice(1, -1).trim()) : text;
}

const NAMES =
  /(?<![\\A-Za-z])(sqrt|pi|infinity|infty|inf|oo|theta|arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|ln|log|exp)(?![A-Za-z])/g;
/** "]1, 3]" and "[1, 3[": brackets that turn outward are open ends. */
const OUTWARD = /([[\]])([^[\]();,]{1,60}[,;][^[\]();,]{1,60})([[\]])/g;
const INFINITY = ['infinity', 'infty', 'inf', 'oo'];

/** Mathematics as it is typed, as LaTeX: sqrt(2), pi, 2^10, **, <=, +-, ") U (". */
function toLatex(text: string): string {
  const signs = text
    .replace(/^\\mathbb ?\{?R\}?$/, '(-\\infty,\\infty)')
    .replace(/\\sqrt ?(\d)/g, '\\sqrt{$1}')
    .replaceAll('**', '^')
    .replace(/\*/g, '\\cdot ')
    .replace(/\+\/ ?-|^\+-/g, '\\pm ')
    .replace(/\\le(?![a-z])|=</g, '<=')
    .replace(/\\ge(?![a-z])|=>/g, '>=')
    .replace(
      OUTWARD,
      (_, open, inner, close) => `${open === ']' ? '(' : '['}${inner}${close === '[' ? ')' : ']'}`,
    )
    .replace(/(?<=[)\]}]\s?)U(?=\s?[([\\])/g, '\\cup ')
    .replace(NAMES, (name) => (INFINITY.includes(name) ? '\\infty ' : `\\${name} `))
    .replace(/\^ ?(-?\d{2,20}|-\d|-?[a-z](?![a-z]))/g, '^{$1}');
  return toGroups(signs);
}

/** "\sqrt(2)" and "x^(2)" with braces. */
function toGroups(text: string): string {
  let grouped = text;
  for (let round = 0; round < 20; round++) {
    const match = /(?:\\sqrt(?:\[\d\])?|\^) {0,2}\(/.exec(grouped);
    if (match === null) break;
    const open = match.index + match[0].length - 1;
    const end = endOf(grouped, open);
    grouped = `${grouped.slice(0, open)}{${grouped.slice(open + 1, end)}}${grouped.slice(end + 1)}`;
  }
  return grouped;
}
