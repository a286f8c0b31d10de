import { quote } from '../quote.ts';
import type { GaiaRule } from './rule.ts';

/**
 * Either text occurs in the other after lower-casing, collapsing blanks and deleting all but ASCII word characters.
 * Unlike the rule it stems from, a side of which nothing is left never matches.
 */
export const bidirectional: GaiaRule = {
  name: 'bidirectional',
  judge(answer, truth) {
    const expected = normalizeWords(truth.toLowerCase());
    const lower = (answer ?? '').toLowerCase();
    // What holds plain words as they are holds them without its punctuation too; many answers are told by this alone.
    const isHeld = PLAIN_WORDS.test(expected) && lower.includes(expected);
    const correct = isHeld || (expected.trim() !== '' && overlaps(normalizeWords(lower), expected));
    return {
      correct,
      expected,
      get received() {
        return normalizeWords(lower);
      },
      get explanation() {
        const verb = correct ? 'overlaps' : 'does not overlap';
        return `compared as substring both ways: ${quote(this.received)} ${verb} ${quote(expected)}`;
      },
    };
  },
};

const PLAIN_WORDS = /^\w+(?: \w+)*$/;

function overlaps(received: string, expected: string): boolean {
  return received.trim() !== '' && (received.includes(expected) || expected.includes(received));
}

// JavaScript's own \s and \w, as in the TypeScript program that used this rule.
function normalizeWords(lower: string): string {
  return lower
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[^\w\s]/g, '');
}
