import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { labelRangeAt } from './label-range.ts';
import { type LabelToken, labelTokenAt } from './label-token.ts';

/** One or several labels in a row: "A", "(A)", "A, B and D", "A. its text and D. its text", "AD", "A or B". */
export type LabelList = {
  readonly labels: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly hedged: boolean;
  /** The label whose place is followed by the text of another option. */
  readonly mismatch: boolean;
  readonly tokens: readonly LabelToken[];
};

const AND = pattern(
  `\\s{0,2}(?:[,;&+、，|]|${anyOf('and')}){1,2}\\s{0,2}(?:${anyOf('and')}\\s{0,2})?(?:${anyOf('option', 'between')}\\s{1,2}){0,2}`,
  'y',
);
const OR = pattern(
  `\\s{0,2},?\\s{0,2}(?:${anyOf('or')}|/)\\s{0,2}(?:(?:${anyOf('option', 'between', 'is')})\\s{1,2}){0,3}`,
  'y',
);
const BRACKET = /\s?[([]/uy;
const NEXT_LINE = /[ .;,]{0,2}\n{1,2}(?:[-•+] ?|\d{1,2}[.)] )?/uy;
const DELIMITER = /\s?[.:,)\-–]{0,2}\s{0,2}[("]?/uy;
const TEXT_END = /[)"\]]?\s{0,9}(?:[.,;:!?)\]\n]|$|(?=and |or |& |-|\+))/uy;
/** After "C." or "C," a text may begin the next statement; only one that is a statement of its own belongs to the label. */
const STATEMENT_END = /[)"\]]{0,2}\s{0,2}(?:[.!?;]{1,2}(?=\s|$)|\n|$|,?\s?(?:because|since|due to)(?!\p{L}))/uy;
/** The text of a later line, where it is all that is left. */
const OUTPUT_END = /[)"\].!]{0,3}\s*$/uy;
const SUBJECT =
  /(?:is|was|has|does|would|can|could|may|might|refers|describes|represents|cannot|isn't|doesn't|wasn't|seems|appears|involves|means)(?!\p{L})/uy;
const SUBJECTS = pattern(
  `(?:are|were|have|do|aren't|don't|can|could|would|all)\\s{1,2}(?:[\\p{L}']+\\s{1,2}){0,2}${anyOf('wrong', 'not')}`,
  'y',
);
const WRONG = pattern(`,?\\s{1,2}${anyOf('is', 'not')}\\s{1,2}(?:[\\p{L}']+\\s{1,2}){0,2}${anyOf('wrong')}`, 'y');

/**
 * Reads the longest list that starts here; null when no label does. With `subject` the list starts its sentence, and
 * what follows is said of the whole of it; else its end may be the subject of the next clause.
 */
export function labelListAt(reading: Reading, at: number, subject = false): LabelList | null {
  const joined = joinedLettersAt(reading, at);
  if (joined !== null) return joined;
  const range = labelRangeAt(reading, at);
  if (range !== null) return { ...range, start: at, hedged: false, mismatch: false, tokens: [] };
  const tokens: LabelToken[] = [];
  let hedged = false;
  let mismatch = false;
  let end = at;
  for (let next: number | null = at; next !== null && tokens.length < 100; ) {
    const token = listTokenAt(reading, next);
    if (token === null) break;
    tokens.push(token);
    const told = afterOwnText(reading, token);
    end = told.end;
    mismatch ||= told.mismatch;
    const or = matchEnd(OR, connecting(reading), end);
    const alternative = or !== null && listTokenAt(reading, or) !== null;
    if (alternative) hedged ||= !isListSlash(reading, end);
    next = alternative ? or : nextLabel(reading, end, told.own);
  }
  const kept = subject ? tokens : withoutNextClause(reading, tokens, end);
  const last = kept.at(-1);
  if (last === undefined) return null;
  const labels = [...new Set(kept.map((token) => token.label))];
  const keptEnd = kept.length === tokens.length ? end : last.end;
  return { labels, start: at, end: keptEnd, hedged: hedged && labels.length > 1, mismatch, tokens: kept };
}

function listTokenAt(reading: Reading, at: number): LabelToken | null {
  return labelTokenAt(reading, at) ?? toldTokenAt(reading, at);
}

/** "Copper (A)": the text of an option, and then its own label in brackets. */
function toldTokenAt(reading: Reading, at: number): LabelToken | null {
  const told = reading.question.texts.at(reading.lower, at);
  if (told === null) return null;
  const bracket = matchEnd(BRACKET, reading.text, told.end);
  const token = bracket === null ? null : labelTokenAt(reading, bracket - 1);
  return token?.enclosed === true && told.labels.includes(token.label) ? { ...token, start: at } : null;
}

/** "A/D" is a list where several may be right, and a hedge elsewhere. */
function isListSlash(reading: Reading, at: number): boolean {
  return reading.question.multiple === true && /^\s{0,2}\//u.test(textAfter(reading.text, at, 4));
}

/** The lower-cased text in which single capitals stay: they are labels, and "X, Y" holds no Spanish "y". */
const connecting = once(({ text, lower }: Reading): string => {
  const pieces: string[] = [];
  let read = 0;
  for (const { index } of text.matchAll(/(?<!\p{L})[A-Z](?!\p{L})/gu)) {
    pieces.push(lower.slice(read, index), textAfter(text, index, 1));
    read = index + 1;
  }
  return pieces.join('') + lower.slice(read);
});

function nextLabel(reading: Reading, end: number, told: boolean): number | null {
  const and = matchEnd(AND, connecting(reading), end) ?? nextAfterSpace(reading, end);
  if (and !== null) return and;
  const line = reading.question.multiple === false ? null : matchEnd(NEXT_LINE, reading.lower, end);
  if (line === null) return null;
  const token = labelTokenAt(reading, line);
  if (token === null) return null;
  // On a line of its own a label continues the list only as the first did: alone, or with nothing but its own text.
  const after = afterOwnText(reading, token);
  return after.own === told && /^[\s.;,]{0,3}(?:\n|$)/u.test(textAfter(reading.text, after.end, 4)) ? line : null;
}

/** "A C D": only where several may be right, and where labels fill the line. */
function nextAfterSpace({ lower, question }: Reading, end: number): number | null {
  if (question.multiple !== true || lower[end] !== ' ') return null;
  const line = /^[^\n]{0,60}/u.exec(textAfter(lower, end, 60))?.[0].trim() ?? '';
  return line.split(' ').every((word) => question.labels.find(word.replace(/[.,;]$/u, '')) !== null) ? end + 1 : null;
}

/** Steps over "its text" in "B. its text" and "B (its text)", and notices the text of another option there. */
export function afterOwnText(
  reading: Reading,
  token: LabelToken,
): { readonly end: number; readonly own: boolean; readonly mismatch: boolean } {
  const start = matchEnd(DELIMITER, reading.lower, token.end) ?? token.end;
  const here = reading.question.texts.at(reading.lower, start);
  const none = { end: token.end, own: false, mismatch: false };
  if (here === null) return none;
  const end = matchEnd(/[)"\]]{0,2}/uy, reading.lower, here.end) ?? here.end;
  if (here.labels.includes(token.label)) return { end, own: true, mismatch: false };
  const between = reading.lower.slice(token.end, start);
  const ending = between.includes('\n') ? OUTPUT_END : /[.,]/u.test(between) ? STATEMENT_END : TEXT_END;
  const complete = matchEnd(ending, reading.lower, here.end) !== null;
  return complete && start > token.end && !isLabelItself(reading, here.start, here.end)
    ? { ...none, mismatch: true }
    : none;
}

/** In "A, B" the "B" is a label even where some option's text is "B". */
function isLabelItself(reading: Reading, start: number, end: number): boolean {
  return reading.question.labels.find(reading.text.slice(start, end)) !== null;
}

/** In "the answer is C, and D is wrong" the D starts the next clause; in "C, A and D are wrong" A and D do. */
function withoutNextClause(reading: Reading, tokens: readonly LabelToken[], end: number): readonly LabelToken[] {
  const space = matchEnd(/\s{1,2}/uy, reading.lower, end);
  if (tokens.length < 2 || space === null) return tokens;
  if (matchEnd(SUBJECTS, reading.lower, space) !== null) return tokens.slice(0, 1);
  if (matchEnd(SUBJECT, reading.lower, space) !== null) return tokens.slice(0, -1);
  return matchEnd(WRONG, reading.lower, end) === null ? tokens : tokens.slice(0, -1);
}

/** "AD": in order, without repeats, and no label or option text itself. */
function joinedLettersAt(reading: Reading, at: number): LabelList | null {
  const { text, lower, question } = reading;
  if (question.multiple === false) return null;
  const found =
    /(?<![\p{Script=Latin}\p{N}_-])([(["']?)(\p{Lu}{2,26})([)\]"']?)(?![\p{L}\p{N}_]|[-'+]\p{L}| \p{Ll}{1,24}(?<! (?:are|because|since|as|and|is|both)))/uy;
  found.lastIndex = at;
  const run = found.exec(text);
  const letters = [...(run?.[2] ?? '')];
  if (run === null || question.labels.find(letters.join('')) !== null || question.texts.at(lower, at) !== null)
    return null;
  const ranks = letters.map((letter) => question.labels.ordered.indexOf(letter));
  const limit = question.labels.open && question.multiple !== true ? 6 : Infinity;
  const ascending = ranks.every((rank, i) => rank >= 0 && rank < limit && (i === 0 || rank > (ranks[i - 1] ?? 0)));
  const distinct =
    question.multiple === true && ranks.every((rank) => rank >= 0) && new Set(ranks).size === ranks.length;
  if (!ascending && !distinct) return null;
  return { labels: letters, start: at, end: at + run[0].length, hedged: false, mismatch: false, tokens: [] };
}
