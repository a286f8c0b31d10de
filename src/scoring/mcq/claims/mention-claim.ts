import type { Reading } from '../reading.ts';
import type { Claim } from './claim.ts';
import type { Mention } from './mentions.ts';

/** A mention as a claim; null for "A, B, C or D", which names the question. */
export function mentionClaim(reading: Reading, mention: Mention): Claim | null {
  const { labels, start, end } = mention;
  const place = { start, end, by: 'label' } as const;
  if (mention.mismatch) return { ...place, value: { kind: 'mismatch', labels } };
  if (!mention.hedged) return { ...place, value: { kind: 'labels', labels } };
  return labels.length < Math.min(3, reading.question.labels.ordered.length + 1)
    ? { ...place, value: { kind: 'hedge', labels } }
    : null;
}

export function isOwnTextMismatch(claim: Claim): boolean {
  return claim.value.kind === 'mismatch';
}
