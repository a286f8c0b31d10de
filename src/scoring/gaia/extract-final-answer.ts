import { tryOrUndefined } from '../../text/show.ts';
import { blankThoughts, ownText } from '../../text/thoughts.ts';
import { dropLeadIn, markedAnswers, statedAnswers, withEnglishLabels } from './announced-answer.ts';
import { parsePythonFloat } from './python.ts';
import { isDenied, isPlaceholder, lastBox, readStringLiteral, tidyAnswer } from './tidy-answer.ts';

/** An answer with the shape in which it was found (`how`), or the reason why there is none. */
export type FoundAnswer =
  | Readonly<{ answer: string; how: string }>
  | Readonly<{ answer: null; how: 'none'; reason: string }>;

/** The most candidates that are read in one text. Thousands of empty markers would cost time. */
const MAX_CANDIDATES = 40;

/**
 * Finds the final answer in an agent's output: answer tag, submit call, final answer marker, box,
 * JSON or statement. Without any of them, a text of at most 1,000 characters is the answer as a
 * whole. Shapes are tried from the most to the least explicit; within a shape the last one wins.
 * `how` names the shape. Without an answer, `answer` is null and `how` is "none". Never throws; the
 * work is bounded for outputs of any length.
 */
export function extractFinalAnswer(output: string): Readonly<{
  answer: string | null;
  how: string;
}> {
  const { answer, how } = findAnswer(output);
  return { answer, how };
}

/** Like `extractFinalAnswer`, but says why there is no answer. */
export function findAnswer(output: string): FoundAnswer {
  const own = ownText(output);
  const text = withEnglishLabels(blankThoughts(own));
  let reason: string | null = null;
  for (const [how, content] of findCandidates(text).take(MAX_CANDIDATES)) {
    const answer = refine(content);
    const lack = whyNoAnswer(answer);
    if (lack === null) return { answer, how };
    reason ??= lack;
  }
  if (reason === null && !own.truncated) return takeWhole(text);
  return none(reason ?? 'truncated thinking');
}

type Candidate = readonly [how: string, content: string];

function* findCandidates(text: string): Generator<Candidate> {
  const json = wholeJsonAnswer(text);
  if (json !== null) yield ['json', json];
  const tags = readTags(text);
  for (const content of tags.closed.reverse()) yield ['answer tag', content];
  yield* findCallsAndMarkers(text);
  const box = lastBox(text);
  if (box !== null) yield ['boxed', box];
  const [, lastLine] = LAST_LINE.exec(text.slice(-MAX_LAST_LINE)) ?? [];
  if (lastLine !== undefined) yield ['final answer marker', lastLine];
  for (const content of embeddedJsonAnswers(text)) yield ['json', content];
  if (tags.open !== null) yield ['answer tag', tags.open];
  for (const content of statedAnswers(text)) yield ['answer statement', content];
}

/** "#### 42", with which the solutions of GSM8K end. */
const LAST_LINE = /(?:^|\n)#### ([^\n]+)\s*$/;
const MAX_LAST_LINE = 200;

// A call and a marker are equally explicit: the later one wins.
function* findCallsAndMarkers(text: string): Generator<Candidate> {
  const calls = [...text.matchAll(SUBMIT_CALL)];
  for (const { start, content } of markedAnswers(text)) {
    while ((calls.at(-1)?.index ?? -1) > start) yield* readCall(text, calls.pop());
    yield ['final answer marker', content];
  }
  while (calls.length > 0) yield* readCall(text, calls.pop());
}

function refine(raw: string): string {
  const said = wholeJsonAnswer(raw) ?? raw;
  const marked = markedAnswers(said).take(MAX_CANDIDATES);
  const inner = marked.find(({ content }) => content !== '')?.content ?? said;
  return tidyAnswer(lastBox(inner) ?? dropLeadIn(inner.trim()));
}

/** A longer text without any shape is not taken for an answer. */
const MAX_WHOLE_LENGTH = 1000;

function takeWhole(text: string): FoundAnswer {
  const whole = text.trim();
  if (whole.length > 2 * MAX_WHOLE_LENGTH || [...whole].length > MAX_WHOLE_LENGTH)
    return none('no final answer');
  const answer = tidyAnswer(whole);
  const lack = whyNoAnswer(answer);
  return lack === null ? { answer, how: 'whole text' } : none(lack);
}

function whyNoAnswer(answer: string): string | null {
  if (answer === '') return 'empty';
  return isPlaceholder(answer) ? 'placeholder' : null;
}

export function none(reason: string): FoundAnswer {
  return { answer: null, how: 'none', reason };
}

const TAG = /<(\/?)(final[_ -]?answer|answer|solution)(?:\s[^<>\n]{0,80})?>/gi;

/**
 * The contents of the answer tags of a text. `open` is the content of a tag that is never closed,
 * because generation stopped at the closing tag. It is one line only: a longer rest is prose that
 * mentions the tag.
 */
function readTags(text: string): Readonly<{ closed: string[]; open: string | null }> {
  const closed: string[] = [];
  let open: Readonly<{ name: string; start: number }> | null = null;
  for (const { 0: tag, 1: slash, 2: written = '', index } of text.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (slash === '') open = { name, start: index + tag.length };
    else if (open?.name === name) {
      const isNote = closed.length > 0 && isDenied(text, index + tag.length);
      if (!isNote) closed.push(text.slice(open.start, index));
      open = null;
    }
  }
  const rest = open === null ? null : text.slice(open.start).trim();
  return { closed, open: rest?.includes('\n') === true ? null : rest };
}

/**
 * Calls that submit an answer, such as `submit("...")` and `final_answer(42)`, up to their
 * argument.
 */
const SUBMIT_CALL =
  /(?<![\w.])(?:submit|submit_?(?:final_?)?answer|final_?answer)\s{0,4}\(\s{0,8}(?:(?:final_)?answer\s{0,4}[=:]\s{0,4})?/gi;

// Only a literal tells the answer; a variable or an expression does not.
function* readCall(text: string, call: RegExpExecArray | undefined): Generator<Candidate> {
  if (call === undefined) return;
  const start = call.index + call[0].length;
  const literal = readStringLiteral(text, start);
  const number = /^([^()\n]{1,100})\)/.exec(text.slice(start, start + 102))?.[1];
  if (literal !== null) {
    const isWhole = /^\s{0,8},?\s{0,8}\)/.test(text.slice(literal.end, literal.end + 20));
    if (isWhole) yield ['submit call', literal.value];
  } else if (number !== undefined && parsePythonFloat(number) !== null)
    yield ['submit call', number];
}

const FENCED = /^```[ \t]{0,4}\w{0,10}\s([\s\S]*)```$/;

/**
 * The answer of a text that is one JSON object, fenced or not: its "final_answer", else its
 * "answer". A null answer becomes ''. Returns null when the text is no such object.
 */
function wholeJsonAnswer(text: string): string | null {
  const trimmed = text.trim();
  const body = FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
  if (!body.startsWith('{') || !body.endsWith('}')) return null;
  const found: object = tryOrUndefined(() => JSON.parse(body)) ?? {};
  const toPlainKey = (key: string) => key.toLowerCase().replace(/[_ -]/g, '');
  const fields = new Map(
    Object.entries(found).map(([key, value]) => [toPlainKey(key), toText(value)]),
  );
  return fields.get('finalanswer') ?? fields.get('answer') ?? null;
}

function toText(value: unknown): string | null {
  if (value === null) return '';
  if (!Array.isArray(value)) return typeof value === 'object' ? null : String(value);
  const texts = value.map((element) => (Array.isArray(element) ? null : toText(element)));
  return texts.includes(null) ? null : texts.join(', ');
}

const EMBEDDED = [/"final[_ -]?answer"\s{0,8}:\s{0,8}/gi, /"answer"\s{0,8}:\s{0,8}/gi];
const SCALAR = /^(?:-?[\d.]{1,40}(?:e[+-]?\d{1,5})?|true|false|null)(?=\s{0,8}[,}])/i;

/**
 * Answers in JSON objects anywhere in a text, the last one first, and "final_answer" before
 * "answer".
 */
function* embeddedJsonAnswers(text: string): Generator<string> {
  for (const key of EMBEDDED) {
    const keys = [...text.matchAll(key)];
    // A hostile text may consist of keys without values.
    for (const { 0: written, index } of keys.slice(-MAX_CANDIDATES).reverse()) {
      const value = readJsonValue(text, index + written.length);
      if (value !== undefined) yield value;
    }
  }
}

function readJsonValue(text: string, start: number): string | undefined {
  if (text.charAt(start) === '"') return readStringLiteral(text, start)?.value;
  const scalar = SCALAR.exec(text.slice(start, start + 60))?.[0];
  return scalar?.toLowerCase() === 'null' ? '' : scalar;
}
