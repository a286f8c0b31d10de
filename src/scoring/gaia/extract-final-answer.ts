import { blankThoughts, ownText } from '../../words/thoughts/thoughts.ts';
import type { AnswerClaim } from '../claim.ts';
import { announcedAnswers, dropLeadIn, guessedAnswers } from './announced-answer.ts';
import { boxedAnswers, lastBox } from './boxes.ts';
import { endsInCall, submittedAnswers } from './calls.ts';
import { closingWords } from './closing-words.ts';
import { followBack, type Trail } from './edits.ts';
import { findJsonAnswers, type JsonAnswer } from './json-answer.ts';
import { withEnglishLabels, withPlainLabels } from './labels.ts';
import { toOneForm } from './one-form.ts';
import { inventedPair, inventedStart, isExample } from './own-answer.ts';
import { isSameAnswer } from './same-answer.ts';
import { type Sought, seek } from './seek.ts';
import { readStringLiteral } from './string-literal.ts';
import { dropSource, isDenied, isPlaceholder, tidyAnswer } from './tidy-answer.ts';

/** An answer with the shape in which it was found (`how`), or the reason why there is none. */
export type FoundAnswer = Readonly<{
  /**
   * False where the output states two answers that differ, or an example or another question beside
   * its answer, or where only a loose form spoke.
   */
  certain: boolean;
}> &
  (
    | Readonly<{ answer: string; how: string }>
    | Readonly<{ answer: null; how: 'none'; reason: string }>
  );

export type ExtractedAnswer = Readonly<{ answer: string | null; how: string; certain: boolean }>;

/**
 * Finds the final answer in an agent's output: answer tag, submit call, final answer marker, box,
 * JSON or statement. Without any of them, a text of at most 1,000 characters is the answer as a
 * whole. Shapes are tried from the most to the least explicit; within a shape the last one wins.
 * `how` names the shape. Without an answer, `answer` is null and `how` is "none". `certain` is false
 * where the output states two answers that differ, or goes on with a question that it invents, or
 * where only a loose shape spoke. With `explain`, `claims` are all places that were read, in order.
 * Never throws; the work is bounded for outputs of any length.
 *
 * @example
 * extractFinalAnswer('I counted.\nFINAL ANSWER: 17');
 * // { answer: '17', how: 'final answer marker', certain: true }
 */
export function extractFinalAnswer(
  output: string,
  options: Readonly<{ explain: true }>,
): ExtractedAnswer & Readonly<{ claims: readonly AnswerClaim[] }>;
/** The second argument may be a sample, too: the function is the `extract` of a suite as it is. */
export function extractFinalAnswer(output: string, options?: object): ExtractedAnswer;
export function extractFinalAnswer(
  output: string,
  { explain }: Readonly<{ explain?: unknown }> = {},
): ExtractedAnswer & Readonly<{ claims?: readonly AnswerClaim[] }> {
  if (explain !== true) {
    const { answer, how, certain } = findAnswer(output);
    return { answer, how, certain };
  }
  const trail: Trail = [];
  const reading = readOutput(output, trail);
  const { answer, how, certain } = reading.found;
  return { answer, how, certain, claims: toClaims(output, reading, trail) };
}

/** Like `extractFinalAnswer`, but says why there is no answer. */
export function findAnswer(output: string): FoundAnswer {
  return readOutput(output).found;
}

/** The words of an output that said its answer, where formulas still have their signs; or null. */
export function answerWords(output: string): string | null {
  return readOutput(output).winner?.content ?? null;
}

/** The text of an output that may state an answer: the model's own, without thoughts. */
export function statingText(output: string): string {
  return toOneForm(blankThoughts(ownText(output)));
}

/** Forms from the most to the least explicit; the numbers are their ranks. */
const RANK = {
  wholeJson: 0,
  tag: 1,
  // A call and a marker are equally explicit: the later one wins.
  marker: 2,
  box: 3,
  lastLine: 4,
  finalJson: 5,
  json: 6,
  openTag: 7,
  statement: 8,
  guess: 9,
  looseJson: 10,
  closing: 11,
  whole: 12,
} as const;

/** A place that states an answer, or looks as if it did. */
type Candidate = Readonly<{
  form: string;
  rank: number;
  start: number;
  end: number;
  /** The answer without its formatting. */
  says: string;
  /** The part of the text that it was made from. */
  content: string;
  /** Of a marker: whether it says "final". */
  final?: boolean;
  /** Why it cannot be the answer, or null. */
  fault: 'denied' | 'example' | 'invented' | 'empty' | 'placeholder' | null;
}>;

type Reading = Readonly<{
  found: FoundAnswer;
  winner: Candidate | null;
  candidates: readonly Candidate[];
}>;

/** The most candidates that are read in one text. Thousands of empty markers would cost time. */
const MAX_CANDIDATES = 40;

function readOutput(output: string, trail?: Trail): Reading {
  const message = ownText(output);
  const visible = toOneForm(blankThoughts(message), trail);
  const whole = withEnglishLabels(withPlainLabels(visible, trail), trail);
  const all = findCandidates(whole);
  const stating = all.flatMap((each) =>
    each.fault === null ? { ...each, rank: each.rank + (each.final === false ? 0.5 : 0) } : [],
  );
  const invented = all.length === 0 ? inventedPair(whole) : inventedStart(whole, stating);
  const text = invented === null ? whole : whole.slice(0, invented);
  const candidates = invented === null ? all : findCandidates(text);
  const stated = candidates.find(({ fault }) => fault === null) ?? null;
  const reason = candidates.find(({ fault }) => fault !== 'denied')?.fault ?? null;
  const lack = message.truncated ? 'truncated thinking' : reason;
  const winner = stated ?? (lack === null ? wholeCandidate(text) : null);
  const isClear = invented === null && isCertain(candidates, winner);
  const later = all.filter(({ start }) => invented !== null && start >= invented);
  return {
    found: winner === null ? toNone(output, lack ?? whyNoWhole(text)) : toFound(winner, isClear),
    winner,
    candidates: [...candidates, ...later.map((each) => ({ ...each, fault: 'invented' }) as const)],
  };
}

function toFound({ says, form }: Candidate, isClear: boolean): FoundAnswer {
  return { answer: says, how: form, certain: isClear };
}

function toNone(output: string, reason: string): FoundAnswer {
  // Of a text without an answer that can be read, a reader may still see one.
  return noAnswer(reason, output.trim() === '' || reason === 'truncated thinking');
}

/** Longer answers of a statement, and longer whole texts, are sentences more often than answers. */
const MAX_CLEAR = 80;
const SENTENCE = /^\S+ (?:\S+ ){2,}\S+[.!?。]$|^\p{Lu}\S* \p{Ll}\S* (?:\p{Ll}\S*|\d[\d,.]*)[.!?]$/u;

function isCertain(candidates: readonly Candidate[], winner: Candidate | null): boolean {
  if (winner === null) return false;
  const { says, rank } = winner;
  const isLoose =
    (rank >= RANK.statement && (says.includes('\n') || says.length > MAX_CLEAR)) ||
    (rank === RANK.whole && SENTENCE.test(says));
  if (isLoose || (rank > RANK.statement && rank < RANK.whole)) return false;
  return candidates.every(
    (other) =>
      (other.fault !== 'example' || other.rank >= RANK.statement) &&
      (other.fault !== null || other.rank > RANK.statement || isSameAnswer(other.says, says)),
  );
}

/** The candidates of a text, from the most to the least explicit form, and from its end. */
function findCandidates(text: string): readonly Candidate[] {
  const objects = findJsonAnswers(text);
  const places = [...readPlaces(text, objects)]
    .sort((a, b) => a.rank - b.rank || b.start - a.start)
    .slice(0, MAX_CANDIDATES);
  return places.map((place) => {
    const says = refine(place.content);
    const denied = place.denied === true ? 'denied' : null;
    const fault = denied ?? whyNoAnswer(says) ?? (isExample(text, place.start) ? 'example' : null);
    return { ...place, says, fault };
  });
}

type Place = Omit<Candidate, 'says' | 'fault'> & Readonly<{ denied?: boolean }>;

function* readPlaces(text: string, objects: readonly JsonAnswer[]): Generator<Place> {
  const announced = announcedAnswers(text, objects);
  for (const { kind, ...place } of announced) {
    const isMarker = kind === 'marker';
    const form = isMarker ? 'final answer marker' : 'answer statement';
    yield { ...place, form, rank: isMarker ? RANK.marker : RANK.statement };
  }
  for (const guess of guessedAnswers(text))
    yield { ...guess, form: 'answer statement', rank: RANK.guess };
  const ends = new Set(announced.map(({ end }) => end));
  for (const object of objects.filter(({ end }) => !ends.has(end)))
    yield { ...object, form: 'json', rank: jsonRank(text, object) };
  const calls = submittedAnswers(text).map((call) => ({
    ...call,
    form: 'submit call',
    rank: RANK.marker,
  }));
  const boxes = boxedAnswers(text).map((box) => ({ ...box, form: 'boxed', rank: RANK.box }));
  const others = [...readTags(text), ...calls, ...boxes, ...readLastLine(text)];
  const isInside = ({ start, end }: Place) =>
    objects.some((object) => object.key !== 'loose' && object.start < start && end < object.end);
  yield* others.filter((place) => !isInside(place));
  if (objects.length === 0) yield* looseFields(text);
}

function jsonRank(text: string, { start, end, key }: JsonAnswer): number {
  const isWhole =
    /^\s*(?:```[ \t]{0,4}\w{0,10}\s+)?$/.test(text.slice(Math.max(0, start - 60), start)) &&
    start < 60 &&
    /^\s*(?:```\s*)?$/.test(text.slice(end, end + 60)) &&
    text.slice(end).trim().length <= 3;
  if (isWhole) return RANK.wholeJson;
  return { final: RANK.finalJson, answer: RANK.json, loose: RANK.looseJson }[key];
}

/** "#### 42", with which the solutions of GSM8K end. Before other text it must be a number. */
const LAST_LINE: Sought = {
  sign: /#### /,
  pattern: /(?<=^|\n)#### (?:([^\n]{1,200})\s*$|([-+$]{0,2}\d[\d.,/]{0,30}%?)[ \t]*(?=\n))/g,
};

function* readLastLine(text: string): Generator<Place> {
  for (const { 0: written, 1: last, 2: content = last ?? '', index } of seek(text, LAST_LINE)) {
    const end = index + written.trimEnd().length;
    yield { form: 'final answer marker', rank: RANK.lastLine, start: index, end, content };
  }
}

function refine(raw: string): string {
  const unwrapped = wholeJsonAnswer(raw) ?? raw;
  const marked = unwrapped.search(/answer/i) === -1 ? [] : announcedAnswers(unwrapped);
  const inner = marked.find(
    ({ kind, content, denied }) => kind === 'marker' && content !== '' && !denied,
  );
  const content = inner?.content ?? unwrapped;
  return tidyAnswer(lastBox(content) ?? dropSource(dropLeadIn(content.trim())));
}

/** The answer of a text that is one JSON object, fenced or not; null when it is none. */
function wholeJsonAnswer(text: string): string | null {
  const [object] = findJsonAnswers(text);
  return object !== undefined && jsonRank(text, object) === RANK.wholeJson ? object.content : null;
}

/** A longer text without any shape is not taken for an answer. */
const MAX_WHOLE_LENGTH = 1000;

function wholeCandidate(text: string): Candidate | null {
  const whole = text.trim();
  if (endsInCall(whole)) return null;
  const closing = closingWords(text);
  if (closing !== null) {
    const says = tidyAnswer(closing.content);
    const form = 'closing words';
    if (whyNoAnswer(says) === null)
      return { ...closing, form, rank: RANK.closing, says, fault: null };
  }
  if (isLong(whole)) return null;
  const says = tidyAnswer(whole);
  const start = text.length - text.trimStart().length;
  const place = { form: 'whole text', rank: RANK.whole, start, end: start + whole.length };
  return whyNoAnswer(says) === null ? { ...place, content: whole, says, fault: null } : null;
}

function isLong(whole: string): boolean {
  if (whole.length <= MAX_WHOLE_LENGTH) return false;
  return whole.length > 2 * MAX_WHOLE_LENGTH || [...whole].length > MAX_WHOLE_LENGTH;
}

function whyNoWhole(text: string): string {
  const whole = text.trim();
  const reason = isLong(whole) ? null : whyNoAnswer(tidyAnswer(whole));
  return reason ?? (endsInCall(whole) ? 'unfinished tool call' : 'no final answer');
}

function whyNoAnswer(answer: string): 'empty' | 'placeholder' | null {
  if (answer === '') return 'empty';
  return isPlaceholder(answer) ? 'placeholder' : null;
}

export function noAnswer(reason: string, certain = false): FoundAnswer {
  return { answer: null, how: 'none', reason, certain };
}

const TAG: Sought = {
  sign: /[<[]/,
  pattern:
    /<(\/?)(final[_ -]?answer|answer|ans|final|solution)(?:\s[^<>\n]{0,80})?>|\[(\/?)(?:FINAL[ _-]?)?ANSWER\]/gi,
};

/**
 * The contents of the answer tags of a text. A tag that is never closed, because generation stopped
 * at the closing tag, has one line: a longer rest is prose that mentions the tag.
 */
function* readTags(text: string): Generator<Place> {
  let open: Readonly<{ name: string; index: number; start: number }> | null = null;
  let count = 0;
  for (const { 0: tag, 1: angle, 2: written = '', 3: slash = angle, index } of seek(text, TAG)) {
    const name = written.toLowerCase();
    const end = index + tag.length;
    if (slash === '') open = { name, index, start: end };
    else if (open?.name === name) {
      const content = text.slice(open.start, index);
      const denied = count > 0 && isDenied(text, end);
      yield { form: 'answer tag', rank: RANK.tag, start: open.index, end, content, denied };
      count += 1;
      open = null;
    }
  }
  const content = open === null ? '\n' : text.slice(open.start).trim();
  if (open !== null && open.name !== '' && !content.includes('\n'))
    yield { form: 'answer tag', rank: RANK.openTag, start: open.index, end: text.length, content };
}

/** A field of JSON without its braces, as where the prompt has opened the object. */
const FIELD: Sought = {
  sign: /answer["']/i,
  pattern: /(?<![\\\w])["'](final[_ -]?answer|answer)["']\s{0,8}:\s{0,8}/gi,
};
const SCALAR = /^(?:-?[\d.]{1,40}(?:e[+-]?\d{1,5})?|true|false|null)(?=\s{0,8}[,}])/i;

function* looseFields(text: string): Generator<Place> {
  // A hostile text may consist of keys without values.
  for (const { 0: key, 1: name, index } of [...seek(text, FIELD)].slice(-MAX_CANDIDATES)) {
    const start = index + key.length;
    const literal = readStringLiteral(text, start);
    const scalar = SCALAR.exec(text.slice(start, start + 60))?.[0];
    const content = literal?.value ?? (scalar?.toLowerCase() === 'null' ? '' : scalar);
    if (content === undefined) continue;
    const rank = name?.toLowerCase() === 'answer' ? RANK.json : RANK.finalJson;
    yield {
      form: 'json',
      rank,
      start: index,
      end: literal?.end ?? start + (scalar ?? '').length,
      content,
    };
  }
}

/** Of a text with very many places, these many are explained. */
const MAX_CLAIMS = 100;

/** The places that were read, in their order in the output. */
function toClaims(output: string, { winner, candidates }: Reading, trail: Trail) {
  const base = ownText(output).offset;
  const shown =
    winner === null || candidates.includes(winner) ? candidates : [...candidates, winner];
  const claims = shown.slice(0, MAX_CLAIMS).map((each): AnswerClaim => {
    const [start, end] = followBack(trail, [each.start, each.end]).map((place) => place + base);
    const says = each.fault === 'empty' || each.fault === 'placeholder' ? null : each.says;
    const place = { start: start ?? 0, end: end ?? 0 };
    const text = output.slice(place.start, place.end);
    return {
      text,
      ...place,
      form: each.form,
      says,
      won: each === winner,
      why: whyOf(each, winner),
    };
  });
  return claims.sort((a, b) => a.start - b.start || a.end - b.end);
}

const FAULTS: Readonly<Record<NonNullable<Candidate['fault']>, string>> = {
  denied: 'the text says that it is wrong',
  example: 'the text gives it as an example',
  invented: 'it answers a question that the output invents after its own answer',
  empty: 'nothing follows',
  placeholder: 'it is the unfilled template of the prompt',
};

function whyOf(claim: Candidate, winner: Candidate | null): string {
  if (claim.fault !== null) return FAULTS[claim.fault];
  if (winner === null || claim === winner)
    return claim.rank === RANK.whole
      ? 'the output has no other form of an answer'
      : 'no form in the output is more explicit, and it is the last of its form';
  return claim.rank === winner.rank
    ? 'another one of an equal form comes after it'
    : `the form "${winner.form}" is more explicit`;
}
