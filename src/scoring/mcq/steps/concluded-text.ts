import { isDeniedAfter } from '../claims/negation.ts';
import { lastSentence } from '../claims/sentence.ts';
import { pattern } from '../pattern.ts';
import { anyOf } from '../words/any-of.ts';
import type { Step } from './step.ts';

const CONCLUDES = pattern(`^[\\s"']{0,3}${anyOf('therefore')}`);
const NAMES = pattern(`${anyOf('is')}\\s(?:${anyOf('between')}\\s){0,2}$`);

/** The last sentence draws a conclusion that ends in the text of an option: "Hence the city is Rome." */
export const concludedText: Step = {
  name: 'concluded option text',
  claims: (reading) => {
    const [start, end] = lastSentence(reading.text);
    const sentence = reading.lower.slice(start, end);
    if (!CONCLUDES.test(sentence)) return [];
    const told = reading.question.texts.all(sentence);
    const [only] = told;
    if (only === undefined || told.length > 1 || only.labels.length > 1) return [];
    const at = start + only.end;
    const ends = /^[\s.!"')]{0,4}$/u.test(reading.text.slice(at, end));
    const names = NAMES.test(sentence.slice(0, only.start));
    return ends && names && !isDeniedAfter(reading, at)
      ? [{ value: { kind: 'labels', labels: only.labels }, start: start + only.start, end: at, by: 'text' }]
      : [];
  },
};
