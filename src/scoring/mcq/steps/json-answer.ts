import { jsonList } from '../claims/json-list.ts';
import { jsonAnswers } from '../claims/json-values.ts';
import type { Step } from './step.ts';
import { valueClaim } from './value-claim.ts';

/** A JSON field that holds the answer, wherever the object stands: whole text, fenced, inside prose or cut off. */
export const jsonAnswer: Step = {
  name: 'JSON answer',
  claims: (reading) => {
    const list = jsonList(reading.said.text, reading.question.labels.ordered.length);
    const answers = list === null ? jsonAnswers(reading.said.text) : [list];
    return answers.map(({ value, start, end }) => valueClaim(reading, value, start, end));
  },
};
