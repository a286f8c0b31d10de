import type { Claim } from '../claims/claim.ts';
import { concludedClaims } from '../claims/concluded.ts';
import { confirmedClaims, markBefore } from '../claims/confirmed.ts';
import { afterOwnText } from '../claims/label-list.ts';
import { mentionClaim } from '../claims/mention-claim.ts';
import type { Mention } from '../claims/mentions.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isContrasted, isDeniedAfter } from '../claims/negation.ts';
import { isCutOff } from '../decide.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const DELIMITED = /^(?:[)\]}"'\u{E001}]{0,2}[.:,)]|[)\]"'\u{E001}]|\s?(?:-|\n|$|!|✓|->)|\s?[。，：、])/u;
const NOTHING_SAID = /^[\s"'([{\u{E000}•>✓-]*(?:(?:[qQ](?:uestion)? ?)?#?\d{1,3}[.):] ?)?["'([{\u{E000}]{0,2}$/u;
const FOLLOWED = pattern(`^\\s${anyOf('after', 'is')}`);

const RECONSIDERED = pattern(`${anyOf('correction')}|let me (?:think|see|check|verify)`);

/** The output starts with its answer: "C. text ...", "C", a blank line, an explanation. */
export const leadingLabel: Step = {
  name: 'leading label',
  claims: (reading) => {
    const first = mentionsOf(reading)[0];
    if (first === undefined || first.from > 20 || !NOTHING_SAID.test(reading.text.slice(0, first.from))) return [];
    const claim = leadClaim(reading, first);
    return claim === null ? [] : [claim];
  },
};

function leadClaim(reading: Reading, first: Mention): Claim | null {
  if (isFirstOfMany(reading, first) || isReconsidered(reading, first) || isLeftOut(reading, first)) return null;
  const last = first.tokens.at(-1);
  const own = last === undefined ? null : afterOwnText(reading, last);
  const rest = textAfter(reading.text, first.end, 40);
  // "C. Its text is incorrect." answers a question for what is incorrect.
  const isAllSaid =
    own?.own === true && mentionsOf(reading).length === 1 && !/^ \p{Ll}/u.test(reading.text.slice(last?.end));
  const set = first.marked || own?.own === true || DELIMITED.test(rest) || reading.text[first.end - 1] === ')';
  const said = set || (FOLLOWED.test(rest.toLowerCase()) && !isOtherConfirmed(reading, first));
  // "A, B and C are possible" weighs options; were they called right, a stronger step would have said so.
  if (first.labels.length > 1 && FOLLOWED.test(rest.toLowerCase())) return null;
  if (
    !said ||
    markBefore(reading, first) === '✗' ||
    (isDeniedAfter(reading, first.end) && !isAllSaid) ||
    startsList(reading, first) ||
    startsRow(reading, first)
  )
    return null;
  return mentionClaim(reading, first);
}

/** "A is sedimentary, B is igneous, ..., so B is correct." */
function isOtherConfirmed(reading: Reading, { end, labels }: Mention): boolean {
  return confirmedClaims(reading).some(
    ({ value, start }) =>
      start >= end && value.kind === 'labels' && !value.labels.some((label) => labels.includes(label)),
  );
}

/** "D is the only false one, so A, B, C": the text ends with all the others. */
function isLeftOut(reading: Reading, { labels }: Mention): boolean {
  const last = concludedClaims(reading).at(-1);
  if (last?.value.kind !== 'labels' || last.value.labels.length < 2 || labels.length > 1) return false;
  const isEnd = reading.text.slice(last.end).replace(/[\s.!)]/gu, '') === '';
  return (
    isEnd &&
    last.value.labels.length === reading.question.labels.ordered.length - 1 &&
    !last.value.labels.includes(labels[0] ?? '')
  );
}

/** "B. Hmm, let me think again. ... D." */
function isReconsidered(reading: Reading, first: Mention): boolean {
  const last = mentionsOf(reading).at(-1);
  return (
    last !== undefined &&
    last.labels[0] !== first.labels[0] &&
    (RECONSIDERED.test(reading.lower.slice(first.end, last.from)) || isContrasted(reading, last))
  );
}

/** "A. Its text is ..., so" broke off at the first option; it may have been going through all of them. */
function isFirstOfMany({ text, question }: Reading, first: Mention): boolean {
  return (
    first.labels[0] === question.labels.ordered[0] && isCutOff(text) && !text.slice(first.end).trim().includes('\n')
  );
}

/**
 * "A. ... B. ... C. ..." line by line goes through the options, and "(a) ... (b) ..." through the parts of the question
 * where the labels are capitals; neither starts with the answer.
 */
function startsList(reading: Reading, first: Mention): boolean {
  const { ordered } = reading.question.labels;
  const label = first.labels[0] ?? '';
  const next = ordered[ordered.indexOf(label) + 1];
  if (first.labels.length > 1 || next === undefined) return false;
  const later = mentionsOf(reading).slice(1);
  if (!reading.text.slice(first.start, first.end).includes(label))
    return later.some((mention) => mention.labels[0] === next);
  const lines = new Set([first, ...later.filter((mention) => mention.leadsLine)].map((mention) => mention.labels[0]));
  return lines.has(next) && (lines.size >= 3 || ordered.length === 2);
}

/** "A: 5 %, B: 10 %, C: 85 %" says something of each option in turn. */
function startsRow(reading: Reading, first: Mention): boolean {
  const { ordered } = reading.question.labels;
  const sign = /^ ?[:=-]/u.exec(textAfter(reading.text, first.end, 2))?.[0];
  if (sign === undefined || first.labels[0] !== ordered[0]) return false;
  const row = mentionsOf(reading).filter(({ end }) => reading.text.startsWith(sign, end));
  return ordered.slice(0, 3).every((label, i) => row[i]?.labels.join() === label);
}
