import type { Claim } from './claim.ts';
import type { LabelList } from './label-list.ts';

/** A mention, or any list of labels, as a claim; null for "A, B, C or D", which names the question. */
export function mentionClaim(mention: LabelList): Claim | null {
  const { labels, start, end } = mention;
  const place = { start, end, by: 'label' } as const;
  if (mention.mismatch) return { ...place, value: { kind: 'mismatch', labels } };
  if (!mention.hedged) return { ...place, value: { kind: 'labels', labels } };
  return labels.length < 3 ? { ...place, value: { kind: 'hedge', labels } } : null;
}
