import type { Claim } from '../claims/claim.ts';
import { namedClaim } from '../claims/claim-at.ts';
import { concludedClaims } from '../claims/concluded.ts';
import { confirmedClaims } from '../claims/confirmed.ts';
import { sentenceEnd } from '../claims/sentence.ts';
import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const LINE_START = /(?<=^|\n)[ #•>"'-]{0,6}(?=[^\s#•>"'-])/gu;
const LINE_END = /[ .;!)"'\]]{0,4}(?=\n|$)/uy;
/** A bare letter may be an item of a list; what comes before an answer ends, or leaves a line free. */
const APART = /(?:^|[.:?!]\n|\n\n)[\s#•>"'-]{0,6}$/u;
const OPTION = pattern(`${anyOf('option', 'answer')}[ :#]{1,3}`, 'y');
const TAKEN_BACK = pattern(`^\\s*${anyOf('wrong', 'no', 'correction')}`);
const ABOUT_IT = pattern(`^\\s*["'(]?(?:but|yet|however|${anyOf('this', 'option')})(?!\\p{L})`);
const DENIES = pattern(anyOf('wrong', 'not'));
/** "A tempting choice:", "Let us look at each option:". */
const NO_ANSWER_BEFORE = pattern(
  `(?:${anyOf('wrong', 'not', 'reject', 'earlier')}|tempting|trap|first,|each|every|one by one|in turn|the options)[^\\n]{0,60}\\s{0,3}[\\s#•>"'-]{0,6}$`,
);

type LabelLine = Claim & { readonly from: number };

/** One line of the output is nothing but a label, or a label with its own text; several are a list. */
export const labelLine: Step = {
  name: 'label on a line of its own',
  claims: (reading) => {
    const lines = linesOf(reading);
    const [only] = lines;
    return only !== undefined && lines.length === 1 && isTold(reading, only) ? [only] : [];
  },
};

/** The labels of such lines that what stands around them rules out. */
export function ruledOutLines(reading: Reading): readonly string[] {
  return linesOf(reading)
    .filter((line) => isRuledOut(reading, line))
    .flatMap(({ value }) => ('labels' in value ? value.labels : []));
}

/** Several lines are a list, and nobody asks how long it is. */
const MOST_LINES = 6;

const linesOf = once((reading: Reading): readonly LabelLine[] => {
  const lines: LabelLine[] = [];
  for (const { index, 0: lead } of lastMatches(reading.text, LINE_START)) {
    if (index < (lines.at(-1)?.end ?? 0)) continue;
    lines.push(...lineAt(reading, index + lead.length));
    if (lines.length >= MOST_LINES) break;
  }
  return lines;
});

function lineAt(reading: Reading, from: number): readonly LabelLine[] {
  const claim = namedClaim(reading, matchEnd(OPTION, reading.lower, from) ?? from);
  if (claim === null || claim.by === 'text' || claim.value.kind !== 'labels') return [];
  return matchEnd(LINE_END, reading.text, claim.end) === null ? [] : [{ ...claim, from }];
}

function isTold(reading: Reading, line: LabelLine): boolean {
  const said = reading.text.slice(line.start, line.end);
  const isBare = said.length < 4;
  if (said.includes('\n')) return false;
  if (isBare && (/^\p{N}/u.test(said) || !APART.test(textBefore(reading.text, line.from, 8)))) return false;
  return !isRuledOut(reading, line) && !isOverruled(reading, line);
}

function isRuledOut(reading: Reading, line: LabelLine): boolean {
  const before = textBefore(reading.lower, line.from, 120);
  return NO_ANSWER_BEFORE.test(before) || isTakenBack(reading, line);
}

/** "C. its text", and then "No, ..." or "Its text is large, but it is not the capital." */
function isTakenBack({ lower, question }: Reading, { end, value }: Claim): boolean {
  const after = /^[\s.;!)"'\]]{0,8}/u.exec(textAfter(lower, end, 8))?.[0].length ?? 0;
  const rest = lower.slice(end + after, sentenceEnd(lower, end + after, 200));
  const own = question.texts.at(lower, end + after)?.labels ?? [];
  const isAboutIt = ABOUT_IT.test(rest) || ('labels' in value && own.some((label) => value.labels.includes(label)));
  return TAKEN_BACK.test(rest) || (isAboutIt && DENIES.test(rest));
}

/** "A. its text", its discussion, and then "so it must be C": the line began a list that was not gone through. */
function isOverruled(reading: Reading, line: Claim): boolean {
  const told = 'labels' in line.value ? line.value.labels.join() : '';
  return [...confirmedClaims(reading), ...concludedClaims(reading)].some(
    ({ value, start }) => start > line.end && 'labels' in value && value.labels.join() !== told,
  );
}
