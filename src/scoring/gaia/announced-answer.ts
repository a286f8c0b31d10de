import { findAll } from '../../words/find-all.ts';
import { lastBox } from './boxes.ts';
import { type JsonAnswer, jsonEndAt } from './json-answer.ts';
import { type Sought, seek } from './seek.ts';
import { isDenied } from './tidy-answer.ts';

/** Thousands of empty markers would cost time. */
const MOST_MENTIONS = 200;
const MOST_PLACES = 5_000;

/** A bare "Answer:" may open a whole essay; a longer text is not taken for the answer. */
const MAX_BARE_LENGTH = 200;

export type Announced = Readonly<{
  kind: 'marker' | 'statement';
  start: number;
  end: number;
  content: string;
  /** Whether the text calls it the final answer. */
  final: boolean;
  /** Whether the text says that it is wrong. */
  denied: boolean;
}>;

/**
 * What follows `FINAL ANSWER:`, `Answer:` at the start of a line and similar headings, and "the
 * (final) answer is" in prose. The last one comes first. `objects` are those of JSON in the text:
 * what one says inside itself announces nothing, and one behind a marker is its answer.
 */
export function announcedAnswers(
  text: string,
  objects: readonly JsonAnswer[] = [],
): readonly Announced[] {
  const found: Announced[] = [];
  const mentions = mentionsIn(text, objects);
  const markers = mentions.filter(({ kind }) => kind === 'marker').length;
  let [behind, behindMarker] = [text.length, text.length];
  let isNoteBehind = false;
  for (const mention of mentions) {
    const until = mention.kind === 'marker' ? behindMarker : behind;
    const region = text.slice(mention.end, until);
    // `17. Note: "FINAL ANSWER: 12" would be wrong` says 17.
    const spoken = mention.spoken || (isNoteBehind && !/[\n\r]/.test(region));
    const read = readAnswer(region, { ...mention, spoken }, mention.end, objects);
    behind = mention.start;
    let denied = /^not /.test(read.content);
    if (mention.kind === 'marker') {
      behindMarker = mention.start;
      // What is denied is so beside another answer.
      denied = markers > 1 && isDenied(text, mention.end, until);
      isNoteBehind = denied;
    }
    const { kind, start, final } = mention;
    if (kind === 'marker' && !final && read.content.length > MAX_BARE_LENGTH) continue;
    found.push({ kind, start, final, denied, ...read, end: mention.end + read.end });
  }
  return found;
}

const GUESS: Sought = {
  sign: /guess|estimate/iu,
  pattern:
    /(?<=(?:^|[\n\r.!?])[ \t>#*_-]{0,12})(?:(?:so|thus|hence|therefore),? )?my (?:best|final|educated) (?:guess|estimate)(?:[*_]{0,3} ?[:：][*_]{0,3}|(?: would be| is| for the answer is)(?=[\s:：])[:：]?)/giu,
};

/** What a text calls its best guess: "My best guess: 1969". */
export function guessedAnswers(
  text: string,
): readonly Pick<Announced, 'start' | 'end' | 'content'>[] {
  return [...seek(text, GUESS)].slice(-MOST_MENTIONS).map(({ 0: label, index: start }) => {
    const from = start + label.length;
    const read = readAnswer(text.slice(from, from + 2_000), { open: '', spoken: true });
    return { start, content: read.content, end: from + read.end };
  });
}

/** The text without a leading "The answer is". */
export function dropLeadIn(content: string): string {
  const at = content.slice(0, 60).search(/answer/i);
  const mention = at === -1 ? null : readMention(content, at);
  const isLead = mention?.kind === 'statement' && LEAD.test(content.slice(0, mention.start));
  return isLead ? readAnswer(content.slice(mention.end), mention).content : content;
}

const LEAD = /^(?:(?:so|thus|therefore|hence),? )?$/i;

/** The last mentions of a text, the last one first. */
function mentionsIn(text: string, objects: readonly JsonAnswer[]): readonly Mention[] {
  const places = [...findAll(text, /answer(?=[s*_`.\s:：,]|$)/gi)].map((found) => found.index);
  const mentions: Mention[] = [];
  for (const at of places.slice(-MOST_PLACES).reverse()) {
    const isInside = objects.some(({ start, end }) => start < at && at < end);
    const mention = isInside ? null : readMention(text, at);
    if (mention !== null) mentions.push(mention);
    if (mentions.length === MOST_MENTIONS) break;
  }
  return mentions;
}

/**
 * A place where a text announces an answer. "marker": `FINAL ANSWER:`, `**Answer:**`, a heading
 * `### Final Answer`; "statement": `the answer is`, which prose says too.
 */
type Mention = Readonly<{
  kind: 'marker' | 'statement';
  start: number;
  end: number;
  /** True when the text calls it the final answer. */
  final: boolean;
  /** True when a sentence leads to the answer ("is"); the answer then ends with the sentence. */
  spoken: boolean;
  /** The emphasis or quote that opens right before the label and is still open after it. */
  open: string;
}>;

const LOOK_BEHIND = 40;
const FINAL = /(?<!\p{L})final[ _-]{0,3}$/iu;
const SPEAKER =
  /(?<![\p{L}\p{N}])(?:(?:the|my|our) (?:(?:final|correct|right|exact|required|desired|numerical) ){0,2}|(?:final|correct) )$/iu;
const OPEN = /(?<![*_`"'“])[*_`"'“]{1,3}$/;
const LINE_HEAD = /[\n\r](?:[ \t>#*_`"'“•-]|\p{Extended_Pictographic}\uFE0F?){0,40}$/u;
const HEADING = /[#*_](?:[ \t>#*_-]|\p{Extended_Pictographic}\uFE0F?){0,40}$/u;
/** Words that may lead up to a bare "answer:", such as "Here is my correct". */
const OWNER = /(?<!\p{L})(?:(?:here is |here's )?(?:my|the) (?:correct )?|correct )[*_]{0,3}$/iu;

const REMARK = String.raw`[*_\x60]{0,3}(?:[ \t]{1,3}\([^()\n]{0,80}\)[*_\x60]{0,3})?`;
const COLON = new RegExp(String.raw`s?${REMARK}[ \t]{0,3}(?:is[ \t]{0,3})?[:：]`, 'y');
const DASH = new RegExp(`${REMARK} (?:->|[-–—→])(?= )`, 'y');
const BARE_COLON = new RegExp(String.raw`${REMARK}[ \t]{0,3}[:：]`, 'y');
const ALONE = new RegExp(String.raw`${REMARK}[ \t]{0,3}(?=[\n\r]|$)`, 'y');
/** "Answer $9$" and "Answer. 9" */
const FORMULA = /\.?[ \t]{1,3}(?=\$[^$\n]|\\[([]|-?\d[\d.,/]{0,20}[ \t]{0,4}(?:[\n\r]|$))/y;
const IS = new RegExp(
  [
    String.raw`(?: (?:to|for|in) [^\n.:;?!]{1,40}?|, \p{L}{2,20}(?: \p{L}{2,20}){0,2},| \([^()\n]{1,60}\))?`,
    ' (?:is|was|equals|=|(?:would|should|must|will|has to|turns out to|seems to|appears to) be|comes out (?:to|as))',
    String.raw`(?: (?:that|therefore|thus|then|simply|just|indeed)(?!\p{L}))?(?:[ \t]{0,3}[:：]|(?=\s))`,
  ].join(''),
  'uy',
);

/** Reads the mention around the word "answer" at `at`; null when the word announces nothing. */
function readMention(text: string, at: number): Mention | null {
  // A line break replaces the start of the text, so both count as the start of a line.
  const before = at < LOOK_BEHIND ? `\n${text.slice(0, at)}` : text.slice(at - LOOK_BEHIND, at);
  const tail = at + 'answer'.length;
  const final = FINAL.exec(before)?.[0] ?? '';
  const owner = OWNER.exec(before)?.[0] ?? '';
  const label = `${owner}${final}`;
  const marker = findMarker(
    text,
    tail,
    before.slice(0, before.length - label.length),
    owner,
    final,
  );
  if (marker !== null) {
    const spoken = /is[ \t]{0,3}[:：]$/.test(marker);
    return {
      kind: 'marker',
      final: final !== '',
      spoken,
      ...placeEmphasis(text, before, label, at, marker),
    };
  }
  const speaker = SPEAKER.exec(before)?.[0] ?? (LINE_HEAD.test(before) ? '' : undefined);
  const verb = speaker === undefined ? null : match(IS, text, tail);
  if (speaker === undefined || verb === null) return null;
  return {
    kind: 'statement',
    final: false,
    spoken: true,
    ...placeEmphasis(text, before, speaker, at, verb),
  };
}

// "Answer:" and "My answer:" must begin their line ("My answer is:" is a statement). "final
// answer:" may be anywhere; in a heading it needs no colon.
function findMarker(
  text: string,
  tail: number,
  head: string,
  owner: string,
  final: string,
): string | null {
  const beginsLine = LINE_HEAD.test(head);
  if (owner !== '') return beginsLine ? match(BARE_COLON, text, tail) : null;
  if (final === '' && !beginsLine) return null;
  const isHeading = beginsLine && (final.startsWith('F') || HEADING.test(head));
  return (
    match(COLON, text, tail) ??
    (beginsLine ? match(DASH, text, tail) : null) ??
    (beginsLine ? match(FORMULA, text, tail) : null) ??
    (isHeading ? match(ALONE, text, tail) : null)
  );
}

function match(form: RegExp, text: string, at: number): string | null {
  form.lastIndex = at;
  return form.exec(text)?.[0] ?? null;
}

// `**Answer**: 48` and `**Answer:** 48` close what `**` opened; `**Answer: 48**` closes it after
// the answer.
function placeEmphasis(text: string, before: string, label: string, at: number, found: string) {
  const opened = OPEN.exec(before.slice(0, before.length - label.length))?.[0] ?? '';
  const start = at - label.length - opened.length;
  const end = at + 'answer'.length + found.length;
  if (found.includes(opened)) return { start, end, open: '' };
  const next = text.charAt(end) === ' ' ? end + 1 : end;
  return text.startsWith(opened, next)
    ? { start, end: next + opened.length, open: '' }
    : { start, end, open: opened };
}

type ReadAnswer = Readonly<{ content: string; end: number }>;

/** The answer in what follows a mention, and where it ends there. */
function readAnswer(
  region: string,
  { open, spoken }: Pick<Mention, 'open' | 'spoken'>,
  at = 0,
  objects: readonly JsonAnswer[] = [],
): ReadAnswer {
  const object = readObject(region, at, objects);
  if (object !== null) return object;
  const answer = readRegion(region, open);
  const content = spoken ? cutSentence(answer) : answer;
  const found = region.indexOf(content);
  return { content, end: found === -1 ? endOfBlock(region) : found + content.length };
}

/** A list or a block is not in the region as it was read: it ends at the next empty line. */
function endOfBlock(region: string): number {
  const start = region.search(/\S/);
  const length = region.slice(Math.max(start, 0)).search(/\n\s{0,80}\n/);
  return length === -1 ? region.trimEnd().length : start + length;
}

/** Blanks, a fence, and a line that leads up to an object of JSON. */
const BEFORE_OBJECT =
  /^[\s*_\x60]{0,20}(?:[^\n{}]{0,200}[:：][*_]{0,3}\s{1,20})?(?:\x60{3}\w{0,10}\s{1,9})?$/;

function readObject(region: string, at: number, objects: readonly JsonAnswer[]): ReadAnswer | null {
  const brace = region.slice(0, 300).indexOf('{');
  if (brace === -1 || !BEFORE_OBJECT.test(region.slice(0, brace))) return null;
  const object = objects.find(({ start }) => start === at + brace);
  if (object !== undefined) return { content: object.content, end: object.end - at };
  const end = jsonEndAt(region, brace);
  return end === null ? null : { content: region.slice(brace, end), end };
}

const RULE = /^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$/;
const BULLET = /^(?:>[ \t]{0,3}|[-•*+][ \t]{1,3}(?=\S))+/;

// The answer is the rest of the line, unless that only leads up to what the next lines say.
function readRegion(region: string, open: string): string {
  const lines = region.split(/\r\n|\n|\r/);
  const inline = lines[0]?.trim() ?? '';
  const leads = inline !== '' && leadsOn(inline, lines.slice(1));
  if (inline !== '' && !leads && findClosing(inline) === null) return closeAt(inline, open);
  return lastBox(region) ?? readLines(leads ? lines.slice(1) : lines, open);
}

// The first line that is not blank, or the list or block that begins with it.
function readLines(lines: readonly string[], open: string, leads = 0): string {
  const first = lines.findIndex((line) => line.trim() !== '' && !RULE.test(line));
  const line = lines[first]?.trim() ?? '';
  const rest = lines.slice(first + 1);
  if (leads < MOST_LEADS && leadsOn(line, rest)) return readLines(rest, open, leads + 1);
  const items = readList(lines.slice(first));
  if (items.length > 1 || /^1[.)] /.test(line))
    return items.map((item) => item.replace(/[,;]$/, '')).join(', ');
  const closing = findClosing(line);
  return closing === null
    ? closeAt(line.replace(BULLET, ''), open)
    : readBlock(line, closing, rest);
}

const MOST_LEADS = 3;
/** "The value of x is:", "L'aire vaut :". A sentence that ends before the last words is an answer. */
const LEAD_LINE = /^(?![^\n]*[.!?。！？][*_)"”]{0,3}\s+\S)[^\n]{0,300}[:：][*_]{0,3}$/u;
const NO_LEAD =
  /(?:\p{L}|\d)\P{L}{1,9}(?:because|since|explanation|reason(?:ing|s)?|why|steps?|proof|calculations?|check|verification|note)\W{0,5}$/iu;
/** What a formula set apart may finish: "The value of x is". */
const OPEN_ENDED =
  /(?:(?<!\p{L})(?:is|are|be|equals?|by|as|of|therefore|thus|ist|sind|lautet|est|sont|es|son|é|são|è|sono)|=|[是为為はが])[*_]{0,3}$/iu;
const FORMULA_LINE = /^(?:\$\$|\\\[|\\begin\{)/;

/** Whether a line only leads up to the lines after it. */
function leadsOn(line: string, rest: readonly string[]): boolean {
  const next = rest.find((each) => each.trim() !== '' && !RULE.test(each));
  if (next === undefined || line.length > 300) return false;
  const isLead = LEAD_LINE.test(line) && !NO_LEAD.test(line);
  return isLead || (FORMULA_LINE.test(next.trim()) && OPEN_ENDED.test(line));
}

const ITEM = /^[ \t]{0,8}(?:[-•*+]|\d{1,2}[.)])[ \t]{1,3}(\S.*)$/u;

/** The items of a list at the start of some lines, without their marks. */
function readList(lines: readonly string[]): readonly string[] {
  const items = lines.map((line) => ITEM.exec(line)?.[1]?.trim());
  const end = items.indexOf(undefined);
  return items.slice(0, end === -1 ? items.length : end).flatMap((item) => item ?? []);
}

/** The text that closes the block that a line opens, such as a fence; null when it opens none. */
function findClosing(line: string): string | null {
  if (/^\$\$(?!.*\$\$)/.test(line)) return '$$';
  if (/^\\\[(?!.*\\\])/.test(line)) return '\\]';
  return /^```\w{0,20}$/.test(line) ? '```' : null;
}

function readBlock(opening: string, closing: string, rest: readonly string[]): string {
  const isFence = closing === '```';
  const end = rest.findIndex((line) =>
    isFence ? line.trim() === closing : line.includes(closing),
  );
  const last = isFence || end === -1 ? [] : [rest[end]?.split(closing)[0] ?? ''];
  const lines = [
    ...(isFence ? [] : [opening.slice(2)]),
    ...rest.slice(0, end === -1 ? rest.length : end),
    ...last,
  ];
  const block = lines.join('\n').trim();
  return isFence || block === '' ? block : `${opening.slice(0, 2)}${block}${closing}`;
}

function closeAt(content: string, open: string): string {
  const end = content.lastIndexOf(open.replaceAll('“', '”'));
  return end === -1 ? content : content.slice(0, end);
}

const STOP = /[.!?](?=["'”’*)`$]{0,4}(?:\s+\p{Lu}|\s*$))/gu;
const CLOSERS = /^["'”’*)`$]{0,4}/;

/**
 * The first sentence of a line without its full stop. A period after an abbreviation ("St.",
 * "D.C.") does not end the sentence.
 */
function cutSentence(line: string): string {
  const trimmed = line.trimEnd();
  for (const { 0: mark, index } of trimmed.matchAll(STOP)) {
    const closers = CLOSERS.exec(trimmed.slice(index + 1, index + 5))?.[0] ?? '';
    const isLast = index + 1 + closers.length === trimmed.length;
    if (mark === '.' && isAbbreviation(trimmed.slice(Math.max(0, index - 12), index), isLast))
      continue;
    return trimmed.slice(0, mark === '.' ? index : index + 1) + closers;
  }
  return trimmed;
}

// Abbreviations that keep their period in the middle and at the end of a sentence.
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'bros capt co corp dept dr est etc inc jr lt ltd messrs mr mrs ms mt no prof sept sgt sr st univ vs'.split(
    ' ',
  ),
);

// In the middle of a line, any short word before a period counts as an abbreviation. At the end,
// only one that looks like an abbreviation does.
function isAbbreviation(before: string, isLast: boolean): boolean {
  const word = /\p{L}+$/u.exec(before)?.[0] ?? '';
  if (word === '') return before.endsWith('.');
  if (isLast && /^(?:[Nn]o|est)$/.test(word)) return false;
  if (ABBREVIATIONS.has(word.toLowerCase()) || before.endsWith(`.${word}`)) return true;
  return isLast ? /^\p{Lu}$/u.test(word) : word.length < 4;
}
