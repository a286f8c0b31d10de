import type { Claim } from '../claims/claim.ts';
import { mentionClaim } from '../claims/mention-claim.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isDenied, isDeniedAfter } from '../claims/negation.ts';
import type { Step } from './step.ts';

/** Exactly one label is mentioned as an option, and nothing speaks against it. */
export const onlyMention: Step = {
  name: 'only mention',
  weak: true,
  claims: (reading) => {
    const all = mentionsOf(reading);
    const alone = new Set(all.flatMap((mention) => mention.labels)).size === 1;
    const marked = all.filter((mention) => mention.marked || mention.tokens.length > 1 || (alone && mention.leadsLine));
    const claims = marked.flatMap((mention): readonly Claim[] => {
      const claim = mentionClaim(reading, mention);
      return claim === null || isDeniedAfter(reading, mention.end) || isDenied(reading, mention.from, claim)
        ? []
        : [claim];
    });
    const named = new Set(claims.flatMap((claim) => ('labels' in claim.value ? claim.value.labels : [])));
    const mentioned = new Set(marked.flatMap((mention) => mention.labels));
    return named.size === 1 && mentioned.size <= 2 ? claims : [];
  },
};
