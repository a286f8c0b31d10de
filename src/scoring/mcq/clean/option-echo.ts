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
  readonly label: string;
  readonly start: number;
  readonly end: number;
  /** "<- correct", "(this one)" after its text. */
  readonly chosen: boolean;
};

/** More than any honest output has; beyond it the work on hostile text is bounded. */
const MOST_PLACES = 1000;

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

/** Removes the list of options where the output repeats it: labels in a row, each followed by its own text. */
export function removeOptionEcho(reading: Reading): TrackedText {
  const runs = runsOf(reading, linesOf(reading))
    .filter((run) => isEcho(reading, run))
    .map((run) => (startsWithAnswer(reading, run) ? run.slice(1) : run));
  return applyEdits(
    reading.cleaned,
    runs.flatMap(toEdits).map((edit) => withHeading(reading.lower, edit)),
  );
}

/** "The options were:" goes with its list. */
function withHeading(lower: string, edit: Edit): Edit {
  const from = Math.max(0, edit.start - 120);
  const heading = HEADING.exec(lower.slice(from, edit.start));
  return heading === null || SELECTED.test(heading[0]) ? edit : { ...edit, start: from + heading.index };
}

/** The line that is marked as the answer stays. */
function toEdits(run: readonly Line[]): readonly Edit[] {
  const pieces: Line[][] = [[]];
  for (const line of run) {
    if (line.chosen) pieces.push([]);
    else pieces.at(-1)?.push(line);
  }
  return pieces
    .filter((piece) => piece.length > 0)
    .map((piece) => ({ start: piece[0]?.start ?? 0, end: piece.at(-1)?.end ?? 0, text: '\n' }));
}

function linesOf(reading: Reading): readonly Line[] {
  const lines: Line[] = [];
  for (const place of labelPlaces(reading).slice(-MOST_PLACES)) {
    if (place < (lines.at(-1)?.end ?? 0)) continue;
    const opened = /[([]/u.test(reading.text[place - 1] ?? '') ? place - 1 : place;
    const token = labelTokenAt(reading, opened) ?? labelTokenAt(reading, place);
    const told = token === null ? null : afterOwnText(reading, token);
    if (token === null || told?.own !== true) continue;
    const noted = matchEnd(CHOSEN, reading.lower, told.end);
    lines.push({ label: token.label, start: token.start, end: noted ?? told.end, chosen: noted !== null });
  }
  return lines;
}

function runsOf(reading: Reading, lines: readonly Line[]): readonly (readonly Line[])[] {
  const runs: Line[][] = [];
  const { ordered } = reading.question.labels;
  const rankOf = (line: Line | undefined) => (line === undefined ? Infinity : ordered.indexOf(line.label));
  for (const line of lines) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const follows =
      last !== undefined && line.start - last.end <= 12 && GAP.test(reading.text.slice(last.end, line.start));
    if (run === undefined || !follows) runs.push([line]);
    else runs.splice(-1, 1, ...split(run, line, rankOf));
  }
  return runs;
}

/** A label that comes again starts another list; in "B, A, B, C, D" that list began before, and the first B is the answer. */
function split(run: readonly Line[], line: Line, rankOf: (line: Line | undefined) => number): Line[][] {
  const again = run.findIndex((each) => each.label === line.label);
  if (again < 0) return [[...run, line]];
  const began = rankOf(run[again + 1]) < rankOf(line);
  return began ? [run.slice(0, again + 1), [...run.slice(again + 1), line]] : [[...run], [line]];
}

/** "B. Rhine", and then the others in their order. */
function startsWithAnswer(reading: Reading, run: readonly Line[]): boolean {
  const [first = 0, ...others] = run.map(({ label }) => reading.question.labels.ordered.indexOf(label));
  return (
    others.length > 1 && first > (others[0] ?? 0) && others.every((rank, i) => i === 0 || rank > (others[i - 1] ?? 0))
  );
}

/** Where several may be right, three options in a row may well be the answer; the whole list is not. */
function isEcho(reading: Reading, run: readonly Line[]): boolean {
  const { labels, multiple } = reading.question;
  const whole = run.length === labels.ordered.length;
  if (!whole && (run.length < 3 || multiple === true)) return false;
  const start = run[0]?.start ?? 0;
  return run.length < 2 || multiple === false || !SELECTED_BEFORE.test(textBefore(reading.lower, start, 60));
}
