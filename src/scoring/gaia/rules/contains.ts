import { stripBlanks } from '../python-text.ts';
import { quote } from '../quote.ts';
import type { GaiaRule } from './rule.ts';

/**
 * The trimmed, lower-cased truth occurs somewhere in the answer. Loose: a short truth matches nearly any text, an
 * empty one every text. A missing answer never matches.
 */
export const contains: GaiaRule = {
  name: 'contains',
  judge(answer, truth) {
    const expected = normalizeContains(truth);
    const received = normalizeContains(answer ?? '');
    const correct = answer !== null && received.includes(expected);
    return {
      correct,
      expected,
      received,
      get explanation() {
        return `compared as substring: ${quote(received)} ${correct ? 'contains' : 'does not contain'} ${quote(expected)}`;
      },
    };
  },
};

function normalizeContains(text: string): string {
  return stripBlanks(text).toLowerCase();
}
