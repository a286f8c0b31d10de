import { quote } from '../quote.ts';
import type { GaiaRule } from './rule.ts';

/**
 * Either text occurs in the other after lower-casing, collapsing blanks and deleting all but ASCII word characters.
 * Unlike the rule it stems from, a side of which nothing is left never matches.
 */
export const bidirectional: GaiaRule = {
  name: 'bidirectional',
  judge(answer, truth) {
    const expected = normalizeWords(truth);
    const received = normalizeWords(answer ?? '');
    const comparable = expected.trim() !== '' && received.trim() !== '';
    const correct = comparable && (received.includes(expected) || expected.includes(received));
    return {
      correct,
      expected,
      received,
      get explanation() {
        const verb = correct ? 'overlaps' : 'does not overlap';
        return `compared as substring both ways: ${quote(received)} ${verb} ${quote(expected)}`;
      },
    };
  },
};

// JavaScript's own \s and \w, as in the TypeScript program that used this rule.
function normalizeWords(text: string): string {
  return text
    .toLowerCase()
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[^\w\s]/g, '');
}
