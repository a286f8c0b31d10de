import { guessedClaims, isOtherNamedAfter } from '../claims/guesses.ts';
import { labelsOf } from '../claims/labels-of.ts';
import type { Step } from './step.ts';

/** "I am not sure, maybe B": an option that is guessed, where no other is spoken of after it; two guesses are a hedge. */
export const guess: Step = {
  name: 'guess',
  weak: true,
  claims: (reading) => {
    const claims = guessedClaims(reading);
    const labels = [...new Set(claims.flatMap(labelsOf))];
    const last = claims.at(-1);
    if (last === undefined || isOtherNamedAfter(reading, last.end, labels)) return [];
    const isHedge = labels.length > 1 && claims.length > 1;
    return [isHedge ? { ...last, value: { kind: 'hedge', labels } } : last];
  },
};
