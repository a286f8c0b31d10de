import type { FieldValue } from './json-values.ts';

/** Longer lists are documents. */
const LONGEST = 4000;
const START = /(?:^|\n)[ \t]{0,9}(?=\[)/u;
const FENCE = '```';
/** What names the option in an element, the surest first. */
const NAMES = ['label', 'letter', 'key', 'id', 'option', 'choice', 'answer', 'text', 'value'];

/**
 * A JSON list at the end of the text, fenced or not: of labels or texts, or of an object for each option chosen, where
 * flags may say which. Its value is null where the elements name all options and choose none; null where none stands there.
 */
export function jsonList(text: string, optionCount: number): FieldValue | null {
  const trimmed = text.trimEnd();
  const said = (trimmed.endsWith(FENCE) ? trimmed.slice(0, -FENCE.length) : trimmed).trimEnd();
  const from = Math.max(0, said.length - LONGEST, said.lastIndexOf(FENCE));
  const lead = START.exec(said.slice(from));
  if (lead === null) return null;
  const start = from + lead.index + lead[0].length;
  const elements = parseList(said.slice(start));
  return elements === null ? null : toValue(elements, optionCount, start, said.length);
}

function toValue(elements: readonly unknown[], optionCount: number, start: number, end: number): FieldValue | null {
  const flags = elements.map(flagOf);
  const chosen = flags.includes(false) ? elements.filter((_, i) => flags[i] === true) : elements;
  const names = chosen.map(nameOf);
  const known = names.filter((name) => name !== null);
  if (known.length === 0 || known.length < names.length) return null;
  const isObjects = elements.every((element) => typeof element !== 'string');
  const namesAll = isObjects && !flags.includes(true) && elements.length === optionCount;
  return { value: namesAll ? null : known, start, end };
}

/** A list that is written like Python's counts too. */
function parseList(written: string): readonly unknown[] | null {
  try {
    return JSON.parse(written.includes('"') ? written : written.replaceAll("'", '"'));
  } catch {
    return null;
  }
}

/** The label or text of an element. */
function nameOf(element: unknown): string | null {
  if (typeof element === 'string') return element;
  const fields = fieldsOf(element);
  return NAMES.map((name) => fields.get(name)).find((value) => typeof value === 'string') ?? null;
}

/** {"label": "B", "correct": true}: whether an element is chosen, null where it does not say. */
function flagOf(element: unknown): boolean | null {
  const [flag = null, ...others] = [...fieldsOf(element).values()].filter((value) => typeof value === 'boolean');
  return others.length === 0 ? flag : null;
}

function fieldsOf(element: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(element ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
