import { childrenOf, textOf, type XmlElement } from '../xml.ts';
import { type Place, toColumnNumber } from './references.ts';

/** The formats of a sheet that depend on values. */
export type Conditional = {
  /** How the first rule that holds makes a cell look; "" where none does. */
  lookOf(place: Place, value: number | string): string;
  /** Each rule that was worked out: "C2:C3 greaterThan 5: fill #FFFF00 yellow". */
  readonly known: readonly string[];
  /** Each other one: "A1:A9 (colorScale)". */
  readonly unknown: readonly string[];
};

type Value = number | string;

type Rule = {
  readonly priority: number;
  readonly look: string;
  readonly text: string;
  covers(place: Place): boolean;
  /** Null for a rule that is not worked out. */
  readonly holds: ((value: Value) => boolean) | null;
};

/** So many are worked out: each is asked about each cell. */
const MAX_RULES = 100;

/** Rules that compare a cell with constants are worked out; scales, icons and formulas are not. */
export function readConditional(sheet: XmlElement, looks: readonly string[]): Conditional {
  const rules = childrenOf(sheet, 'conditionalFormatting').flatMap((format) => {
    const range = format.attributes.get('sqref') ?? '';
    return childrenOf(format, 'cfRule').map((rule) => toRule(range, rule, looks));
  });
  const known = rules.filter(({ holds }) => holds !== null).slice(0, MAX_RULES);
  const inOrder = known.toSorted((a, b) => a.priority - b.priority);
  return {
    lookOf: (place, value) => {
      const found = inOrder.find(({ covers, holds }) => covers(place) && holds?.(value) === true);
      return found === undefined || found.look === '' ? '' : `${found.look} by a rule`;
    },
    known: known.map(({ text }) => text),
    unknown: rules.filter((rule) => !known.includes(rule)).map(({ text }) => text),
  };
}

function toRule(range: string, rule: XmlElement, looks: readonly string[]): Rule {
  const { attributes } = rule;
  const type = attributes.get('type') ?? 'rule';
  const operator = attributes.get('operator') ?? '';
  const formulas = childrenOf(rule, 'formula').map((formula) => textOf(formula));
  const look = looks[Number(attributes.get('dxfId') ?? -1)] ?? '';
  const constants = formulas.flatMap((formula) => toConstant(formula) ?? []);
  const test = type === 'cellIs' && constants.length === formulas.length ? OPERATORS.get(operator) : undefined;
  const [first, second = first] = constants;
  const holds =
    test === undefined || first === undefined || second === undefined
      ? null
      : (value: Value) => test(compare(value, first), compare(value, second));
  const what =
    holds === null ? ` (${[type, ...formulas].join(' ')})` : ` ${operator} ${formulas.join(' and ')}: ${look}`;
  const priority = Number(attributes.get('priority') ?? 0) || 0;
  return { priority, look, text: `${range}${what}`, covers: toCover(range), holds };
}

/** By how the value stands to the first and to the second constant: below (-1), at or above it. */
const OPERATORS: ReadonlyMap<string, (first: number, second: number) => boolean> = new Map([
  ['lessThan', (first: number) => first < 0],
  ['lessThanOrEqual', (first: number) => first <= 0],
  ['equal', (first: number) => first === 0],
  ['notEqual', (first: number) => first !== 0],
  ['greaterThanOrEqual', (first: number) => first >= 0],
  ['greaterThan', (first: number) => first > 0],
  ['between', (first: number, second: number) => first >= 0 && second <= 0],
  ['notBetween', (first: number, second: number) => first < 0 || second > 0],
]);

function toConstant(formula: string): Value | null {
  const text = formula.trim();
  if (/^[+-]?\d{1,20}(\.\d{1,20})?(E[+-]?\d{1,3})?$/i.test(text)) return Number(text);
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : null;
}

/** As Excel sorts: every text is above every number, and small letters equal capital ones. */
function compare(a: Value, b: Value): number {
  if (typeof a !== typeof b) return typeof a === 'string' ? 1 : -1;
  const [left, right] = [toKey(a), toKey(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function toKey(value: Value): Value {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Of "C2:C3 E5": whether a cell is in one of these. */
function toCover(range: string): Rule['covers'] {
  const areas = range.split(' ').flatMap((area) => {
    const found = /^([A-Z]{1,3})(\d{1,7})?(?::([A-Z]{1,3})(\d{1,7})?)?$/.exec(area);
    if (found === null) return [];
    const [, left = '', top = '1', right = left, bottom = right === left && !area.includes(':') ? top : '1048576'] =
      found;
    return [{ left: toColumnNumber(left), top: Number(top), right: toColumnNumber(right), bottom: Number(bottom) }];
  });
  return ({ column, row }) =>
    areas.some(({ left, top, right, bottom }) => column >= left && column <= right && row >= top && row <= bottom);
}
