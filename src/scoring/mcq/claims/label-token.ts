import { BOX_END, BOX_START } from '../clean/markup.ts';
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
  /** Written as a letter that could be an ordinary word here: "a", "A", "I", a digit. */
  readonly wordLike: boolean;
};

const OPENING = pattern(`[([{"'${BOX_START}<]`);
const CLOSING = pattern(`[)\\]}"'${BOX_END}>]`);
const AFTER_WORD = pattern(anyOf('after', 'is', 'wrong', 'or', 'and', 'not'), 'y');
/** "E. coli", "C. elegans". */
const SPECIES =
  /^\. (?:coli|\p{Ll}{3,14}(?:us|is|ae|ii|um|ans|cile|ori|ensis|gens|aster|ella|icans|eri|oides))(?!\p{L})/u;
/** What can follow an article but not a label; "I" takes more: "I have", "I would". */
const PRONOUN_VERB =
  /(?:would|will|have|had|can|could|should|as|if|am|do|did|was|seems|appears|looks?|to|with|in|on|at|not)(?!\p{L})/uy;

/** The label that stands here, with or without brackets, unless it is a word, a unit, a variable or part of something. */
export function labelTokenAt(reading: Reading, at: number): LabelToken | null {
  const { text, lower, question } = reading;
  let start = at;
  while (start < at + 3 && OPENING.test(text[start] ?? '')) start += 1;
  if (start > at && text[start] === ' ') start += 1;
  const length = question.labels.at(lower, start)?.length ?? 0;
  const spelling = text.slice(start, start + length);
  const label = length === 0 ? null : question.labels.find(spelling);
  if (label === null) return null;
  const bare = start + length;
  const end = afterClosing(text, bare, start > at);
  const token = { label, start: at, end, enclosed: start > at && end > bare, wordLike: isWordLike(spelling) };
  if (token.enclosed) return /^[.,]?\d/u.test(textAfter(text, end, 2)) ? null : token;
  return standsAlone(reading, label, start, bare) && isNotAWord(reading, token, bare) ? token : null;
}

function afterClosing(text: string, bare: number, opened: boolean): number {
  let end = opened && text[bare] === ' ' && CLOSING.test(text[bare + 1] ?? '') ? bare + 1 : bare;
  while (end < bare + 4 && CLOSING.test(text[end] ?? '')) end += 1;
  return end;
}

function isWordLike(spelling: string): boolean {
  return spelling === 'A' || spelling === 'I' || /^(?:\p{Ll}|\d+)$/u.test(spelling);
}

/** Real edges: not inside a word, a number, a formula, initials or a compound such as "B-cell" and "K_a". */
function standsAlone({ text, lower, question }: Reading, label: string, start: number, end: number): boolean {
  const before = textBefore(text, start, 2);
  const next = textAfter(text, end, 3);
  if (/[\p{L}\p{N}_\\^@#]$/u.test(before) && !/\p{Script=Han}$|[\p{Script=Hiragana}\p{Script=Hangul}]$/u.test(before))
    return false;
  if (/[\p{L}\p{N}]['.-]$/u.test(before) && !/\p{Script=Han}.$/u.test(before)) return false;
  const joined = /^[-(]/u.test(next);
  if (joined && question.texts.at(lower, end + 1)?.labels.includes(label) === true) return true;
  if (
    /^(?:['-]\p{L}|\+(?!\s|\p{Lu}(?![\p{L}\p{N}]))|[\^°%]|\/\p{Ll}|\.\p{Lu}\.| ?=(?![=>])|\([\p{Script=Latin}\p{N}])/u.test(
      next,
    )
  )
    return false;
  if (SPECIES.test(textAfter(lower, end, 24)) && question.texts.at(lower, end + 2) === null) return false;
  if (!/\d$/u.test(text.slice(start, end))) return !/\d ?$/u.test(before);
  return !/[\d$€£-]$/u.test(before) && !/^(?:[.,:/]\d|-\d| ?[%°×])/u.test(next);
}

function isNotAWord(reading: Reading, token: LabelToken, bare: number): boolean {
  const { text, lower } = reading;
  const rest = textAfter(text, bare, 24);
  const inSentence = /\p{Ll}/u.test(text[bare - 1] ?? '') ? /^ \S/u : /^ [\p{Ll}\d]/u;
  if (!token.wordLike || !inSentence.test(rest)) return true;
  if (reading.question.texts.at(lower, bare + 1)?.labels.includes(token.label) === true) return true;
  AFTER_WORD.lastIndex = bare + 1;
  if (!AFTER_WORD.test(lower)) return false;
  PRONOUN_VERB.lastIndex = bare + 1;
  return token.label.toLowerCase() !== 'i' || !PRONOUN_VERB.test(lower);
}
