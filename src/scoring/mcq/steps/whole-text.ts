import type { Claim } from '../claims/claim.ts';
import { claimAt } from '../claims/claim-at.ts';
import { toKey } from '../option-texts.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { anyOf } from '../words/any-of.ts';
import { found } from './found.ts';
import type { Step } from './step.ts';

const LEAD = pattern(`^[\\s"'•>-]{0,4}${anyOf('answer', 'right')}`);
const OUTSIDE = /^(?:\s(?:only|alone|both|nur|solo|seulement))?[\s"'.,;:!()[\]{}\u{E000}\u{E001}•>-]*$/u;

/** Nothing but a label, a list of labels, the text of one option, "all of the above" or "none of the above". */
export const wholeText: Step = {
  name: 'whole text',
  claims: (reading) => {
    const claim = bareText(reading) ?? bareLabels(reading);
    return claim === null ? [] : [claim];
  },
};

function bareText({ text, question }: Reading): Claim | null {
  const labels = [question.texts, question.shortTexts].flatMap((texts) => texts.equal(text));
  // An option "B" that is labelled otherwise: the label wins.
  const isLabel = question.labels.find(toKey(text)) !== null;
  return labels.length === 1 && !isLabel ? found({ kind: 'labels', labels }, 0, text.length) : null;
}

/** "C", "both A and D", "only C", "all of the above"; what "answer:" introduces is read by a later step. */
function bareLabels(reading: Reading): Claim | null {
  const claim = spacedLabels(reading) ?? (LEAD.test(reading.lower) ? null : claimAt(reading, 0));
  return claim !== null && OUTSIDE.test(reading.text.slice(claim.end)) ? claim : null;
}

/** "1 3", "a c", where several may be right. */
function spacedLabels({ text, question }: Reading): Claim | null {
  const words = text.trim().split(/\s/u, 30);
  const labels = words.flatMap((word) => question.labels.find(word) ?? []);
  return question.multiple === true && labels.length === words.length
    ? found({ kind: 'labels', labels }, 0, text.length)
    : null;
}
