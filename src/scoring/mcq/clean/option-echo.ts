import { afterOwnText } from '../claims/label-list.ts';
import { labelTokenAt } from '../claims/label-token.ts';
import { labelPlaces } from '../claims/mentions.ts';
import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { applyEdits, type Edit, type TrackedText } from './tracked-text.ts';

type Line = {
  /** The place of its option among the options. */
  readonly rank: number;
  readonly start: number;
  readonly end: number;
  /** "<- correct", "(this one)" after its text. */
  readonly chosen: boolean;
};

type Run = readonly [Line, ...Line[]];

const GAP = /^[\s.,;|•>()"'/\d-]{0,12}$/u;
const CHOSEN = pattern(
  `[ \\t]{0,2}(?:[(\\[<=*-]{0,3}|->)[ -]{0,3}(?:✓|(?:this is )?(?:the |my )?(?:${anyOf('right', 'answer')}|this one|here)(?: (?:one|${anyOf('answer', 'option')}))?)[)\\].!]{0,2}[ \\t]{0,2}(?=\\n|$)`,
  'y',
);
const HEADING = pattern(`(?:^|\\n)[^\\n.!?:]{0,60}${anyOf('option')}[^\\n.!?:]{0,30}:\\s{0,3}$`);
const SELECTED = pattern(anyOf('right', 'choose', 'answer'));
const SELECTED_BEFORE = pattern(
  `(?:${anyOf('right')}\\s(?:${anyOf('answer', 'option')})|${anyOf('answer')}\\s{0,2}(?:${anyOf('is')})|(?<![a-z] )${anyOf('answer')}|${anyOf('choose')})\\s{0,2}(?:${anyOf('is')}|include)?\\s{0,2}:?\\s{0,3}[("'-]{0,2}\\s?$`,
);

/** Removes the list of options where the output repeats it: labels in their order, each followed by its own text. */
export function removeOptionEcho(reading: Reading): TrackedText {
  const echoes = runsOf(reading, linesOf(reading)).filter((run) => isEcho(reading, run));
  return applyEdits(
    reading.cleaned,
    echoes.flatMap((run) => toEdits(reading.lower, run)),
  );
}

/** The line that is marked as the answer stays. */
function toEdits(lower: string, run: Run): readonly Edit[] {
  return run.flatMap((line, i): readonly Edit[] => {
    if (line.chosen) return [];
    const next = run[i + 1];
    const start = withHeading(lower, line.start);
    return next === undefined || next.chosen
      ? [{ start, end: line.end, text: '\n' }]
      : [{ start, end: next.start, text: '' }];
  });
}

/** "The options were:" goes with its list. */
function withHeading(lower: string, start: number): number {
  const heading = HEADING.exec(textBefore(lower, start, 120))?.[0] ?? '';
  return SELECTED.test(heading) ? start : start - heading.length;
}

function linesOf(reading: Reading): readonly Line[] {
  const lines: Line[] = [];
  let done = 0;
  for (const place of labelPlaces(reading)) {
    // The bracket before it belongs to the label.
    const token = labelTokenAt(reading, place - 1) ?? labelTokenAt(reading, place);
    if (token === null || place < done) continue;
    const told = afterOwnText(reading, token);
    if (!told.own) continue;
    const noted = matchEnd(CHOSEN, reading.lower, told.end);
    done = noted ?? told.end;
    const rank = reading.question.labels.ordered.indexOf(token.label);
    lines.push({ rank, start: token.start, end: done, chosen: noted !== null });
  }
  return lines;
}

/**
 * All options in a row are one list, in any order. But what stands before a list in order is the answer: the first B in
 * "B, A, B, C, D" and in "B, A, C, D".
 */
function runsOf({ text, question }: Reading, lines: readonly Line[]): readonly Run[] {
  const rows = split(lines, (last, line) => GAP.test(text.slice(last.end, line.start)));
  const { length } = question.labels.ordered;
  return rows.flatMap((row) => {
    const isWhole = row.length === length && new Set(row.map(({ rank }) => rank)).size === length;
    return isWhole && inOrder(row.slice(1)).length > 1 ? [row] : inOrder(row);
  });
}

function inOrder(lines: readonly Line[]): readonly Run[] {
  return split(lines, (last, line) => line.rank > last.rank);
}

function split(lines: readonly Line[], goesOn: (last: Line, line: Line) => boolean): readonly Run[] {
  const runs: [Line, ...Line[]][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run !== undefined && goesOn(run.at(-1) ?? run[0], line)) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

/** Where several may be right, three options in a row may well be the answer; the whole list is not. */
function isEcho(reading: Reading, run: Run): boolean {
  const { labels, multiple } = reading.question;
  if (run.length < labels.ordered.length && (run.length < 3 || multiple === true)) return false;
  return multiple === false || !SELECTED_BEFORE.test(textBefore(reading.lower, run[0].start, 60));
}
