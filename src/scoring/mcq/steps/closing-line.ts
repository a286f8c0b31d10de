import { isSingle } from '../claims/claim.ts';
import { labelLineAt } from './label-line.ts';
import type { Step } from './step.ts';

/** The last line is nothing but a label, or a label with its own text. */
export const closingLine: Step = {
  name: 'closing line',
  claims: (reading) => {
    const text = reading.text.trimEnd();
    const start = text.lastIndexOf('\n') + 1;
    const claim = labelLineAt(reading, start);
    if (claim === null) return [];
    const previous = text.slice(0, start).trimEnd().lastIndexOf('\n') + 1;
    // Two lines of options are a list, not a closing answer.
    return isSingle(claim) && labelLineAt(reading, previous) !== null ? [] : [claim];
  },
};
