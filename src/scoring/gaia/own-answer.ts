import { findAll } from '../../words/find-all.ts';
import {
  ASIAN_EXAMPLE_WORDS,
  ASKING_WORDS,
  EXAMPLE_WORDS,
  QUESTION_WORDS,
} from '../common-words.ts';
import { ONCE } from '../once.ts';

/** A place that states an answer, with the rank of its form: 0 is the most explicit. */
type Stated = Readonly<{ start: number; end: number; rank: number }>;

const ADJECTIVES = `(?:(?:new|next|another|similar|follow-?up|example|sample|test|practice)${ONCE}[ ]){0,2}${ONCE}`;
const SUBJECTS = `${ADJECTIVES}(?:${QUESTION_WORDS})`;
const LOOSER = [
  'instruction|input|passage|context|prompt|example',
  "|(?:now|next|here is|here's|let's try|try) [^\\n:.]{0,30}(?:another|next|following|similar|new) (?:question|problem|exercise|example|one)",
].join('');
/** A question that fills a line: "Which of the rivers is the longest?" */
const ASKED = [
  String.raw`(?<=(?:^|[\n\r])[ \t>#*]{0,4})(?:(?:${ASKING_WORDS})(?!\p{L})[^\n?？]{15,300}[?？]`,
  String.raw`|[^\n。？]{2,200}(?:什么|多少|哪|谁|几)[^\n。？]{0,60}？)(?=[ \t*]{0,9}(?:[\n\r]|$))`,
].join('');
/** What is asked so is another question only right behind an answer. */
const MOST_BETWEEN = 40;

/** "Question:", "**Q2.**", "### Problem 3", "问题：" at the start of a line, or after a blank. */
const HEADING = new RegExp(
  [
    String.raw`(?<=(?:^|[\n\r])[ \t>#*_\[<-]{0,12})(?:${SUBJECTS}|(${LOOSER}))[\]*_]{0,3}`,
    String.raw`(?:[ ]?[#(]?(\d{1,4})\)?[\]*_]{0,3})?[ ]?(?:[:：.>]|(?=[ \t]*[\n\r]))`,
    String.raw`|(?<=[ .。!?])(?:Question|Problem|Q|问题|题目)[ ]?(\d{1,4})?[ ]?[:：]`,
    `|(${ASKED})`,
  ].join(''),
  'giu',
);
/** A hostile text may consist of headings. */
const MOST_HEADINGS = 400;
/** A number at the start, before any heading, is an answer without a form. */
const BARE_NUMBER = String.raw`^\s{0,20}(?:(?:so|thus|hence|therefore),? (?:it is |that is )?)?[-+$€£*]{0,4}\d[\d.,/]{0,30}\s?[%°]?[*.]{0,3}\s{0,20}`;
const BEGINS_BARE = new RegExp(BARE_NUMBER, 'i');
const IS_BARE = new RegExp(`${BARE_NUMBER}$`, 'i');

/**
 * Where the model goes on after its own answer with another question, which it answers too. Null if
 * it does not. Parts of one task, numbered from 1, are no such question, and an answer that is only
 * stated by the way does not end the output where a more explicit one follows.
 */
export function inventedStart(text: string, stated: readonly Stated[]): number | null {
  if (stated.length === 0) return null;
  const ends = Math.min(...stated.map(({ end }) => end));
  const begins = Math.min(...stated.map(({ start }) => start)) + SHORTEST_FORM;
  // No heading before the first answer counts, unless a bare number is before it.
  if (!hasHeading(text, Math.min(ends, begins)) && !BEGINS_BARE.test(text)) return null;
  let [isNumbered, isEcho] = [false, false];
  for (const [count, heading] of [...findAll(text, HEADING).take(MOST_HEADINGS)].entries()) {
    const { 0: written, 1: loose, 2: number = heading[3], 4: asked, index } = heading;
    const isInline = index > 0 && !/[\n\r]/.test(text.slice(Math.max(0, index - 12), index));
    const isAfter =
      index >= (isInline ? begins : ends) ||
      (count === 0 && IS_BARE.test(text.slice(0, Math.min(index, 80))));
    if (!isAfter && number === '1') isNumbered = true;
    // Examples before the first answer are those of the prompt, and so is that answer.
    if (!isAfter && /example/i.test(written)) isEcho = true;
    if (!isAfter || isEcho || (isNumbered && number !== undefined)) continue;
    const isNear = stated.some(({ end }) => index >= end && index - end <= MOST_BETWEEN);
    if (asked !== undefined && !isNear) continue;
    const isOpen = loose === undefined && asked === undefined && /[:：]$/.test(written);
    if (beginsAnother(text, index, stated, isOpen)) return index;
  }
  return null;
}

function hasHeading(text: string, from: number): boolean {
  HEADING.lastIndex = from;
  const found = HEADING.test(text);
  HEADING.lastIndex = 0;
  return found;
}

/** A text up to a question in it, which comes after a sentence with a number. */
export function beforeQuestion(text: string): string {
  const line = text.search(/\d[^\n]{0,200}\n/);
  if (line === -1 || !hasHeading(text, line)) return text;
  for (const { 0: written, 1: loose, index } of findAll(text, HEADING)) {
    const isOpen = loose === undefined && /[:：]$/.test(written);
    if (isOpen && /\d[^\n]{0,200}\n\s{0,20}$/.test(text.slice(Math.max(0, index - 240), index)))
      return text.slice(0, index);
  }
  return text;
}

/** From the end of an answer to the heading of a question: the next paragraph begins with it. */
const APART = /^[.!。*_"”)$ ]{0,6}\n[ \t]{0,20}\n[\s>#*_[<-]{0,20}$/;
/** The rank from which a form is what prose says too, such as "the answer is". */
const PROSE = 8;
/** A heading with its question, right before its answer. */
const ASKED_BEFORE = new RegExp(
  String.raw`(?:^|\n)[ \t>#*_\[<-]{0,12}(?:${SUBJECTS})[\]*_]{0,3}(?:[ ]?[#(]?\d{1,4}\)?)?[ ]?[:：][^\n]{1,300}[?？.][*_]{0,3}\n\s{0,20}$`,
  'iu',
);

function isAsked(text: string, start: number): boolean {
  return ASKED_BEFORE.test(text.slice(Math.max(0, start - 360), start));
}

/**
 * Where a text without any form goes on with a question and an answer to it: "42", "Q: What is
 * 3+3?", "A: 6". Null if it does not.
 */
export function inventedPair(text: string): number | null {
  const { index } = PAIR.exec(text.slice(0, 2_000)) ?? {};
  return index === undefined || text.slice(0, index).trim() === '' ? null : index;
}

const PAIR = new RegExp(
  String.raw`(?<=[\n\r][ \t>#*_-]{0,6})(?:${SUBJECTS})[*_]{0,3}(?:[ ]?\d{1,4})?[ ]?[:：][^\n]{1,300}\n\s{0,20}[*_]{0,3}(?:A|Answer|答|R|Assistant|AI)[*_]{0,3}[ ]?[:：]`,
  'iu',
);

/** "A: 4" would be shorter, but is none of the forms. */
const SHORTEST_FORM = 8;

function beginsAnother(
  text: string,
  at: number,
  stated: readonly Stated[],
  isOpen: boolean,
): boolean {
  const best = (side: readonly Stated[]) => Math.min(...side.map(({ rank }) => rank), 99);
  const before = best(stated.filter(({ start }) => start < at));
  const after = best(stated.filter(({ start }) => start >= at));
  if (after < before && before !== 99) {
    const asked = stated.filter(({ start, rank }) => start >= at && rank === after);
    const isApart = stated.some(({ start, end }) => start < at && APART.test(text.slice(end, at)));
    if (before < PROSE || !isApart || !asked.every(({ start }) => isAsked(text, start)))
      return false;
  }
  // Without another answer, a question that stands there may be the model's to the user.
  return after !== 99 || (isOpen && before !== 99 && text.slice(at).trim().length > 60);
}

const GAP = String.raw`[^.!?\n]{0,40}[:：,，]?\s{0,4}["'“‘\x60*「<(]{0,4}$`;
const EXAMPLE = new RegExp(
  [String.raw`(?:(?<!\p{L})(?:${EXAMPLE_WORDS})|${ASIAN_EXAMPLE_WORDS})`, GAP].join(''),
  'iu',
);
/** "You must finish with", "Please end your reply in the format". */
const INSTRUCTION = new RegExp(
  [
    String.raw`(?<!\p{L})(?:you (?:must|should|need to|have to|can|may|will)|your (?:final )?(?:answer|response|reply|output) (?:must|should|needs to|has to)|please|be sure to|make sure to|remember to)`,
    String.raw`(?!\p{L})[^.!?\n]{0,80}(?<!\p{L})(?:with|as|like this|format|form|template)(?!\p{L})`,
    String.raw`[^.!?\n]{0,40}[:：,]?\s{0,4}["'“‘\x60*「<(]{0,4}$`,
  ].join(''),
  'iu',
);
const TEMPLATE_BEFORE =
  /\[(?:your|the|insert)[^[\]\n]{0,40}\]["'”’`*]{0,4},? (?:for example|e\.g\.|like|such as|or)[^.\n]{0,20}$/iu;
const LOOK_BEHIND = 160;

/** "Output format:" at the start of a line, and "if" before "the answer is". */
const SUPPOSED =
  /(?:^|\n)[\s*#>-]{0,6}(?:(?:output|answer|response|required|expected) )?(?:format|template|example(?: [a-z]{1,12})?)[*_]{0,3}[:：]\s{0,4}["'\x60]?$|(?<!\p{L})(?:if|suppose|assuming|unless|whether|when)(?: that)? $/iu;

/** Whether the words before a place say that what stands there is only an example of an answer. */
export function isExample(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LOOK_BEHIND), start);
  return (
    EXAMPLE.test(before) ||
    INSTRUCTION.test(before) ||
    TEMPLATE_BEFORE.test(before) ||
    SUPPOSED.test(before)
  );
}
