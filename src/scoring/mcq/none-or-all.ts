import { behind } from './reach.ts';
import type { Claim, Reading } from './tokens.ts';
import { phraseAt } from './values.ts';
import { anyOf } from './words.ts';

const NONE_PLACE =
  /(?<=^|[\n.!?,:;] {0,3}|(?:therefore|thus|so|hence|because|since|that|but|however|although|though),? |is |are )(?=none|neither|no |all |都不|以上|not (?:listed|among|available|given|provided|offered|one of|in the|an option|there))|(?<= )(?=do(?:es)?(?: not|n't) )/gu;
const OF_OPTIONS =
  /above|option|choice|answer|these|them|correct|listed|among|^(?:none|neither) of .*given|以上|都不/u;
const OF_OTHERS = /(?:of|in) (?:the |these |those )?(?:others?|remaining|rest)(?![a-z])/u;

/** "All of the above", "all are correct", but not "all are incorrect" nor "all four rivers". */
const ALL_SAID = new RegExp(
  `^(?:all|every|以上)(?!.*(?:incorrect|wrong|false|not|too|other))(?:.*${anyOf(
    'above|option|choice|answer|statement|correct|true|right|valid|of (?:them|these|those)',
    '[都皆全]',
  )}|[^a-z]*$)`,
  'su',
);

/** "None of the options is right", "it is not listed", "All of the above." */
export function noneStated(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  return [...lower.matchAll(NONE_PLACE)].flatMap(({ index }) => {
    const claim = phraseAt(reading, index);
    if (claim === null || (claim.value.kind === 'all' && text.trim().length > 60)) return [];
    const said = lower.slice(index, claim.end) + behind(lower, claim.end, 'label');
    const isOfOptions =
      claim.value.kind === 'none'
        ? OF_OPTIONS.test(said) && !OF_OTHERS.test(said)
        : ALL_SAID.test(said);
    return isOfOptions ? [claim] : [];
  });
}
