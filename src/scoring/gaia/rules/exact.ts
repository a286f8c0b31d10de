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
    const explanation = `compared exactly: ${quote(received)} ${correct ? 'is' : 'is not'} ${quote(expected)}`;
    return { correct, expected, received, explanation };
  },
};

function normalizeExact(text: string): string {
  return replaceBlanks(stripBlanks(text).toLowerCase(), ' ');
}
