import { findAll } from '../../words/find-all.ts';
import { wordsIn } from './question.ts';
import { type Claim, labelsClaim, labelsOf, type Reading } from './tokens.ts';
import { labelsAt, wholeAt } from './values.ts';

const FIELD_NAME = [
  '(?:(?:final|correct|selected|chosen|my)[_ ]?)?',
  '(?:answers?|choices?|options?|letter|label|selection|selected|chosen|prediction)',
  '(?:[_ ]?(?:letter|label|id|choice|key))?',
].join('');
const FIELD_VALUE = String.raw`\[[^\]]{0,400}\]|"(?:[^"\\]|\\.){0,400}"|'[^']{0,200}'|null|[A-Za-z0-9]{1,3}(?=\s{0,3}[,}\n])`;
const FIELD = new RegExp(String.raw`["']${FIELD_NAME}["']\s{0,3}:\s{0,3}(${FIELD_VALUE})`, 'giu');

/** A field that may be the answer if it holds nothing else, where no field has a name for it. */
const OTHER_FIELD =
  /["'](?:final|input|arguments|action_input|result|output|value|response|conclusion|verdict|solution|pick)["']\s{0,3}:\s{0,3}("[^"\\]{0,400}"|\["[^\]]{0,400}\])(?=\s{0,3}[,}])/giu;
const INPUT = /^.(?:arguments|input|action_input)/iu;
const LONGEST_LABEL = 6;
/** JSON in a string of a call: `"arguments": "{\"answer\": \"B\"}"`. */
const NESTED =
  /(?<=["'](?:arguments|input|action_input|parameters|args)["']\s{0,3}:\s{0,3})"\s{0,9}\{(?:[^"\\]|\\.){0,2000}\}\s{0,9}"/giu;

const CLOSING_QUOTE = /\\"(?=\s{0,9}[,:}\]])/gu;

/** `{"answer": "B"}`, `{"answers": ["A", "C"]}`, `{"arguments": "{\"answer\": \"B\"}"}`. */
export function jsonAnswer(written: Reading): readonly Claim[] {
  const isNested = written.text.includes('\\"');
  const reading = isNested
    ? { ...written, text: unnest(written.text), lower: unnest(written.lower) }
    : written;
  const claims = fieldClaims(reading);
  return claims.length > 0 ? claims : otherFieldClaims(reading);
}

/** The text keeps its length: a space stands on the outer side of each quote. */
function unnest(text: string): string {
  return text.replace(NESTED, (json) => {
    const lines = json.slice(1, -1).replaceAll('\\n', '  ');
    return ` ${lines.replace(CLOSING_QUOTE, '" ').replaceAll('\\"', ' "')} `;
  });
}

function fieldClaims(reading: Reading): readonly Claim[] {
  return [...findAll(reading.text, FIELD)].slice(-MOST_PLACES).flatMap((field) => {
    const [all, raw = ''] = field;
    const from = field.index + all.length - raw.length;
    const claim = valueClaim(reading, raw, from);
    const end = from + raw.length;
    const isLast = EMPTY.test(raw) && /^[^}]*\}?\W*$/u.test(reading.text.slice(end));
    return claim ?? (isLast ? { value: { kind: 'unoffered' as const }, start: from, end } : []);
  });
}

function otherFieldClaims(reading: Reading): readonly Claim[] {
  return [...findAll(reading.text, OTHER_FIELD)].slice(-MOST_PLACES).flatMap((field) => {
    const [all, raw = ''] = field;
    const end = field.index + all.length - 1;
    // The input of a search may be the text of an option.
    const isSearch = INPUT.test(all) && raw.length > LONGEST_LABEL;
    return isSearch ? [] : (wholeAt(reading, end - raw.length + 2, end) ?? []);
  });
}

/** `""` and `"E"`, where no option is E. */
const EMPTY = /^["']\W{0,9}[A-Z]?\W{0,9}$/u;

/** `"B"`, `"B. its text, and more"`, `null`. */
function valueClaim(reading: Reading, raw: string, from: number): Claim | null {
  if (raw === 'null') return { value: { kind: 'unsure' }, start: from, end: from + raw.length };
  const quote = /^["']/u.test(raw) ? 1 : 0;
  const start = from + quote;
  const end = from + raw.length - quote;
  const part = { ...reading, text: reading.text.slice(0, end), lower: reading.lower.slice(0, end) };
  return wholeAt(reading, start, end) ?? labelsAt(part, start);
}

const CONFIDENCE = /["']confidence["']\s{0,3}:\s{0,3}(?:"([^"]{0,40})"|(-?\d+(?:\.\d+)?))/iu;

/** `{"answer": "B", "confidence": "high"}` */
export function jsonConfidence(text: string): string | number | null {
  const match = CONFIDENCE.exec(text);
  return match === null ? null : (match[1] ?? Number(match[2]));
}

const TAG = String.raw`[<[](?:(?:selected|chosen|correct|final|my)[_ -]?)?(?:final|answers?|choices?|options?|ans|output|response|letter)[>\]]`;
const PARAMETER = String.raw`<(?:parameter|param|argument|arg|field)(?:=|\s{1,3}name=)["']?${FIELD_NAME}["']?>`;
const TAGS = new RegExp(String.raw`(?:${TAG}|${PARAMETER})([^<[]{0,300})(?:[<[]\/|$)`, 'giu');

/** `<answer>B</answer>`, `[ANSWER]B[/ANSWER]`, `<final answer>B`, `<parameter name="answer">B`. */
export function answerTag(reading: Reading): readonly Claim[] {
  // "<answer>A</answer><answer>B</answer>"
  const text =
    reading.multiple === true
      ? reading.text.replaceAll(/<\/(answer|option|choice|item|li)>[\s,]{0,9}<\1>/giu, ', ')
      : reading.text;
  return inside({ ...reading, text, lower: text.toLowerCase() }, TAGS);
}

/** `\boxed{B}`, `\boxed{\text{B. Iron}}`, `\boxed{42}` where 42 is the text of an option. */
export function boxes(reading: Reading): readonly Claim[] {
  return inside(reading, /⟦([^⟦⟧]{0,300})⟧/gu, besidesUnit);
}

/** Of very many, only the last ones count. */
const MOST_PLACES = 100;
/** "<answer></answer>" and "\\boxed{E}" at the end of the output, where no option is E. */
const NO_OPTION = /^\W{0,9}\w{0,2}[^\w<[⟧]{0,9}(?:⟧|[<[]\/[\w ]{1,12}[>\]])\W{0,9}$/u;

function inside(
  reading: Reading,
  pattern: RegExp,
  orElse: typeof besidesUnit = () => null,
): readonly Claim[] {
  return [...findAll(reading.text, pattern)].slice(-MOST_PLACES).flatMap((match) => {
    const [all, content = ''] = match;
    const from = match.index + all.search(/[>\]⟦]/u) + 1;
    const to = from + content.length;
    const claim = wholeAt(reading, from, to) ?? orElse(reading, from, to);
    const isLast = NO_OPTION.test(reading.text.slice(from, to + 40));
    return claim ?? (isLast ? { value: { kind: 'unoffered' as const }, start: from, end: to } : []);
  });
}

const UNIT = /^(?!(?:[xyzie]|pi|sqrt|to|or|and)$)[a-zµ%]|^[/^]$|^\d$/u;

/** The only option with the same number, where either the option or the output lacks the unit. */
function besidesUnit({ text, question }: Reading, start: number, end: number): Claim | null {
  const written = [...wordsIn(text.slice(start, end))].map(({ word }) => word);
  const [label, ...others] = [...question.texts].flatMap(([each, { words }]) => {
    const [short, long] = words.length < written.length ? [words, written] : [written, words];
    const isStart = /\d$/u.test(short.at(-1) ?? '') && short.every((word, i) => word === long[i]);
    const [first = '', ...rest] = long.slice(short.length);
    return isStart && /^[a-zµ%]/u.test(first) && [first, ...rest].every((word) => UNIT.test(word))
      ? each
      : [];
  });
  return label === undefined || others.length > 0 ? null : labelsClaim([label], start, end);
}

/** What may be around and between labels and texts. */
const LONGEST_AROUND = 500;

/** "B", "(B) Iron.", "A, C and D", "Iron", "None of the above": the output says nothing else. */
export function wholeText(reading: Reading): readonly Claim[] {
  const { question, text } = reading;
  const reach = [...question.texts.values()].reduce((sum, own) => sum + own.reach, LONGEST_AROUND);
  if (text.length > reach) return [];
  const claim = wholeAt(reading, 0, reading.text.length);
  return claim === null ? [] : [claim];
}

const CALL =
  /(?<=(?:^|\n)[ \t]{0,9}(?:(?:final )?action(?: \d{1,2})?: ?)?)(?:finish|answer|submit|final_?answer|submit_?answer|choose|select)[[(]([^\])\n]{1,300})[\])];?(?=\s{0,9}(?:\n|$))/giu;
const PRINTED =
  /(?<=(?:^|\n)[ \t]{0,20})(?:return|print|console\.log|echo|puts)[ (]{1,3}(["'])([^"'\n]{1,9})\1\)?;?(?=[\s}]{0,9}$)/u;
/** Of very many, only the last ones count. */
const MOST_CALLS = 100;

/** `Finish[B]`, `submit("B")`, and `print("B")` at the end of code. */
export function calls(reading: Reading): readonly Claim[] {
  const { text, question } = reading;
  const found = [...findAll(text, CALL)]
    .slice(-MOST_CALLS)
    .flatMap(({ 0: call, 1: content = '', index }) => {
      const start = index + call.search(/[[(]/u) + 1;
      const claim = wholeAt(reading, start, start + content.length);
      return claim !== null && labelsOf(claim).length > 0 ? claim : [];
    });
  const printed = PRINTED.exec(text);
  const label = question.labels.find(printed?.[2] ?? '');
  if (printed === null || label === null || label !== printed[2]) return found;
  return [...found, labelsClaim([label], printed.index, printed.index + printed[0].length)];
}

const LONGEST_OBJECT = 2000;
const OBJECT = /^\s{0,99}\{[^{}]{1,1900}\}\s{0,99}$/u;
const ENTRY =
  /^\s{0,9}["']([^"'\n]{1,9})["']\s{0,9}:\s{0,9}"?(\d{1,3}(?:\.\d{1,20})?)(?: ?%)?"?\s{0,9}$/u;

/** `{"A": 0.1, "B": 0.7, "C": 0.2}`: the output is a number for each option, and one is the largest. */
export function probabilities({ text, question }: Reading): readonly Claim[] {
  if (text.length > LONGEST_OBJECT || !OBJECT.test(text)) return [];
  const { ordered } = question.labels;
  const start = text.indexOf('{') + 1;
  const entries = text.slice(start, text.lastIndexOf('}')).split(',').map(toEntry);
  const numbers = new Map(entries.flatMap((entry) => (entry === null ? [] : [entry])));
  const isWhole = numbers.size === entries.length && entries.length === ordered.length;
  if (!isWhole || !ordered.every((label) => numbers.has(label))) return [];
  const most = Math.max(...numbers.values());
  // The numbers from 1 on are a ranking.
  if (ordered.every((_, i) => [...numbers.values()].includes(i + 1))) return [];
  const best = ordered.filter((label) => numbers.get(label) === most);
  return best.length === 1 ? [labelsClaim(best, start, text.length)] : [];
}

function toEntry(written: string): readonly [label: string, number: number] | null {
  const [, label = '', number] = ENTRY.exec(written) ?? [];
  return number === undefined ? null : [label, Number(number)];
}
