import type { Claim } from '../claims/claim.ts';
import { isSingle } from '../claims/claim.ts';
import { namedClaim } from '../claims/claim-at.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import type { Step } from './step.ts';

/** The last line is nothing but a label, or a label with its own text. */
export const closingLine: Step = {
  name: 'closing line',
  claims: (reading) => {
    const end = reading.text.trimEnd().length;
    const start = reading.text.lastIndexOf('\n', end - 1) + 1;
    const claim = start === 0 ? null : lineClaim(reading, start, end);
    if (claim === null) return [];
    const previous = reading.text.slice(0, start).trimEnd();
    const previousStart = previous.lastIndexOf('\n') + 1;
    // Two lines of options are a list, not a closing answer.
    return isSingle(claim) && namedLine(reading, previousStart, previous.length) ? [] : [claim];
  },
};

function namedLine(reading: Reading, start: number, end: number): boolean {
  return lineClaim(reading, start, end) !== null;
}

function lineClaim(reading: Reading, start: number, end: number): Claim | null {
  const skip = /^[\s#•>"'-]{0,6}/u.exec(textAfter(reading.text, start, 6))?.[0].length ?? 0;
  const claim = namedClaim(reading, start + skip);
  if (claim === null || claim.by === 'text' || claim.value.kind !== 'labels') return null;
  return /^[\s.;!)"'\]]{0,4}$/u.test(reading.text.slice(claim.end, Math.max(claim.end, end))) ? claim : null;
}
