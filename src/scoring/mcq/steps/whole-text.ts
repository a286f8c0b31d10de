import { isAllStatement, isNoneStatement } from '../all-none.ts';
import type { Claim } from '../claims/claim.ts';
import { claimAt, namedClaim } from '../claims/claim-at.ts';
import { matchEnd } from '../match-end.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const LEAD = pattern(anyOf('answer', 'right'), 'y');
const OUTSIDE = /^(?:\s(?:only|alone|both|nur|solo|seulement))?[\s"'.,;:!()[\]{}\u{E000}\u{E001}•>-]*$/u;

/** Nothing but a label, a list of labels, the text of one option, "all of the above" or "none of the above". */
export const wholeText: Step = {
  name: 'whole text',
  claims: (reading) => {
    const claim = bareText(reading) ?? bareLabels(reading) ?? bareWords(reading);
    return claim === null ? [] : [claim];
  },
};

function bareText(reading: Reading): Claim | null {
  const { text, question } = reading;
  if (text.length > 4000) return null;
  const own = question.texts.equal(text);
  const equal = own.length === 0 ? question.shortTexts.equal(text) : own;
  const label = equal.length === 1 ? equal[0] : undefined;
  // An option "B" that is labelled otherwise: the label wins.
  if (label === undefined || question.labels.find(text.replace(/[\s.()]/gu, '')) !== null) return null;
  return { value: { kind: 'labels', labels: [label] }, start: 0, end: text.length, by: 'text' };
}

function bareLabels(reading: Reading): Claim | null {
  const { text, question } = reading;
  const start = /[^\s"'.,;:!{•>-]/u.exec(text.slice(0, 40))?.index ?? 0;
  const spaced = question.multiple === true ? spacedLabels(reading) : null;
  const claim = spaced ?? namedClaim(reading, start) ?? singleLetter(reading) ?? wordedClaim(reading, start);
  return claim !== null && OUTSIDE.test(textAfter(text, claim.end, 12)) && text.length <= claim.end + 8 ? claim : null;
}

/** "Both A and D", "only C"; what "answer:" introduces is read by a later step. */
function wordedClaim(reading: Reading, start: number): Claim | null {
  return matchEnd(LEAD, reading.lower, start) === null ? claimAt(reading, start) : null;
}

/** "A C D", where several may be right. */
function spacedLabels(reading: Reading): Claim | null {
  const words = reading.text.trim().split(/\s+/u, 30);
  const labels = words.map((word) => reading.question.labels.find(word));
  if (words.length < 2 || labels.some((label) => label === null)) return null;
  return {
    value: { kind: 'labels', labels: labels.filter((label) => label !== null) },
    start: 0,
    end: reading.text.length,
    by: 'label',
  };
}

/** Here even "a" and "I" are labels: nothing else is said. */
function singleLetter(reading: Reading): Claim | null {
  const { text, question } = reading;
  if (text.length > 40) return null;
  const start = text.search(/[^\s"'.,;:!()[\]{}•>-]/u);
  const spelling = text.slice(Math.max(start, 0)).replace(/[\s"'.,;:!()[\]{}]+$/u, '');
  const label = question.labels.find(spelling);
  return label === null
    ? null
    : {
        value: { kind: 'labels', labels: [label] },
        start: Math.max(start, 0),
        end: Math.max(start, 0) + spelling.length,
        by: 'label',
      };
}

function bareWords(reading: Reading): Claim | null {
  const { text } = reading;
  const place = { start: 0, end: text.length, by: 'text' } as const;
  if (isAllStatement(text)) return { ...place, value: { kind: 'all' } };
  return isNoneStatement(text) ? { ...place, value: { kind: 'none' } } : null;
}
