import type { Claim } from '../claims/claim.ts';
import { afterOwnText } from '../claims/label-list.ts';
import { mentionClaim } from '../claims/mention-claim.ts';
import type { Mention } from '../claims/mentions.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isDeniedAfter } from '../claims/negation.ts';
import { isCutOff } from '../decide.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const DELIMITED = pattern(
  `^(?:[)\\]}"'\u{E001}]{0,2}[.:,)]|[)\\]"'\u{E001}]|\\s?(?:-|\\n|$|!|✓|->|[。，：、])|\\s(?:because|since|as|due|weil|da|denn|car|puisque|porque|perché)(?!\\p{L})|\\s(?:all\\s)?${anyOf('applies')})`,
);
const CLOSING = /[)\]"']/u;
const NOTHING_SAID = /^[\s"'([{\u{E000}•>✓-]*(?:(?:question |q)?\d{1,3}[.):]\s?)?$/u;
const IS_AFTER = pattern(`^\\s${anyOf('is')}`);
/** "Passes Vienna", but not "because it passes Vienna". */
const SAID_OF_IT = /^:?\s(?!(?:and|as|because|but|due|for|given|since|which|while)(?!\p{L}))\p{Ll}/u;
const RECONSIDERED = pattern(`${anyOf('correction')}|let me (?:think|see|check|verify)`);

/** The output starts with its answer: "C. text ...", "C", a blank line, an explanation. */
export const leadingLabel: Step = {
  name: 'leading label',
  claims: (reading) => {
    const first = mentionsOf(reading)[0];
    if (first === undefined || !NOTHING_SAID.test(reading.lower.slice(0, first.from))) return [];
    const claim = leadClaim(reading, first);
    return claim === null ? [] : [claim];
  },
};

function leadClaim(reading: Reading, first: Mention): Claim | null {
  const { text, lower } = reading;
  if (isFirstOfMany(reading, first) || isReconsidered(reading, first)) return null;
  const last = first.tokens.at(-1);
  const own = last !== undefined && afterOwnText(reading, last).own;
  const rest = textAfter(lower, first.end, 40);
  // "(B) The Rhine ..." begins with its answer, "(B) is longer than (A)" with its subject.
  const isClosed = first.labels.length === 1 && CLOSING.test(textBefore(text, first.end, 1)) && !IS_AFTER.test(rest);
  const others = mentionsOf(reading).slice(1);
  // "B is the river at Cologne. A and C are not near."
  const isLeft = IS_AFTER.test(rest) && others.length > 0 && others.every(({ end }) => isDeniedAfter(reading, end));
  if (!own && !isClosed && !isLeft && !DELIMITED.test(rest)) return null;
  // "C. Its text is incorrect." answers a question for what is incorrect.
  const isAllSaid = own && mentionsOf(reading).length === 1 && !/^ \p{Ll}/u.test(text.slice(last.end));
  const isDenied = isDeniedAfter(reading, first.end) && !isAllSaid;
  return isDenied || startsRow(reading, first) ? null : mentionClaim(first);
}

/** "B. Hmm, let me think again. ... D." */
function isReconsidered(reading: Reading, first: Mention): boolean {
  const last = mentionsOf(reading).at(-1);
  return RECONSIDERED.test(reading.lower.slice(first.end, last?.from));
}

/** "A. Its text is ..., so" broke off at the first option; it may have been going through all of them. */
function isFirstOfMany({ text, question }: Reading, first: Mention): boolean {
  return (
    first.labels[0] === question.labels.ordered[0] && isCutOff(text) && !text.slice(first.end).trim().includes('\n')
  );
}

/**
 * "A: 5 %, B: 10 %, C: 85 %" and "(A) passes Vienna; (B) passes Cologne" say something of each option in turn, and "(a)
 * ... (b) ..." goes through the parts of the question where the labels are capitals; neither starts with the answer.
 */
function startsRow(reading: Reading, first: Mention): boolean {
  const row = mentionsOf(reading).filter(
    ({ end }) => signsAt(reading, end) === signsAt(reading, first.end) && !isDeniedAfter(reading, end),
  );
  const isCapital = reading.text.slice(first.start, first.end).includes(first.labels.join());
  const areSubjects = row.slice(0, 2).every((mention) => isSubject(reading, mention));
  const starts = reading.question.labels.ordered.slice(0, isCapital && !areSubjects ? 3 : 2);
  return starts.every((label, i) => row[i]?.labels.join() === label);
}

/** First in its clause, and what is said of it follows. */
function isSubject({ text }: Reading, { from, end }: Mention): boolean {
  return /(?:^|[.,;\n]) ?$/u.test(textBefore(text, from, 2)) && SAID_OF_IT.test(textAfter(text, end, 12));
}

/** What is written between a label and the words after it. */
function signsAt({ text }: Reading, end: number): string | undefined {
  return /[^\p{L}\p{N}]+/u.exec(textBefore(text, end, 1) + textAfter(text, end, 3))?.[0];
}
