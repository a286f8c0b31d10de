import { findAll } from '../../words/find-all.ts';
import { isDenied, plainMath } from './tidy-answer.ts';

// An escaped brace or backslash is a separate token, so it opens and closes nothing. Models lose
// the backslash of a box, and a reader of JSON makes a control character of "\b".
const BRACE =
  /\\f?boxed\s{0,4}(?:\{|(\d[\d.]{0,20}|[A-Za-z](?![A-Za-z])))|(?:(?<![A-Za-z])f?b|[\b])oxed\{|\\[\\{}]|[{}]/g;
/** What may stand between boxes besides a word that joins them: delimiters, blanks, a name. */
const BETWEEN_SIGNS =
  /\\[()[\]]|\\q?quad|\\text\s?\{|[$}\s]|(?<![A-Za-z])[A-Za-z](?:_\{?\w\}?)?\s?=/g;
/** "\boxed{1}, \boxed{2} and \boxed{3}": one answer. */
const JOINT = /^(?:[,;、]|[,;]?(?:and(?:also)?|or|aswellas|und|oder|et|y|ou|и|или|和|或|及))$/;

type Box = Readonly<{ outer: number; start: number; end: number; after: number }>;

/** One box, or several that are one answer. */
export type BoxedAnswer = Readonly<{
  start: number;
  end: number;
  content: string;
  denied: boolean;
}>;

/** The content of the last box that is not denied, or null. */
export function lastBox(text: string): string | null {
  return boxedAnswers(text).findLast(({ denied }) => !denied)?.content ?? null;
}

/**
 * The contents of the LaTeX boxes of a text that are closed and not blank, in order. Boxes that
 * commas, "and" or "or" join are one answer. Braces may nest.
 */
export function boxedAnswers(text: string): readonly BoxedAnswer[] {
  if (!text.includes('oxed')) return [];
  const groups: Box[][] = [];
  let isDeniedBefore = false;
  const denied: boolean[] = [];
  findBoxes(text).forEach((box, i, all) => {
    const isWrong =
      i > 0 &&
      (NEGATED.test(text.slice(Math.max(0, box.outer - 24), box.outer)) ||
        isDenied(text, box.after, all[i + 1]?.outer));
    const group = groups.at(-1);
    const previous = group?.at(-1);
    const isJoined =
      previous !== undefined &&
      isWrong === isDeniedBefore &&
      box.outer - previous.after < MAX_BETWEEN &&
      JOINT.test(text.slice(previous.after, box.outer).replace(BETWEEN_SIGNS, ''));
    if (isJoined) group?.push(box);
    else {
      groups.push([box]);
      denied.push(isWrong);
    }
    isDeniedBefore = isWrong;
  });
  return groups.map((group, i) => ({
    start: group[0]?.outer ?? 0,
    end: group.at(-1)?.after ?? 0,
    content: group.map(({ start, end }) => plainMath(text.slice(start, end))).join(', '),
    denied: denied[i] ?? false,
  }));
}

const MAX_BETWEEN = 60;
const NEGATED = /(?<!\p{L})(?:not|instead of|rather than)[\s$(\\]{0,6}$/iu;

/** The innermost boxes in order. */
function findBoxes(text: string): readonly Box[] {
  // One pass with a stack. Searching the end of each box separately is quadratic when many are
  // never closed.
  const open: (Pick<Box, 'outer' | 'start'> | null)[] = [];
  const boxes: Box[] = [];
  for (const { 0: token, 1: bare, index } of findAll(text, BRACE)) {
    const after = index + token.length;
    if (bare !== undefined)
      boxes.push({ outer: index, start: after - bare.length, end: after, after });
    else if (token === '{') open.push(null);
    else if (token.length > 2) open.push({ outer: index, start: after });
    else if (token === '}') {
      const box = open.pop() ?? null;
      const hasInner = box !== null && (boxes.at(-1)?.outer ?? -1) > box.outer;
      if (box === null || hasInner || text.slice(box.start, index).trim() === '') continue;
      boxes.push({ ...box, end: index, after });
    }
  }
  return boxes;
}
