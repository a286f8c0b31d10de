import { splitLabel } from './plain-answer.ts';
import { isSame, isSameUnit, readNumber } from './quantity.ts';
import { type MathValue, readMath, squeeze } from './read-math.ts';

/** What compares formulas, in LaTeX. Null means that it cannot tell here. */
export type FormulaComparer = Readonly<{
  isEqual: (a: string, b: string) => boolean | null;
  /** Whether one is the other times a constant other than 0. */
  isMultiple: (a: string, b: string) => boolean | null;
}>;

/** Longer answers are not read, in characters. */
export const MAX_LENGTH = 2_000;

/**
 * Whether two answers have the same value. Numbers and texts are compared here, exactly; formulas
 * by the comparer. Null if it depends on formulas that the comparer cannot tell.
 */
export function compareMath(
  answer: string,
  target: string,
  formulas: FormulaComparer,
): boolean | null {
  if (answer.trim() === target.trim()) return true;
  if (answer.length > MAX_LENGTH || target.length > MAX_LENGTH) return false;
  const [one, two] = [splitLabel(answer), splitLabel(target)];
  if (one !== null && two !== null) return one.label === two.label;
  if (one !== null || two !== null)
    return compareLabelled(one ?? two, one === null ? answer : target, formulas);
  return compareValues(readMath(answer), readMath(target), formulas);
}

/** "(D) 25" is D, and 25. */
function compareLabelled(
  labelled: ReturnType<typeof splitLabel>,
  other: string,
  formulas: FormulaComparer,
): boolean | null {
  const { label = '', value = '' } = labelled ?? {};
  const read = readMath(other);
  return compareValues(readMath(`\\text{${label}}`), read, formulas) === true
    ? true
    : compareValues(readMath(value), read, formulas);
}

function compareValues(a: MathValue, b: MathValue, formulas: FormulaComparer): boolean | null {
  const areNamed = a.variable !== null && b.variable !== null && a.variable !== b.variable;
  if (a.kind === 'equation' || b.kind === 'equation' || areNamed)
    return compareEquations(a, b, formulas);
  if (a.text === b.text) return true;
  if (a.kind === 'expression' && b.kind === 'expression') return compareExpressions(a, b, formulas);
  if (a.kind === 'words' && b.kind === 'words') return toWords(a.text) === toWords(b.text);
  if (a.kind !== 'group' || b.kind !== 'group') return false;
  const [point, coordinates] = a.form === '()' ? [a, toPoint(b)] : [b, toPoint(a)];
  if (point.form === '()' && coordinates !== null)
    return compareOrdered(point, coordinates, formulas);
  // A list may be a set, but neither is a union of intervals.
  if (LOOSE.includes(a.form) && LOOSE.includes(b.form)) return compareUnordered(a, b, formulas);
  if (a.form !== b.form || a.items.length !== b.items.length) return false;
  return a.form === 'union' ? compareUnordered(a, b, formulas) : compareOrdered(a, b, formulas);
}

/** "y = 2, x = 1" in the order of its names, as the point (1, 2). */
function toPoint(value: Group): Group | null {
  const names = value.items.map(({ variable }) => variable ?? '');
  const isNamed = value.form === 'list' && names.every((name) => /^[a-z]$/.test(name));
  if (!isNamed || new Set(names).size < names.length) return null;
  const items = value.items.toSorted((a, b) => ((a.variable ?? '') < (b.variable ?? '') ? -1 : 1));
  return { ...value, form: '()', items: items.map((item) => ({ ...item, variable: null })) };
}

const LOOSE = ['list', '{}'];

/** Each element is compared with each. */
const MAX_ITEMS = 60;

type Group = MathValue & { readonly kind: 'group' };

/**
 * Each element of one side needs one of the other side. The same element twice counts once in a
 * set.
 */
function compareUnordered(a: Group, b: Group, formulas: FormulaComparer): boolean | null {
  const isSet = [a.form, b.form].includes('{}');
  const [left = [], right = []] = [a, b].map(({ items }) =>
    isSet ? dropTwins(items) : [...items],
  );
  if (left.length !== right.length || left.length > MAX_ITEMS) return false;
  let isKnown = true;
  for (const item of left) {
    const verdicts = right.map((other) => compareValues(item, other, formulas));
    if (verdicts.includes(true)) right.splice(verdicts.indexOf(true), 1);
    else if (verdicts.includes(null)) isKnown = false;
    else return false;
  }
  return isKnown ? true : null;
}

function dropTwins(items: readonly MathValue[]): MathValue[] {
  return [...new Map(items.map((item) => [`${item.variable}=${item.text}`, item])).values()];
}

function compareOrdered(a: Group, b: Group, formulas: FormulaComparer): boolean | null {
  if (a.items.length !== b.items.length) return false;
  const verdicts = a.items.map((item, i) => {
    const other = b.items[i];
    return other !== undefined && compareValues(item, other, formulas);
  });
  return verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
}

/** "y = 2x + 1" is the line 2x - y + 1 = 0, and 4x - 2y + 2 = 0 too. */
function compareEquations(
  a: MathValue,
  b: MathValue,
  { isEqual, isMultiple }: FormulaComparer,
): boolean | null {
  const named = toNamedValue(a) ?? toNamedValue(b);
  const value = [a, b].find(({ kind, variable }) => kind === 'expression' && variable === null);
  if (named !== null && value !== undefined)
    return compareValues(named, value, { isEqual, isMultiple });
  const one = toDifference(a);
  const two = toDifference(b);
  if (one === null || two === null) return false;
  return one === two ? true : isMultiple(one, two);
}

/**
 * The value of "m + n = 17", "|AB| = 5" or "\\angle A = 30°", whose left side only names it. "2x = 10"
 * and the line "x + y = 5" have none.
 */
function toNamedValue(value: MathValue): MathValue | null {
  if (value.kind !== 'equation') return null;
  const [left, right] = value.sides;
  const isName =
    !/[2-9]|(?<![_{])[01]/.test(left) && !/(?<![A-Za-z\\])[xyz](?![A-Za-z])/.test(left);
  const read = readMath(right);
  return isName && read.kind === 'expression' && readNumber(read.formula) !== null ? read : null;
}

function toDifference(value: MathValue): string | null {
  if (value.kind === 'equation') return `(${value.sides[0]})-(${value.sides[1]})`;
  return value.kind === 'expression' && value.variable !== null
    ? `(${value.variable})-(${value.formula})`
    : null;
}

type Expression = MathValue & { readonly kind: 'expression' };

/**
 * A unit may be missing on one side. A percentage is then its number or its value: 12 % is 12 and
 * 0.12.
 */
function compareExpressions(
  a: Expression,
  b: Expression,
  formulas: FormulaComparer,
): boolean | null {
  if (a.unit !== '' && b.unit !== '')
    return isSameUnit(a.unit, b.unit) && compareFormulas(a.formula, b.formula, formulas);
  const same = compareFormulas(a.formula, b.formula, formulas);
  if (same === true || (a.unit !== '%' && b.unit !== '%')) return same;
  const [percent, other] = a.unit === '%' ? [a.formula, b.formula] : [b.formula, a.formula];
  const share = compareFormulas(`\\frac{${percent}}{100}`, other, formulas);
  return share === true ? true : share === null || same === null ? null : false;
}

function compareFormulas(a: string, b: string, { isEqual }: FormulaComparer): boolean | null {
  if (squeeze(a) === squeeze(b)) return true;
  const one = readNumber(a);
  const two = readNumber(b);
  return one !== null && two !== null ? isSame(one, two) : isEqual(a, b);
}

function toWords(text: string): string {
  const words = text.replace(/\\text|[{}"]/g, '');
  return /[A-Za-z]{2}/.test(words) ? words.toLowerCase() : words;
}
