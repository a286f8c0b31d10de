import type { FieldValue } from './json-values.ts';

/** Longer lists are documents. */
const LONGEST = 4000;
const START = /(?:^|\n)[ \t]{0,9}(?=\[)/u;
const FENCE = '```';
/** What names the option in an element, the surest first. */
const NAMES = ['label', 'letter', 'key', 'id', 'option', 'choice', 'answer', 'text', 'value'];
const SINGLE_QUOTED = /^\[\s{0,9}(?:'[^'"\n]{0,400}'(?:\s{0,9},)?\s{0,9}){1,60}\]$/u;

/**
 * A JSON list at the end of the text, fenced or not: of labels or texts, or of an object for each option chosen, where
 * flags may say which. Its value is null where the elements name all options and choose none; null where none stands there.
 */
export function jsonList(text: string, optionCount: number): FieldValue | null {
  const trimmed = text.trimEnd();
  const end = (trimmed.endsWith(FENCE) ? trimmed.slice(0, -FENCE.length) : trimmed).trimEnd().length;
  if (trimmed[end - 1] !== ']') return null;
  const from = Math.max(0, end - LONGEST, trimmed.lastIndexOf(FENCE, end - 1));
  const lead = START.exec(trimmed.slice(from, end));
  if (lead === null) return null;
  const start = from + lead.index + lead[0].length;
  const elements = parseList(trimmed.slice(start, end));
  return elements === null ? null : toValue(elements, optionCount, start, end);
}

function toValue(elements: readonly unknown[], optionCount: number, start: number, end: number): FieldValue | null {
  const flags = elements.map(flagOf);
  const chosen = flags.includes(false) ? elements.filter((_, i) => flags[i] === true) : elements;
  const names = chosen.map(nameOf);
  const known = names.filter((name) => name !== null);
  if (known.length === 0 || known.length < names.length) return null;
  const isObjects = elements.every((element) => typeof element !== 'string');
  const namesAll = isObjects && !flags.includes(true) && elements.length > 1 && elements.length === optionCount;
  return { value: namesAll ? null : known, start, end };
}

function parseList(written: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(SINGLE_QUOTED.test(written) ? written.replaceAll("'", '"') : written);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The label or text of an element. */
function nameOf(element: unknown): string | null {
  if (typeof element === 'string') return element;
  const fields = fieldsOf(element);
  const name = NAMES.find((each) => typeof fields.get(each) === 'string');
  const value = name === undefined ? undefined : fields.get(name);
  return typeof value === 'string' ? value : null;
}

/** {"label": "B", "correct": true}: whether an element is chosen, null where it does not say. */
function flagOf(element: unknown): boolean | null {
  const flags = [...fieldsOf(element).values()].filter((value) => typeof value === 'boolean');
  return flags.length === 1 ? (flags[0] ?? null) : null;
}

function fieldsOf(element: unknown): ReadonlyMap<string, unknown> {
  if (typeof element !== 'object' || element === null) return new Map();
  return new Map(Object.entries(element).map(([name, value]) => [name.toLowerCase(), value]));
}
