import { distance } from 'fastest-levenshtein';
import { deletePunctuation, replaceBlanks } from '../python-text.ts';
import { quote } from '../quote.ts';
import { findKind, official } from './official.ts';
import type { GaiaRule, Judgement } from './rule.ts';

/** Above this many characters only equality counts: the distance takes time with the product of both lengths. */
const MAX_LENGTH = 2000;

/**
 * Opt-in: texts that are alike but for a few letters, `least` (0 to 1) being 1 - edit distance / length of the longer
 * one, without case, blanks and punctuation. Numbers must be equal: digits that are alike say nothing.
 */
export function createFuzzy(name: string, least: number): GaiaRule {
  return {
    name,
    judge: (answer, truth) =>
      findKind(truth) === 'number' ? official.judge(answer, truth) : judgeTexts(answer, truth, least),
  };
}

function judgeTexts(answer: string | null, truth: string, least: number): Judgement {
  const [received, expected] = [normalize(answer ?? ''), normalize(truth)];
  const alike = answer === null ? 0 : findSimilarity(received, expected, least);
  return {
    correct: alike >= least,
    expected,
    received,
    get explanation() {
      const percent = `${Math.floor(alike * 100)} % alike, ${Math.round(least * 100)} % are needed`;
      return `compared by edit distance: ${quote(received)} and ${quote(expected)} are ${percent}`;
    },
  };
}

/** 0 where the lengths alone rule out `least`. */
function findSimilarity(a: string, b: string, least: number): number {
  if (a === b) return 1;
  const longer = Math.max(a.length, b.length);
  const atBest = Math.min(a.length, b.length) / longer;
  return atBest < least || longer > MAX_LENGTH ? 0 : 1 - distance(a, b) / longer;
}

function normalize(text: string): string {
  return deletePunctuation(replaceBlanks(text, '').toLowerCase());
}
