import { unescapeText } from './string-literal.ts';

/** An object of JSON in a text, with the answer that it has. */
export type JsonAnswer = Readonly<{
  start: number;
  end: number;
  /** The answer; "" where it is null. */
  content: string;
  /** How clearly the key names the answer: "final_answer", "answer", or only "result". */
  key: 'final' | 'answer' | 'loose';
}>;

/** Keys without case, blanks and underscores, from the clearest to the least clear. */
const KEYS: readonly (readonly [kind: JsonAnswer['key'], name: RegExp])[] = [
  ['final', /^(?:the|my|your)?finalanswers?(?:text|value|number|choice)?$|^最[终終]答案$/],
  [
    'answer',
    /^(?:the|my|your|correct|short|exact|direct|predicted|model|numeric(?:al)?)?answers?(?:text|value|number|choice|string)?$|^(?:答案|回答|réponse|respuesta|resposta|antwort)$/,
  ],
  [
    'loose',
    /^(?:results?|final(?:result|output|value)|solution|output|response|prediction|conclusion)$/,
  ],
];

/** Most texts have no such key, so no object needs to be read. */
const ANY_KEY =
  /(?:answers?|results?|solution|output|response|prediction|conclusion|text|value|number|choice|string|input|arguments|parameters|args|答案|回答|réponse|respuesta|resposta|antwort)["'”’]?\s{0,8}[:：]/i;
const OBJECT_START = /\{\s{0,200}(?:["'“]|[A-Za-z_]\w{0,30}\s?:)/g;

/**
 * The objects with an answer in a text, in order. They are read as models write them: with raw line
 * breaks, LaTeX without doubled backslashes, quotes inside quotes, trailing commas, or cut off.
 */
export function findJsonAnswers(text: string): readonly JsonAnswer[] {
  if (!text.includes('{') || !ANY_KEY.test(text)) return [];
  const found: JsonAnswer[] = [];
  // Objects inside objects that are no JSON are read again: a hostile text must not make that dear.
  const effort = { left: 2 * text.length };
  let read = 0;
  for (const { index } of text.matchAll(OBJECT_START)) {
    if (effort.left <= 0) break;
    if (index < read) continue;
    const reader = { text, at: index, depth: 0, effort };
    const answer = answerOf(readObject(reader), 0);
    effort.left -= reader.at - index;
    const isWhole = text.charAt(reader.at - 1) === '}';
    if (answer !== null) found.push({ start: index, end: reader.at, ...answer });
    if (answer !== null || isWhole) read = reader.at;
  }
  return found;
}

/** Where the object that starts at a place ends, if it is one of JSON; else null. */
export function jsonEndAt(text: string, start: number): number | null {
  const reader = { text, at: start, depth: 0, effort: { left: text.length } };
  if (!/^\{\s{0,200}["'“]/.test(text.slice(start, start + 202))) return null;
  return readObject(reader).size > 0 && text.charAt(reader.at - 1) === '}' ? reader.at : null;
}

type Value = string | null | readonly Value[] | Fields;
type Fields = ReadonlyMap<string, Value>;

type Named = Pick<JsonAnswer, 'content' | 'key'>;

function answerOf(fields: Fields, depth: number): Named | null {
  const submitted = submittedBy(fields, depth);
  if (submitted !== null) return submitted;
  for (const [key, pattern] of KEYS.slice(0, depth > 0 ? -1 : undefined)) {
    for (const [name, value] of fields) {
      const content = pattern.test(name) ? toContent(value) : null;
      if (content !== null) return { content, key };
    }
  }
  if (depth >= MAX_DEPTH) return null;
  // The call of a tool, and a reply that wraps another one.
  for (const [name, field] of fields) {
    const value = name === 'toolcalls' && Array.isArray(field) ? field.at(-1) : field;
    const inner = value instanceof Map ? answerOf(value, depth + 1) : null;
    if (inner !== null) return inner;
  }
  return null;
}

const TOOL = /^(?:name|action|tool|toolname|function)$/;
const ARGUMENTS = /^(?:arguments|actioninput|parameters|input|args|toolinput)$/;
const SUBMIT = /^(?:submit|submit[ _]?(?:final[ _]?)?answer|final[ _]?answer|finish)$/i;

/** What a call submits: `{"action": "Final Answer", "action_input": "17"}`. */
function submittedBy(fields: Fields, depth: number): Named | null {
  const isSubmit = [...fields].some(
    ([name, value]) => TOOL.test(name) && typeof value === 'string' && SUBMIT.test(value),
  );
  const [, argument] = [...fields].find(([name]) => isSubmit && ARGUMENTS.test(name)) ?? [];
  const object = typeof argument === 'string' ? objectIn(argument) : argument;
  if (!(object instanceof Map)) {
    const content = toContent(argument);
    return content === null ? null : { content, key: 'final' };
  }
  const [only = null, ...others] = (object as Fields).values();
  const inner = depth < MAX_DEPTH ? answerOf(object as Fields, depth + 1) : null;
  const content = others.length === 0 ? toContent(only) : null;
  return inner ?? (content === null ? null : { content, key: 'final' });
}

/** The object of JSON that a text is, as the arguments of a call may be. */
function objectIn(text: string): Fields | null {
  if (!/^\s{0,9}\{\s{0,9}["']/.test(text)) return null;
  const at = text.indexOf('{');
  const fields = readObject({ text, at, depth: 0, effort: { left: text.length } });
  return fields.size > 0 ? fields : null;
}

function toContent(value: Value | undefined): string | null {
  if (value === undefined || value instanceof Map) return null;
  if (value === null) return '';
  if (typeof value === 'string') return value;
  const texts = (value as readonly Value[]).map((each) =>
    Array.isArray(each) ? null : toContent(each),
  );
  return texts.includes(null) ? null : texts.join(', ');
}

type Reader = {
  readonly text: string;
  at: number;
  depth: number;
  readonly effort: { left: number };
};

const MAX_DEPTH = 8;

/** The fields up to where the object ends, or is no JSON any more. */
function readObject(reader: Reader): Fields {
  const fields = new Map<string, Value>();
  reader.at += 1;
  while (!take(reader, /\}/y)) {
    const key = readKey(reader);
    const value = key === null || !take(reader, /[:：]/y) ? undefined : readValue(reader);
    if (key === null || value === undefined) break;
    fields.set(key.toLowerCase().replace(/[_\s-]/g, ''), value);
    take(reader, /,/y);
  }
  return fields;
}

function readKey(reader: Reader): string | null {
  skipBlanks(reader);
  if (/["'“]/.test(reader.text.charAt(reader.at))) return readText(reader) ?? null;
  return matchHere(reader, /[\p{L}_][\p{L}\p{N}_-]{0,40}(?=\s{0,9}[:：])/uy);
}

function readValue(reader: Reader): Value | undefined {
  skipBlanks(reader);
  const first = reader.text.charAt(reader.at);
  if (/["'“]/.test(first)) return readText(reader);
  if (first !== '{' && first !== '[') return readBare(reader);
  if (reader.depth >= MAX_DEPTH) return undefined;
  reader.depth += 1;
  const value = first === '{' ? readObject(reader) : readArray(reader);
  reader.depth -= 1;
  return value;
}

function readArray(reader: Reader): readonly Value[] | undefined {
  const items: Value[] = [];
  reader.at += 1;
  while (!take(reader, /\]/y)) {
    const item = readValue(reader);
    if (item === undefined) return undefined;
    items.push(item);
    take(reader, /,/y);
  }
  return items;
}

/** A number, true, null, None, or a text whose quotes are missing. */
function readBare(reader: Reader): string | null | undefined {
  const written = (matchHere(reader, FORMULA) ?? matchHere(reader, BARE))?.trim();
  if (written === undefined) return undefined;
  return /^(?:null|none)$/i.test(written) ? null : written;
}

/** "1,234" and "\\frac{3}{7}", whose comma and braces are no signs of JSON. */
const FORMULA =
  /(?:-?\d{1,3}(?:,\d{3}){1,9}(?:\.\d{1,20})?|-?\\[A-Za-z]{1,20}(?:\{[^{}\n]{0,100}\}){1,2})(?=\s{0,20}(?:\}|\n|,\s{0,20}["'}]))/y;
const BARE = /[^\s,{}[\]"'“”:][^,{}[\]"“”\n:]{0,200}(?=[,}\]\n]|$)/y;

/** What may follow the comma behind a string: another value or key, or an end. */
const NEXT_ITEM =
  /["'“}\]{[]|-?\d|(?:true|false|null|None|True|False)(?!\w)|[A-Za-z_]\w{0,40}\s?:|$/y;
const NEXT_KEY = /["'][^"'\n]{1,40}["']\s{0,9}:/y;

/** A string. Quotes inside it are told from its end by what follows them. */
function readText(reader: Reader): string | undefined {
  const { text, effort } = reader;
  const open = text.charAt(reader.at);
  const close = open === '“' ? '”' : open;
  const start = reader.at + 1;
  for (let i = start; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\') i++;
    else if (character === close && isNext(text, i + 1)) {
      effort.left -= i - start;
      reader.at = i + 1;
      return unescapeText(text.slice(start, i));
    }
  }
  effort.left -= text.length - start;
  return undefined;
}

/** Whether a string may end before a place. A comma may have been forgotten at the end of a line. */
function isNext(text: string, at: number): boolean {
  const next = behindBlanks(text, at);
  const sign = text.charAt(next);
  if (sign === '' || /[}\]:：]/.test(sign)) return true;
  const [pattern, from] =
    sign === ',' ? [NEXT_ITEM, behindBlanks(text, next + 1)] : [NEXT_KEY, next];
  pattern.lastIndex = from;
  return (sign === ',' || text.slice(at, next).includes('\n')) && pattern.test(text);
}

const MOST_BLANKS = 200;

function behindBlanks(text: string, at: number): number {
  let next = at;
  while (next - at < MOST_BLANKS && /\s/.test(text.charAt(next))) next++;
  return next;
}

function take(reader: Reader, pattern: RegExp): boolean {
  skipBlanks(reader);
  return matchHere(reader, pattern) !== null;
}

function skipBlanks(reader: Reader): void {
  matchHere(reader, /\s{1,10000}/y);
}

function matchHere(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? null;
  if (found !== null) reader.at += found.length;
  return found;
}
