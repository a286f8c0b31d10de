import { BOX_END, BOX_START } from '../clean/markup.ts';
import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';

/** A label as it stands in the text, brackets and quotes included in [start, end). */
export type LabelToken = {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  /** Between brackets or quotes. */
  readonly enclosed: boolean;
};

const OPENING = pattern(`[([{"'${BOX_START}<]{1,3} ?`, 'y');
const CLOSING = pattern(`[)\\]}"'${BOX_END}>]{1,4}`, 'y');
/** "( B )": after an opening bracket a space may stand before the closing one too. */
const CLOSING_OPENED = pattern(` ?${CLOSING.source}`, 'y');
/** Labels that could be ordinary words, and what follows them where they are. */
const WORD_LIKE: readonly (readonly [RegExp, RegExp])[] = [
  [/^\p{Ll}$/u, / \S/uy],
  [/^(?:[AI]|\d+)$/u, / [\p{Ll}\d]/uy],
];
const AFTER_WORD = pattern(anyOf('after', 'is', 'wrong', 'or', 'and', 'not'), 'y');
/** "E. coli", "C. elegans". */
const SPECIES =
  /\. (?:coli|\p{Ll}{3,14}(?:us|is|ae|ii|um|ans|cile|ori|ensis|gens|aster|ella|icans|eri|oides))(?!\p{L})/uy;
/** What can follow an article but not a label; "I" takes more: "I have", "I would". */
const PRONOUN_VERB =
  /(?:would|will|have|had|can|could|should|as|if|am|do|did|was|seems|appears|looks|to|with|in|on|at|not)(?!\p{L})/uy;

/** Inside a word, a number, a formula, initials or a compound; Chinese, Japanese and Korean words end without a space. */
const JOINED_BEFORE = /(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])\p{L}|\p{N})['.-]?$|[_\\^@#]$/u;
/** "A's", "B-cell", "A+", "A%", "A/c", "A.B.", "A = 5", "A(x)"; "A+C" is a list. */
const JOINED_AFTER =
  /(?:['-]\p{L}|\+(?!\p{Lu}(?![\p{L}\p{N}]))|[\^°%]|\/\p{Ll}|\.\p{Lu}\.| ?=(?![=>])|\([\p{Script=Latin}\p{N}])/uy;
const MEASURE_AFTER = /(?:[.,:/-]\d| ?×| [%°])/uy;

/** The label that stands here, with or without brackets, unless it is a word, a unit, a variable or part of something. */
export function labelTokenAt(reading: Reading, at: number): LabelToken | null {
  const { text, lower, question } = reading;
  const start = matchEnd(OPENING, text, at) ?? at;
  const found = question.labels.at(lower, start);
  if (found === null) return null;
  const bare = start + found.length;
  const spelling = text.slice(start, bare);
  const label = question.labels.find(spelling);
  if (label === null) return null;
  const end = matchEnd(start > at ? CLOSING_OPENED : CLOSING, text, bare) ?? bare;
  const token = { label, start: at, end, enclosed: start > at && end > bare };
  return token.enclosed || isLabel(reading, label, start, bare) ? token : null;
}

function isLabel(reading: Reading, label: string, start: number, end: number): boolean {
  const { text, lower, question } = reading;
  const before = textBefore(text, start, 2);
  if (JOINED_BEFORE.test(before)) return false;
  const told = /[-( ]/u.test(textAfter(text, end, 1)) ? question.texts.at(lower, end + 1) : null;
  if (told?.labels.includes(label) === true) return true;
  if (matchEnd(JOINED_AFTER, text, end) !== null) return false;
  if (matchEnd(SPECIES, lower, end) !== null && question.texts.at(lower, end + 2) === null) return false;
  const spelling = text.slice(start, end);
  const measured = /\d$/u.test(spelling)
    ? /[$€£-]$/u.test(before) || matchEnd(MEASURE_AFTER, text, end) !== null
    : /\d /u.test(before);
  return !measured && !isWord(reading, spelling, end);
}

/** "A" and "I" before a word in lower case, "a" before any, unless that word may follow a label. */
function isWord({ text, lower }: Reading, spelling: string, end: number): boolean {
  const next = WORD_LIKE.find(([form]) => form.test(spelling))?.[1];
  if (next === undefined || matchEnd(next, text, end) === null) return false;
  const isPronoun = spelling.toLowerCase() === 'i' && matchEnd(PRONOUN_VERB, lower, end + 1) !== null;
  return isPronoun || matchEnd(AFTER_WORD, lower, end + 1) === null;
}
