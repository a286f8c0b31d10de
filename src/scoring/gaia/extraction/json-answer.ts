import { readStringLiteral } from './string-literal.ts';

const KEYS = ['finalanswer', 'answer'];
const FENCED = /^```[ \t]{0,4}\w{0,10}\s([\s\S]*)```$/;
const EMBEDDED = [/"final[_ -]?answer"\s{0,8}:\s{0,8}/gi, /"answer"\s{0,8}:\s{0,8}/gi];
/** Only so many of the last keys are looked at: most of a hostile text may be keys without a value. */
const MAX_KEYS = 40;
const SCALAR = /^(?:-?[\d.]{1,40}(?:e[+-]?\d{1,5})?|true|false|null)(?=\s{0,8}[,}])/i;

/**
 * The answer of a text that is one JSON object, fenced or not: its "final_answer", else its "answer". A null answer
 * is ''; null means that the text is no such object.
 */
export function wholeJsonAnswer(text: string): string | null {
  const trimmed = text.trim();
  const body = FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
  return body.startsWith('{') && body.endsWith('}') ? readObject(body) : null;
}

/** Answers in JSON objects that stand somewhere in a text, the last one first; "final_answer" before "answer". */
export function* embeddedJsonAnswers(text: string): Generator<string> {
  for (const key of EMBEDDED) {
    const ends = Array.from(text.matchAll(key), (match) => match.index + match[0].length);
    for (const end of ends.slice(-MAX_KEYS).reverse()) {
      const value = text.charAt(end) === '"' ? readStringLiteral(text, end)?.value : readScalar(text, end);
      if (value !== undefined) yield value;
    }
  }
}

function readObject(body: string): string | null {
  const parsed = parseJson(body);
  if (typeof parsed !== 'object' || parsed === null) return null;
  const fields = new Map(Object.entries(parsed).map(([key, value]) => [toPlainKey(key), toText(value)]));
  for (const key of KEYS) {
    const value = fields.get(key) ?? null;
    if (value !== null) return value;
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toPlainKey(key: string): string {
  return key.toLowerCase().replace(/[_ -]/g, '');
}

function toText(value: unknown): string | null {
  if (value === null) return '';
  if (Array.isArray(value)) {
    const texts = value.map((element) => (Array.isArray(element) ? null : toText(element)));
    return texts.includes(null) ? null : texts.join(', ');
  }
  return typeof value === 'object' ? null : String(value);
}

function readScalar(text: string, start: number): string | undefined {
  const scalar = SCALAR.exec(text.slice(start, start + 60))?.[0];
  return scalar?.toLowerCase() === 'null' ? '' : scalar;
}
