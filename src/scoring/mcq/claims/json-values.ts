import { lastMatches } from '../last-matches.ts';
import { pattern } from '../pattern.ts';

/** The value of an answer field: one string, several, or null, with its position in the text. */
export type FieldValue = { readonly value: readonly string[] | null; readonly start: number; readonly end: number };

/** Every value is read like an output of its own. */
const MOST_VALUES = 8;

const ANSWER_KEYS =
  'final_?answers?|finalAnswers?|answers?|correct_?answers?|correct_?options?|correct_?choices?|answer_?(?:choice|letter|option|key|label|index)s?|selected_?(?:answer|option|choice|letter)s?|chosen_?(?:answer|option|choice|letter)?|my_?answer|答案|respuesta|réponse|reponse|antwort';
const OTHER_KEYS =
  'choice|option|selected|selection|selections|letters?|label|response|result|prediction|output|pick|verdict|choices|选项|opción|lösung';
const CONFIDENCE_KEYS = 'confidence|confidence_?(?:score|level)|certainty';

const STRING = '"(?:[^"\\\\\\n]|\\\\.){0,4000}"|\'(?:[^\'\\\\\\n]|\\\\.){0,4000}\'';
const SCALAR = `${STRING}|-?\\d{1,15}(?:\\.\\d{1,15})?|true|false|null|None|[A-Za-z](?=\\s*[,}\\n])`;
// A number ends where its digits do: shared out between numbers, thirty digits have a thousand million readings.
const LIST = `\\[\\s{0,9}(?:(?:${SCALAR})(?!\\d)[\\s,]{0,9}){0,60}\\]`;

const ANSWER_FIELD = fieldPattern(ANSWER_KEYS, `${LIST}|${SCALAR}`);
const OTHER_FIELD = fieldPattern(OTHER_KEYS, `${LIST}|${SCALAR}`);
/** The output ends before the value. */
const CUT_FIELD = pattern(`["'](?:${ANSWER_KEYS})["']\\s{0,9}:\\s{0,9}["'[]{0,2}\\s{0,3}$`);
const ESCAPED_FIELD = pattern(`\\\\"(?:${ANSWER_KEYS})\\\\"\\s{0,9}:\\s{0,9}\\\\"([^"\\\\\\n]{0,400})\\\\"`, 'gi');
const CONFIDENCE_FIELD = fieldPattern(CONFIDENCE_KEYS, SCALAR);

/** The values of the answer fields of every JSON-like object in the text, the strongest kind of field only. */
export function jsonAnswers(text: string): readonly FieldValue[] {
  const named = fields(text, ANSWER_FIELD);
  if (named.length > 0) return named;
  if (CUT_FIELD.test(text)) return [{ value: null, start: text.length, end: text.length }];
  const escaped = lastMatches(text, ESCAPED_FIELD, MOST_VALUES).map((found) => ({
    value: [found[1] ?? ''],
    start: found.index,
    end: found.index + found[0].length,
  }));
  return escaped.length > 0 ? escaped : fields(text, OTHER_FIELD);
}

/** The last confidence that a JSON object states, as a number where it is one. */
export function jsonConfidence(text: string): string | number | null {
  const last = fields(text, CONFIDENCE_FIELD).at(-1)?.value?.[0];
  if (last === undefined || last === '') return null;
  return Number.isFinite(Number(last)) ? Number(last) : last.slice(0, 100);
}

function fieldPattern(keys: string, values: string): RegExp {
  return pattern(`(["'])(?:${keys})\\1\\s{0,9}:\\s{0,9}(${values})`, 'g');
}

function fields(text: string, pattern: RegExp): readonly FieldValue[] {
  return lastMatches(text, pattern, MOST_VALUES).map((found) => {
    const written = found[2] ?? '';
    const end = found.index + found[0].length;
    return { value: toValues(written), start: end - written.length, end };
  });
}

function toValues(written: string): readonly string[] | null {
  if (written === 'null' || written === 'None') return null;
  if (!written.startsWith('[')) return [unquote(written)];
  return [...written.matchAll(pattern(SCALAR, 'g'))].map((found) => unquote(found[0]));
}

function unquote(written: string): string {
  const quote = written[0];
  if (quote !== '"' && quote !== "'") return written;
  return written.slice(1, -1).replace(/\\(["'\\/n])/gu, (_, sign: string) => (sign === 'n' ? '\n' : sign));
}
