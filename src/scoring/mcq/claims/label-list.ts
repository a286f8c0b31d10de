import { inOrder } from '../labels.ts';
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

/** "As" is an article in Portuguese; "B, as C and D are short" gives a reason. */
const AND = pattern(
  `\\s{0,2}(?:[,;&+、，|]|${anyOf('and')}){1,2}\\s{0,2}(?:${anyOf('and')}\\s{0,2})?(?!as\\s)(?:${anyOf('option', 'between')}\\s{1,2}){0,2}`,
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
const STATEMENT_END = /[)"\]]{0,2}(?:\s?[.!?;](?=\s|$)|\n|$|,?\s(?:because|since|due to)\s)/uy;
/** The text of a later line, where it is all that is left. */
const OUTPUT_END = /[)"\].!]{0,3}\s*$/uy;
const SUBJECT = pattern(
  `\\s{1,2}(?:is|was|has|does|would|can|could|may|might|refers|describes|represents|cannot|isn't|doesn't|wasn't|seems|appears|involves|means)(?!\\p{L})|,?\\s{1,2}${anyOf('is', 'not')}\\s{1,2}(?:[\\p{L}']+\\s{1,2}){0,2}${anyOf('wrong')}`,
  'y',
);
const SUBJECTS = pattern(
  `\\s{1,2}(?:are|were|have|do|aren't|don't|can|could|would|all)\\s{1,2}(?:[\\p{L}']+\\s{1,2}){0,2}${anyOf('wrong', 'not')}`,
  'y',
);
/** After "A; B and C" this says something of B and C: "lie in the south", but not "because". */
const PREDICATE =
  /\s(?!(?:and|as|because|but|due|for|given|if|in|not|on|only|since|that|when|which|while|with)(?!\p{L}))\p{Ll}/uy;
/** "A/D". */
const SLASH = /\s{0,2}\//uy;
/** "(A)(C)", "(A) (C)". */
const ADJACENT = /(?<=[)\]]) ?(?=[([][\p{L}\d]{1,3}[)\]])/uy;
/** "A C D" where it fills the line and several may be right. */
const SPACED = /(?: \p{L}){1,25}\.?(?=\n|$)/uy;
const LINE_END = /[\s.;,]{0,3}(?:\n|$)/uy;
/** "AD" or "(AD)": capitals that begin no sentence and are part of no word. */
const JOINED =
  /(?<![\p{Script=Latin}\p{N}_-])[(["']?\p{Lu}{2,26}[)\]"']?(?![\p{L}\p{N}_]|[-'+]\p{L}| (?!(?:because|since)(?!\p{L}))\p{Ll})/uy;

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
  return reading.question.multiple === true && matchEnd(SLASH, reading.text, at) !== null;
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
  const { text, lower, question } = reading;
  const beside = matchEnd(AND, connecting(reading), end) ?? matchEnd(ADJACENT, text, end);
  if (beside !== null) return beside;
  if (question.multiple === true && matchEnd(SPACED, lower, end) !== null) return end + 1;
  const line = matchEnd(NEXT_LINE, lower, end) ?? text.length;
  const token = labelTokenAt(reading, line);
  if (token === null) return null;
  // On a line of its own a label continues the list only as the first did: alone, or with nothing but its own text.
  const after = afterOwnText(reading, token);
  return after.own === told && matchEnd(LINE_END, text, after.end) !== null ? line : null;
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
  // In "A, B" the "B" is a label even where some option's text is "B".
  const isLabel = reading.question.labels.find(reading.text.slice(here.start, here.end)) !== null;
  return complete && !isLabel ? { ...none, mismatch: true } : none;
}

/** In "the answer is C, and D is wrong" the D starts the next clause; in "C, A and D are wrong", "C; A and D lie ..." A and D do. */
function withoutNextClause(reading: Reading, tokens: readonly LabelToken[], end: number): readonly LabelToken[] {
  if (tokens.length < 2) return tokens;
  const told = tokens.filter((token) => reading.text.slice(token.end, end).includes(';'));
  if (told.length > 0 && matchEnd(PREDICATE, reading.lower, end) !== null) return told;
  if (matchEnd(SUBJECTS, reading.lower, end) !== null) return tokens.slice(0, 1);
  return matchEnd(SUBJECT, reading.lower, end) === null ? tokens : tokens.slice(0, -1);
}

/** "AD": in order, without repeats, and no label or option text itself; in any order where several may be right. */
function joinedLettersAt(reading: Reading, at: number): LabelList | null {
  const { text, lower, question } = reading;
  const end = question.multiple === false ? null : matchEnd(JOINED, text, at);
  if (end === null) return null;
  const spelled = text.slice(at, end).replace(/\P{Lu}/gu, '');
  const { labels, texts, multiple } = question;
  if (labels.find(spelled) !== null || texts.at(lower, text.indexOf(spelled, at)) !== null) return null;
  // Where the labels are not known, longer runs of capitals are more often words.
  const chosen = inOrder([...spelled], labels.open ? labels.ordered.slice(0, 6) : labels.ordered);
  const isList = multiple === true ? chosen.length === spelled.length : chosen.join('') === spelled;
  return isList ? { labels: [...spelled], start: at, end, hedged: false, mismatch: false, tokens: [] } : null;
}
