import { parsePythonFloat } from './python.ts';
import { plainMath, readStringLiteral } from './tidy-answer.ts';

const TAG = /<(\/?)(final[_ -]?answer|answer|solution)\s{0,4}>/gi;

type Span = { readonly start: number; readonly end: number };

/** Contents of the answer tags of a text, the last one first. */
export function* taggedAnswers(text: string): Generator<string> {
  for (const { start, end } of readTags(text).closed.reverse()) yield text.slice(start, end);
}

/**
 * The content of an answer tag that the text opens and never closes, as when generation stops at the closing tag.
 * One line only: a longer rest is prose that mentions the tag.
 */
export function* unclosedTagAnswers(text: string): Generator<string> {
  const { open } = readTags(text);
  if (open === null) return;
  const rest = text.slice(open).trim();
  if (!rest.includes('\n')) yield rest;
}

function readTags(text: string): { closed: Span[]; open: number | null } {
  const closed: Span[] = [];
  let open: { name: string; start: number } | null = null;
  for (const tag of text.matchAll(TAG)) {
    const name = (tag[2] ?? '').toLowerCase();
    if (tag[1] === '') open = { name, start: tag.index + tag[0].length };
    else if (open?.name === name) {
      closed.push({ start: open.start, end: tag.index });
      open = null;
    }
  }
  return { closed, open: open?.start ?? null };
}

// An escaped brace or backslash is a token of its own, so that it opens and closes nothing.
const TOKEN = /\\f?boxed\s{0,4}\{|\\[\\{}]|[{}]/g;

type Box = { readonly start: number; readonly end: number };

/** Content of the last LaTeX `\boxed{...}` of a text that is closed and not blank; braces may nest. */
export function lastBox(text: string): string | null {
  // One pass with a stack: looking for the end of each box by itself is quadratic when many are never closed.
  const starts: number[] = [];
  let last: Box | null = null;
  for (const token of braces(text)) {
    if (token.kind === 'open') starts.push(token.at);
    else if (token.kind === 'brace') starts.push(-1);
    else last = later(text, last, { start: starts.pop() ?? -1, end: token.at });
  }
  return last === null ? null : plainMath(text.slice(last.start, last.end));
}

/** As a list of candidates, for the order in which shapes are tried. */
export function* boxedAnswers(text: string): Generator<string> {
  const box = lastBox(text);
  if (box !== null) yield box;
}

type Token = { readonly kind: 'open' | 'brace' | 'close'; readonly at: number };

function* braces(text: string): Generator<Token> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '}') yield { kind: 'close', at: index };
    else if (token === '{') yield { kind: 'brace', at: index };
    else if (token.length > 2) yield { kind: 'open', at: index + token.length };
  }
}

function later(text: string, last: Box | null, box: Box): Box | null {
  // A brace that opens no box is at -1, from where nothing is cut out.
  if (last !== null && box.start < last.start) return last;
  return text.slice(box.start, box.end).trim() === '' ? last : box;
}

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

const CALL =
  /(?<![\w.])(?:submit|submit_?(?:final_?)?answer|final_?answer)\s{0,4}\(\s{0,8}(?:(?:final_)?answer\s{0,4}[=:]\s{0,4})?/gi;

/** Where a call that hands in an answer stands in a text, and what it hands in. */
export type SubmitCall = { readonly start: number; readonly read: () => string | null };

/** Calls such as `submit("...")` and `final_answer(42)`, in text order. `read` gives null for an unknown value. */
export function findSubmitCalls(text: string): SubmitCall[] {
  return Array.from(text.matchAll(CALL), (call) => ({
    start: call.index,
    read: () => readArgument(text, call.index + call[0].length),
  }));
}

// A variable or an expression says nothing about the answer: only a literal does.
function readArgument(text: string, start: number): string | null {
  const literal = readStringLiteral(text, start);
  if (literal !== null)
    return /^\s{0,8},?\s{0,8}\)/.test(text.slice(literal.end, literal.end + 20)) ? literal.value : null;
  const number = /^([^()\n]{1,100})\)/.exec(text.slice(start, start + 102))?.[1];
  return number === undefined || parsePythonFloat(number) === null ? null : number;
}
