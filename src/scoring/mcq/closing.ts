import { DOUBTS_SOMETHING, doubtOn } from './doubt.ts';
import { type Claim, labelsOf, mentionsIn, type Reading, tokenAt } from './tokens.ts';
import { labelsAt } from './values.ts';
import { anyOf, toPattern } from './words.ts';

/** Words that lead up to an answer, before or after the verb of the sentence. */
const LEADS_UP = anyOf(
  'so|thus|therefore|hence|leaving|(?:it|that).s|means|conclude',
  'bleibt(?: nur| also)?|also|es ist|donc|reste|c.est|luego|queda|es|por tanto|logo|resta|quindi|rimane',
);
const POINTER = toPattern(
  `(?<![\\p{L}])${anyOf(LEADS_UP, 'is|are|be|was|were|of|with|namely|i\\.e\\.|as')}[\\s,]{0,2}:? ?(?=(?:options? |choices? |answer )?["(]?[a-z0-9])`,
  'gu',
);
const LEADING_UP = new RegExp(LEADS_UP, 'u');
const SPEAKS_OF_RIGHT = new RegExp(
  `${anyOf(
    '(?<!in)correct|best|right|true|closest|most [a-z]{4,12}',
    '(?<![a-z])(?:so|thus|therefore|hence)(?![a-z])|(?<!wrong |incorrect )answer',
  )}[^.\\n]*$`,
  'u',
);
const SENTENCE_END = /^[)\]"' ]{0,3}(?:[.!](?:\s|$)|\n|$)/u;
/** "The most likely diagnosis is C, as ..." */
const REASONED = /^[)\]"' ]{0,3}[,;:](?=\s)/u;

/**
 * "This is (B).", "the only option left is C.", "..., so A." at the end of a sentence; "...: B" at
 * the end of all.
 */
export function pointed(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const found = [...lower.matchAll(POINTER)].flatMap(({ 0: lead, index }): readonly Claim[] => {
    const at = index + lead.length;
    if (!/[A-Z\d]/u.test(text.slice(at, at + 14))) return [];
    const token = tokenAt(reading, at);
    if (token === null || /[a-z]/u.test(text.charAt(token.start))) return [];
    const isOfRight = SPEAKS_OF_RIGHT.test(lower.slice(Math.max(0, index - 80), index));
    const isPlain = LEADING_UP.test(lead);
    const claim = isPlain || token.firm || isOfRight ? labelsAt(reading, at) : null;
    if (claim === null) return [];
    const after = text.slice(claim.end, claim.end + 16);
    const isOne = isOfRight && /^(?:is|be|was)/u.test(lead) && labelsOf(claim).length === 1;
    if (!(isOne && REASONED.test(after)) && !SENTENCE_END.test(after)) return [];
    const place = { start: index, end: index };
    const doubt =
      doubtOn(lower, place, ['option denied', 'possible']) ??
      (isPlain ? null : doubtOn(lower, place, ['conditional']));
    return [{ ...claim, from: index, doubt }];
  });
  return [...found, ...lastWord(reading)].sort((a, b) => a.start - b.start);
}

const LONGEST_SENTENCE = 400;
const SENTENCE_START = /[.!?]\s{1,9}|[。\n]\s{0,9}/gu;
const LETTERS = /(?<![\w\\'])[A-Z\d]{1,2}(?![\w'(])/gu;
/** "C = 20" */
const FORMULA = /^ ?[=+*^<>/×·]/u;

const LAST_WORD =
  /(?::|(?<!(?:^|[^\p{L}\p{N}])[A-Z\d]["')]{0,2}),|[→➡]|(?<![\p{L}])(?:is|be|it's|that's)(?: [a-z]{2,12}ly)?) {1,3}(?=["(]?[A-Z\d]{1,2} {0,3}[")]?[.!]?\s*$)/u;

/** The only label of the last sentence: "Based on the table, C explains it." */
export function inLastSentence(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const said = text.trimEnd();
  const tail = `\n${said}`.slice(-LONGEST_SENTENCE, -1);
  const start = [...tail.matchAll(SENTENCE_START)].at(-1);
  if (start === undefined) return [];
  const from = said.length - tail.length + start.index + start[0].length - 1;
  const sentence = said.slice(from);
  const [first] = mentionsIn(reading, from, text.length);
  // "The castle (C) is possible, but the map proves B."
  const isOther = ({ 0: word, index }: RegExpExecArray): boolean =>
    (tokenAt(reading, from + index)?.label ?? first?.label) !== first?.label ||
    FORMULA.test(sentence.slice(index + word.length));
  if (
    first === undefined ||
    [...sentence.matchAll(LETTERS)].some(isOther) ||
    DOUBTS_SOMETHING.test(lower.slice(from))
  )
    return [];
  const claim = /[a-z]/u.test(text.charAt(first.start)) ? null : labelsAt(reading, first.start);
  // "Options A and C seem plausible."
  return claim !== null && labelsOf(claim).length === 1 ? [claim] : [];
}

/** "Weighing all of it: B", "So the one that is left is B." */
function lastWord(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const ending = LAST_WORD.exec(text);
  if (ending === null) return [];
  const said = lower.slice(Math.max(0, ending.index - 160), ending.index);
  // "Many believe that it is A, but it is B."
  const sentence = said.split(/[.!?\n]|(?<![a-z])but(?![a-z])/u).at(-1) ?? '';
  const isDoubted = !/[:,→➡]/u.test(ending[0]) && DOUBTS_SOMETHING.test(sentence);
  const claim = isDoubted ? null : labelsAt(reading, ending.index + ending[0].length);
  return claim === null ? [] : [claim];
}
