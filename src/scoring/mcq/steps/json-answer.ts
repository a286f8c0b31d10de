import { jsonAnswers } from '../claims/json-values.ts';
import type { Step } from './step.ts';
import { valueClaim } from './value-claim.ts';

/** A JSON field that holds the answer, wherever the object stands: whole text, fenced, inside prose or cut off. */
export const jsonAnswer: Step = {
  name: 'JSON answer',
  claims: (reading) =>
    jsonAnswers(reading.said.text).map(({ value, start, end }) => valueClaim(reading, value, start, end)),
};
