import { isDeniedAfter } from '../claims/negation.ts';
import { lastSentence } from '../claims/sentence.ts';
import { pattern } from '../pattern.ts';
import { anyOf } from '../words/any-of.ts';
import { found } from './found.ts';
import type { Step } from './step.ts';

const CONCLUDES = pattern(`^[\\s"']{0,3}${anyOf('therefore')}`);
const NAMES = pattern(`${anyOf('is')}\\s(?:${anyOf('between')}\\s){0,2}["']?$`);
const ENDS = pattern(`^["']?(?:[.!;]|,(?!\\s${anyOf('or')})|$)`);

/** The last sentence draws a conclusion that names an option by its text: "Hence the city is Rome, not Paris." */
export const concludedText: Step = {
  name: 'concluded option text',
  claims: (reading) => {
    const [start, end] = lastSentence(reading.text);
    const sentence = reading.lower.slice(start, end);
    const [only] = CONCLUDES.test(sentence) ? reading.question.texts.all(sentence) : [];
    if (only === undefined || only.labels.length > 1) return [];
    const at = start + only.end;
    const names = NAMES.test(sentence.slice(0, only.start)) && ENDS.test(sentence.slice(only.end));
    return names && !isDeniedAfter(reading, at)
      ? [found({ kind: 'labels', labels: only.labels }, start + only.start, at)]
      : [];
  },
};
