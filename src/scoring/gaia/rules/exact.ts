import { replaceBlanks, stripBlanks } from '../python-text.ts';
import { quote } from '../quote.ts';
import type { GaiaRule } from './rule.ts';

/** Equality after trimming, lower-casing and collapsing blanks. A missing answer never matches. */
export const exact: GaiaRule = {
  name: 'exact',
  judge(answer, truth) {
    const expected = normalizeExact(truth);
    const received = normalizeExact(answer ?? '');
    const correct = answer !== null && received === expected;
    return {
      correct,
      expected,
      received,
      get explanation() {
        return `compared exactly: ${quote(received)} ${correct ? 'is' : 'is not'} ${quote(expected)}`;
      },
    };
  },
};

function normalizeExact(text: string): string {
  return replaceBlanks(stripBlanks(text).toLowerCase(), ' ');
}
