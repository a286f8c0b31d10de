import type { Claim } from '../claims/claim.ts';
import { concludedClaims } from '../claims/concluded.ts';
import { confirmedClaims } from '../claims/confirmed.ts';
import { labelsOf } from '../claims/labels-of.ts';
import { namedClaim } from '../claims/named-claim.ts';
import { sentenceEnd } from '../claims/sentence.ts';
import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const LINE = /^/gmu;
const LEAD = /[ #•>"'-]{0,6}/uy;
const LINE_END = /[ .;!)"'\]]{0,4}(?=\n|$)/uy;
const AFTER = /[\s.;!)"'\]]{0,8}/uy;
/** A bare letter may be an item of a list; what comes before an answer ends, or leaves a line free. */
const APART = /(?:^|[.:?!\n]\n)$/u;
const OPTION = pattern(`${anyOf('option', 'answer')}[ :#]{1,3}`, 'y');
const TAKEN_BACK = pattern(`^\\s*${anyOf('wrong', 'no', 'correction')}`);
const ABOUT_IT = pattern(`^\\s*["'(]?(?:but|yet|however|${anyOf('this', 'option')})(?!\\p{L})`);
const DENIES = pattern(anyOf('wrong', 'not'));
/** "A tempting choice:", "Let us look at each option:". */
const NO_ANSWER_BEFORE = pattern(
  `(?:${anyOf('wrong', 'not', 'reject', 'earlier')}|tempting|trap|first,|each|every|one by one|in turn|the options)[^\\n]{0,60}\\n{1,2}$`,
);

/** `from` is where the line starts. */
type LabelLine = Claim & { readonly from: number; readonly labels: readonly string[] };

/** One line of the output is nothing but a label, or a label with its own text; several are a list. */
export const labelLine: Step = {
  name: 'label on a line of its own',
  claims: (reading) => {
    const [only, ...others] = linesOf(reading);
    return only === undefined || others.length > 0 || !isTold(reading, only) ? [] : [only];
  },
};

/** The labels of such lines that what stands around them rules out. */
export function ruledOutLines(reading: Reading): readonly string[] {
  return linesOf(reading)
    .filter((line) => isRuledOut(reading, line))
    .flatMap((line) => line.labels);
}

/** Every line may begin a list of many lines: this bounds the work. */
const MOST_LINES = 60;

const linesOf = once((reading: Reading): readonly LabelLine[] =>
  lastMatches(reading.text, LINE, MOST_LINES).flatMap(({ index }) => labelLineAt(reading, index) ?? []),
);

/** The label, or the label with its own text, that is all there is on the line which starts here. */
export function labelLineAt(reading: Reading, from: number): LabelLine | null {
  const start = matchEnd(LEAD, reading.text, from) ?? from;
  const claim = namedClaim(reading, matchEnd(OPTION, reading.lower, start) ?? start);
  // A text alone on its line is a heading as often as an answer.
  if (claim === null || claim.by === 'text' || matchEnd(LINE_END, reading.text, claim.end) === null) return null;
  return { ...claim, from, labels: labelsOf(claim) };
}

function isTold(reading: Reading, line: LabelLine): boolean {
  const isNumber = Number.isFinite(Number(reading.text.slice(line.start, line.end)));
  if (isNumber || !APART.test(textBefore(reading.text, line.from, 2))) return false;
  return !isRuledOut(reading, line) && !isOverruled(reading, line);
}

function isRuledOut(reading: Reading, line: LabelLine): boolean {
  const before = textBefore(reading.lower, line.from, 120);
  return NO_ANSWER_BEFORE.test(before) || isTakenBack(reading, line);
}

/** "C. its text", and then "No, ..." or "Its text is large, but it is not the capital." */
function isTakenBack({ lower, question }: Reading, { end, labels }: LabelLine): boolean {
  const next = matchEnd(AFTER, lower, end) ?? end;
  const rest = lower.slice(next, sentenceEnd(lower, next, 200));
  const isAboutIt = question.texts.at(lower, next)?.labels.join() === labels.join() || ABOUT_IT.test(rest);
  return TAKEN_BACK.test(rest) || (isAboutIt && DENIES.test(rest));
}

/** "A. its text", its discussion, and then "so it must be C": the line began a list that was not gone through. */
function isOverruled(reading: Reading, line: LabelLine): boolean {
  return [...confirmedClaims(reading), ...concludedClaims(reading)].some(({ start }) => start > line.end);
}
