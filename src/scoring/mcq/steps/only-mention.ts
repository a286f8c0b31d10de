import type { Claim } from '../claims/claim.ts';
import { labelsOf } from '../claims/labels-of.ts';
import { mentionClaim } from '../claims/mention-claim.ts';
import { type Mention, mentionsOf } from '../claims/mentions.ts';
import { isDenied, isDeniedAfter, isDoubted } from '../claims/negation.ts';
import { isRanking } from '../claims/ranking.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { ruledOutLines } from './label-line.ts';
import { isTextNamed } from './named-text.ts';
import type { Step } from './step.ts';

const CLAUSE_START = /(?:[,.;:!?]|that|while) $/u;
const IS_NEXT = pattern(`^\\s${anyOf('is')}`);
const IS_BEFORE = pattern(`(?<!type |group |grade |field |class )${anyOf('is')}\\s(?:therefore |thus )?$`);

/** Exactly one label is mentioned as an option, and nothing speaks against it. */
export const onlyMention: Step = {
  name: 'only mention',
  weak: true,
  claims: (reading) => {
    const all = mentionsOf(reading).filter((mention) => !isRanking(reading, mention));
    const alone = new Set(all.flatMap((mention) => mention.labels)).size === 1;
    const marked = all.filter(
      (mention) =>
        mention.marked || mention.tokens.length > 1 || (alone && (mention.leadsLine || isNamed(reading, mention))),
    );
    // "Everyone picks A, yet A is wrong": what is called wrong anywhere is no answer.
    const denied = new Set([
      ...all.filter((mention) => isDeniedAfter(reading, mention.end)).flatMap((each) => each.labels),
      ...ruledOutLines(reading),
    ]);
    const claims = marked.flatMap((mention): readonly Claim[] => {
      const claim = mentionClaim(mention);
      return claim === null ||
        mention.labels.some((label) => denied.has(label)) ||
        isDenied(reading, mention.from, claim) ||
        isDoubted(reading, mention.from) ||
        isOtherTextNamed(reading, claim)
        ? []
        : [claim];
    });
    const named = new Set(claims.flatMap(labelsOf));
    const mentioned = new Set(marked.flatMap((mention) => mention.labels));
    if (isOnlyList(reading, all, denied)) return claims;
    return named.size === 1 && mentioned.size <= 2 && !isFollowedByOther(reading, all, named) ? claims : [];
  },
};

/** "Both A and C are metals, B is not.", where several may be right. */
function isOnlyList({ question }: Reading, all: readonly Mention[], denied: ReadonlySet<string>): boolean {
  const [only, ...others] = all.filter((mention) => !mention.labels.every((label) => denied.has(label)));
  return question.multiple === true && only !== undefined && only.labels.length > 1 && others.length === 0;
}

/** "Madrid (C) is far away. The city is Rome.": the label only goes with its text, and another text is the answer. */
function isOtherTextNamed(reading: Reading, claim: Claim): boolean {
  const texts = reading.question.texts.all(reading.lower);
  const at = texts.findLastIndex(({ end }) => end <= claim.start);
  const own = texts[at];
  if (own === undefined || reading.text.slice(own.end, claim.start).trim() !== '') return false;
  return texts.slice(at + 1).some((other) => isTextNamed(reading, other));
}

/** "C is possible, but this proves B": a letter that ends its sentence or its line speaks, and it is another. */
function isFollowedByOther({ text }: Reading, all: readonly Mention[], named: ReadonlySet<string>): boolean {
  return all.some(({ labels, marked, end }) => {
    const isOther = labels.join() !== [...named].join();
    return isOther && !marked && /^[.!,;]?(?:$|\n)/u.test(textAfter(text, end, 3));
  });
}

/** "..., B is the lightest." and "... is therefore B." */
function isNamed(reading: Reading, mention: Mention): boolean {
  const before = textBefore(reading.lower, mention.start, 20);
  const after = textAfter(reading.lower, mention.end, 16);
  return (CLAUSE_START.test(before) && IS_NEXT.test(after)) || (IS_BEFORE.test(before) && /^[.!]?\s*$/u.test(after));
}
