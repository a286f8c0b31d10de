import { inOrder } from '../labels.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import type { Mention } from './mentions.ts';

const RANKED = /(?<!\p{L})(?:rank(?:ed|ing|s)?|in order|order of|sorted|from best|from most)(?!\p{L})[^.!?\n]{0,30}$/u;

/** "Ranked by fit: C, A, D", or every option in another order than the question's: a list in which the first wins, or the last. */
export function isRanking({ lower, question }: Reading, { labels, from }: Mention): boolean {
  if (labels.length < 2) return false;
  if (RANKED.test(textBefore(lower, from, 48))) return true;
  const { ordered } = question.labels;
  return labels.length === ordered.length && inOrder(labels, ordered).join() !== labels.join();
}
