import { findAll } from '../../words/find-all.ts';
import { DOUBTS_SOMETHING, doubtOn } from './doubt.ts';
import { anyOf, before, behind, toPattern } from './patterns.ts';
import {
  type Claim,
  labelsClaim,
  labelsOf,
  mentionsIn,
  ownTextEnd,
  type Reading,
  tokenAt,
} from './tokens.ts';
import { labelsAt } from './values.ts';
import { ENDING } from './words.ts';

/** Words that lead up to an answer, before or after the verb of the sentence. */
const LEADS_UP = anyOf(
  "so|thus|therefore|hence|leaving|(?:it|that)'s|means|conclude|should (?:be|have been)|(?:it|mine|my (?:pick|choice|guess|answer)) (?:would|will|must|has to) be|∴|=>|->|→",
  '따라서|그러므로|よって|したがって|ゆえに|因此|所以|故|只能是|bleibt(?: nur| also)?|also|es ist|donc|reste|c.est|luego|queda|es|por tanto|logo|resta|quindi|rimane',
);
const POINTER = toPattern(
  `(?<![\\p{L}])${anyOf(LEADS_UP, 'is|are|be|was|were|of|with|namely|i\\.e\\.|as')}[\\s,、]{0,2}:? ?(?=(?:options? |choices? |answer )?["(]?[a-z0-9])`,
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
const SENTENCE_END = new RegExp(
  `^[番번号]?${ENDING}[)\\]"' ]{0,3}(?:,? ?(?:and not|not|rather than|instead of) [^.!?\\n]{1,60})?(?:[.!](?:\\s|$)|。|\\n|$)`,
  'u',
);
/** "The most likely diagnosis is C, as ..." */
const REASONED = /^[)\]"' ]{0,3}[,;:](?=\s)/u;

/**
 * "This is (B).", "the only option left is C.", "..., so A." at the end of a sentence; "...: B" at
 * the end of all.
 */
export function pointed(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const found = [...findAll(lower, POINTER)].flatMap(({ 0: lead, index }): readonly Claim[] => {
    const at = index + lead.length;
    if (!/[A-Z\d]/u.test(behind(text, at, 'label'))) return [];
    const token = tokenAt(reading, at);
    if (token === null || /[a-z]/u.test(text.charAt(token.start))) return [];
    const isOfRight = SPEAKS_OF_RIGHT.test(before(lower, index, 'clause'));
    const isPlain = LEADING_UP.test(lead);
    const claim = isPlain || token.firm || isOfRight ? labelsAt(reading, at) : null;
    if (claim === null) return [];
    const after = behind(text, claim.end, 'label');
    const isOne = isOfRight && /^(?:is|be|was)/u.test(lead) && labelsOf(claim).length === 1;
    if (!(isOne && REASONED.test(after)) && !SENTENCE_END.test(after)) return [];
    const place = { start: index, end: index };
    const doubt =
      doubtOn(lower, place, ['option denied', 'possible', "someone else's answer"]) ??
      doubtOn(lower, claim, ['only under a condition']) ??
      (isPlain ? null : doubtOn(lower, place, ['conditional']));
    return [{ ...claim, from: index, doubt }];
  });
  const ends = [...lastWord(reading), ...lastList(reading), ...lastOption(reading)];
  return [...found, ...ends].sort((a, b) => a.start - b.start);
}

const LONGEST_SENTENCE = 400;
const SENTENCE_START = /[.!?]\s{1,9}|[。\n]\s{0,9}/gu;
const LETTERS = /(?<![\w\\'])[A-Z\d]{1,2}(?![\w'(])/gu;
/** "C = 20" */
const FORMULA = /^ ?[=+*^<>/×·]/u;

const LAST_WORD =
  /(?::|(?<!(?:^|[^\p{L}\p{N}])[A-Z\d]["')]{0,2}),|[→➡]|(?<![\p{L}])(?:is|be|it's|that's)(?: [a-z]{2,12}ly)?) {1,3}(?=(?:option |choice |answer )?["(]?[A-Z\d]{1,2} {0,3}[")]?[.!]?\s*$)|[—–]{1,2} ?(?=[A-Z]\s*$)/u;

/** "..., or 0.75 (option H).", "In short, (c)." */
const LAST_BRACKET =
  / (?=\((?:option |choice |answer )?[A-Za-z\d]{1,2}\)(?:, not [^.\n]{1,40})?[.!]?\s*$)/iu;

/** "(option C)" names an option, whatever the sentence says. */
const NAMED_BRACKET = /^\((?=(?:option|choice|answer) )/iu;

const SENTENCE_PLACE = /(?:[.!?:\n]|[。：]) {0,3}\n?(?=[("[]?[A-Za-z\d])/gu;

/** The output ends with a label and the text of its option: "I had to think. C. Elbe" */
function lastOption(reading: Reading): readonly Claim[] {
  const { text, lower, question } = reading;
  const tail = Math.max(0, text.trimEnd().length - LONGEST_SENTENCE);
  return [...findAll(lower.slice(tail), SENTENCE_PLACE)].flatMap(
    ({ 0: mark, index }): readonly Claim[] => {
      const token = tokenAt(reading, tail + index + mark.length);
      const textEnd = token && ownTextEnd(text, question, token.label, token.end);
      return token !== null &&
        textEnd !== null &&
        /^["')\]]{0,2}[.!]?\s*$/u.test(text.slice(textEnd))
        ? [labelsClaim([token.label], token.start, textEnd)]
        : [];
    },
  );
}

const BEFORE_LIST =
  /(?:[:→]|(?<![a-z])(?:so|thus|therefore|hence|are|is|sind|sont|son)[,:]?) {0,3}|\((?=options? |choices? )/gu;
const LONGEST_LIST = 200;
/** "1. Lizard (B)" */
const LINE_WITH_LABEL = /(?<=^[^\n()]{1,80}) (?=\([A-Za-z\d]{1,2}\)[.,;]?$)/gmu;

/** Where several may be right: "Therefore: ABC", "... are required: A, B and E.", "(options A and E)". */
function lastList(reading: Reading): readonly Claim[] {
  const { text, lower, multiple } = reading;
  const tail = Math.max(0, text.trimEnd().length - LONGEST_LIST);
  if (multiple !== true) return [];
  const lines = [...findAll(text, LINE_WITH_LABEL)].flatMap(
    ({ index }) => tokenAt(reading, index) ?? [],
  );
  const labels = [...new Set(lines.map(({ label }) => label))];
  if (labels.length > 1) return [labelsClaim(labels, lines[0]?.start ?? 0, text.length)];
  return [...findAll(lower.slice(tail), BEFORE_LIST)].flatMap(
    ({ 0: lead, index }): readonly Claim[] => {
      const claim = labelsAt(reading, tail + index + lead.length);
      const isList = claim !== null && labelsOf(claim).length > 1;
      return isList && /^[)"'\].!]{0,3}\s*$/u.test(text.slice(claim.end)) ? [claim] : [];
    },
  );
}

/** The only label of the last sentence: "Based on the table, C explains it." */
export function inLastSentence(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const trimmed = text.trimEnd();
  const tail = `\n${trimmed}`.slice(-LONGEST_SENTENCE, -1);
  const start = [...findAll(tail, SENTENCE_START)].at(-1);
  if (start === undefined) return [];
  const from = trimmed.length - tail.length + start.index + start[0].length - 1;
  const sentence = trimmed.slice(from);
  const mentions = mentionsIn(reading, from, text.length);
  const [first] = mentions;
  const marked = reading.multiple === true ? mentions.filter(({ firm }) => firm) : [];
  const labels = [...new Set(marked.map(({ label }) => label))];
  // "The frog (A) and the newt (D) live in both."
  if (labels.length > 1 && labels.length < reading.question.labels.ordered.length)
    return DOUBTS_SOMETHING.test(lower.slice(from))
      ? []
      : [labelsClaim(labels, marked[0]?.start ?? from, marked.at(-1)?.end ?? text.length)];
  // "The castle (C) is possible, but the map proves B."
  const isOther = ({ 0: word, index }: RegExpExecArray): boolean =>
    (tokenAt(reading, from + index)?.label ?? first?.label) !== first?.label ||
    FORMULA.test(sentence.slice(index + word.length));
  if (
    first === undefined ||
    [...findAll(sentence, LETTERS)].some(isOther) ||
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
  const bracket = reading.multiple === true ? null : LAST_BRACKET.exec(text);
  const ending = LAST_WORD.exec(text) ?? bracket;
  if (ending === null) return [];
  const lead = before(lower, ending.index, 'sentence');
  // "Many believe that it is A, but it is B."
  const sentence = lead.split(/[.!?\n]|(?<![a-z])but(?![a-z])/u).at(-1) ?? '';
  const isDoubted = /[a-z]|^ /u.test(ending[0]) && DOUBTS_SOMETHING.test(sentence);
  const at = ending.index + ending[0].length;
  const [named = ''] = NAMED_BRACKET.exec(behind(text, at, 'label')) ?? [];
  const claim = isDoubted && named === '' ? null : labelsAt(reading, at + named.length);
  if (claim === null) return [];
  const place = { start: ending.index, end: ending.index };
  const doubt = doubtOn(lower, place, ['option denied', "someone else's answer"]);
  // "The one at Cologne is (B) and the one at Hamburg (C)."
  const others = mentionsIn(reading, ending.index - sentence.length, ending.index);
  const isOne = others.every(({ label }) => labelsOf(claim).includes(label));
  return ending[0] !== ' ' || isOne ? [{ ...claim, doubt }] : [];
}
